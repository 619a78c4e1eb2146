import { describe, expect, test } from "vitest";
import { findSurprises, readExpectedFailures, wires, type Check } from "./judge.ts";

const passing: Check = { id: "good", status: "SUCCESS" };
const failing: Check = { id: "bad", status: "FAILURE", errorMessage: "it did not" };
const run = { scenario: "ping", wire: "2025-11-25" } as const;
const expected = [{ ...run, check: "bad", reason: "because" }];

describe("a run of the conformance suite", () => {
  test("has no surprise when all passes, or only what may fails", () => {
    expect(findSurprises({ ...run, checks: [passing] }, [])).toEqual([]);
    expect(findSurprises({ ...run, checks: [passing, failing] }, expected)).toEqual([]);
    const weak: readonly Check[] = [passing, { id: "weak", status: "WARNING" }];
    expect(findSurprises({ ...run, checks: weak }, [])).toEqual([]);
  });

  test("surprises by a failure that is not on the list, or that is there for another scenario or wire", () => {
    const said = ["ping (2025-11-25) fails bad: it did not"];
    expect(findSurprises({ ...run, checks: [failing] }, [])).toEqual(said);
    const elsewhere = [
      { ...run, scenario: "tools-list", check: "bad", reason: "because" },
      { ...run, wire: "2026-07-28", check: "bad", reason: "because" } as const,
    ];
    expect(findSurprises({ ...run, checks: [failing] }, elsewhere)).toEqual(said);
  });

  test("surprises by an expected failure that passes, or is not looked at any more", () => {
    const said = ["ping (2025-11-25) was expected to fail bad and does not: take it off the list"];
    expect(findSurprises({ ...run, checks: [{ ...failing, status: "SUCCESS" }] }, expected)).toEqual(said);
    expect(findSurprises({ ...run, checks: [passing] }, expected)).toEqual(said);
  });

  test("surprises when it checked nothing", () => {
    expect(findSurprises({ ...run, checks: [] }, [])).toEqual(["ping (2025-11-25) checked nothing"]);
  });
});

test("each expected failure says which check, on which wire, and why", () => {
  const listed = readExpectedFailures();
  for (const { scenario, wire, check, reason } of listed) {
    expect(wires).toContain(wire);
    expect(`${scenario} ${check}`).toMatch(/^[a-z0-9-]+ [a-z0-9-]+$/);
    expect(reason.length).toBeGreaterThan(20);
  }
  const names = listed.map(({ scenario, wire, check }) => `${scenario} ${wire} ${check}`);
  expect(new Set(names).size).toBe(names.length);
});
