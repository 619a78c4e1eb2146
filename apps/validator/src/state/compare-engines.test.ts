/** A verdict with the answer of a second engine: any difference leaves it open, and what it cannot tell is reported. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Agreement } from "@countersign/evm";
import { startEngine, type RealEngine } from "../../test/real-engine.ts";
import {
  aRequest,
  aState,
  anAgreement,
  million,
  noAgreement,
  type PlantedDifference,
} from "../../test/state.ts";
import { ValidateRequest } from "../request/index.ts";
import { validate, type Verdict } from "../validate/validate.ts";

let engine: RealEngine;
let state: Awaited<ReturnType<typeof aState>>;
beforeAll(async () => {
  engine = await startEngine();
  state = await aState();
}, 120_000);

const check = "technical_invariants.engines_agree";
const ask = (secondEngine: unknown, requiresSecondEngine = false): Promise<Verdict> =>
  validate(ValidateRequest.parse(aRequest(state, 100n * million, secondEngine)), engine.engine, {
    requiresSecondEngine,
  });
const changing =
  (members: object): PlantedDifference =>
  (result) => ({ ...result, ...members });

describe("a second engine", () => {
  test("that agrees lets a request pass, also if it is required", async () => {
    const agreement = await anAgreement(state);
    for (const isRequired of [false, true]) {
      const verdict = await ask(agreement, isRequired);
      expect(verdict).toMatchObject({ decision: "PASS", results: { [check]: { status: "PASS" } } });
      expect(verdict.context["second_engine"]).toEqual({
        ...{ result: "agree", engine: "a second engine 1.0" },
        outcome: agreement.result === "agree" ? agreement.second : {},
      });
    }
  });

  test.each<[string, PlantedDifference]>([
    ["the status", changing({ succeeded: false })],
    ["gas", changing({ gasUsed: 1n })],
    ["logs", changing({ logs: [] })],
    ["balances", changing({ balances: [] })],
    ["slots", changing({ slots: [] })],
    ["codes", changing({ codes: [{ address: `0x${"aa".repeat(20)}`, after: `0x${"5e".repeat(32)}` }] })],
    ["whether it can be executed", () => ({ kind: "not executable" })],
  ])("that differs in %s leaves the verdict open, with both results", async (_, plant) => {
    const verdict = await ask(await anAgreement(state, plant));
    expect(verdict).toMatchObject({
      ...{ decision: "REJECT", primary_failure_node: check },
      assessment: { kind: "not_checked", missing: [{ what: "second_engine" }] },
      results: { [check]: { status: "SKIP", details: { skip_kind: "not_checked" } } },
    });
    expect(verdict.reason).toContain("different results");
    const { first, second, differences } = verdict.context["second_engine"] as Extract<
      Agreement,
      { result: "differs" }
    >;
    expect(first.hash).not.toBe(second.hash);
    expect(differences.length).toBeGreaterThan(0);
    expect(Object.values(verdict.results).filter(({ status }) => status === "FAIL")).toEqual([]);
  });

  test("that agrees with another result than ours leaves the verdict open", async () => {
    const agreement = await anAgreement(state);
    if (agreement.result !== "agree") throw new Error("the engines differ");
    const verdict = await ask({
      ...agreement,
      second: { ...agreement.second, hash: `0x${"5e".repeat(32)}` },
    });
    expect(verdict).toMatchObject({ decision: "REJECT", primary_failure_node: check });
    expect(verdict.context["second_engine"]).toMatchObject({
      ...{ result: "differs", first: agreement.second },
      differences: [{ what: "result" }],
    });
  });

  test("that cannot tell, or was not asked, is reported and counts only if it is required", async () => {
    for (const answer of [noAgreement(state, "the call reads the hash of a block"), undefined]) {
      const verdict = await ask(answer);
      expect(verdict).toMatchObject({ decision: "PASS", results: { [check]: { status: "SKIP" } } });
      const why = answer === undefined ? "no second engine was asked" : "the call reads the hash of a block";
      expect(verdict.context["second_engine"]).toMatchObject({ result: "cannot", why });
      expect(await ask(answer, true)).toMatchObject({
        ...{ decision: "REJECT", primary_failure_node: check },
        assessment: { kind: "not_checked" },
        reason: expect.stringContaining(why) as string,
      });
    }
  });

  test.each<[string, (agreement: Agreement) => unknown]>([
    ["of another form", () => "agree"],
    ["with a member that is not known", (agreement) => ({ ...agreement, hint: "approve" })],
    ["of another version", (agreement) => ({ ...agreement, version: 2 })],
    ["about another state", (agreement) => ({ ...agreement, state: `0x${"5e".repeat(32)}` })],
    ["that is too long", (agreement) => ({ ...agreement, engine: "x".repeat(100_000) })],
  ])("whose answer is one %s leaves the verdict open", async (_, change) => {
    const verdict = await ask(change(await anAgreement(state)));
    expect(verdict).toMatchObject({ decision: "REJECT", primary_failure_node: check });
    expect(verdict.context["second_engine"]).toMatchObject({ result: "refused" });
    expect(JSON.stringify(verdict.context).length).toBeLessThan(50_000);
  });

  test("without a state says nothing", async () => {
    const verdict = await engine.ask(
      JSON.stringify(aRequest(undefined, 100n * million, await anAgreement(state))),
    );
    expect(verdict).toMatchObject({ decision: "PASS", results: { [check]: { status: "SKIP" } } });
    expect(verdict?.context).not.toHaveProperty("second_engine");
  });
});
