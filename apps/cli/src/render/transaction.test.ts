import type { TransactionView } from "@countersign/sdk";
import { describe, expect, test } from "vitest";
import { columnsOf } from "./layout.ts";
import { awaiting, judged } from "../../test/render/reports.ts";
import { phaseInWords, renderProgress, renderTable, renderTransaction } from "./transaction.ts";

const view = awaiting();
const page = { width: 80, colour: false, now: new Date(Date.parse(view.createdAt) + 90_000) };

describe("a proposal as a page", () => {
  test("reads as it was looked at", async () => {
    await expect(`${renderTransaction(view, page)}\n`).toMatchFileSnapshot(
      "../../test/render/awaiting-view.80.txt",
    );
  });

  test("says who is waited for and what they would do", () => {
    const text = renderTransaction(view, page);
    expect(text).toContain("Needs the owner's decision");
    expect(text).toContain(`countersign approve ${view.requestHash}`);
  });

  test("says when it expires, from now and exactly", () => {
    expect(renderTransaction(view, page)).toMatch(
      /expires +in 23 h 58 min \(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\)/,
    );
  });

  test("does not say that the owner decides where the arbiter said no", () => {
    const rejected: TransactionView = {
      ...judged("REJECTED"),
      ...{ status: "REJECTED", phase: "REJECTED", reason: "ORION", expiresAt: null },
    };
    const text = renderTransaction(rejected, page);
    expect(text).toMatch(/^✗ REJECTED\. Nothing was sent, and nothing will be\. Differs from the request\./);
    expect(text).toContain(`countersign explain ${view.requestHash}`);
    expect(text).not.toContain("countersign approve");
  });

  test("shows text of others as text", () => {
    const bent = { ...view, description: "pay\u001b[2J\u202Ebob", reasonDetail: "\u001b]0;x\u0007" };
    const text = `${renderTransaction(bent, page)}${renderTable([bent], page)}${renderProgress(bent, 1, page)}`;
    // eslint-disable-next-line no-control-regex -- they are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  test("says of what its sender sealed that it is sealed", () => {
    expect(renderTransaction({ ...view, tx: null }, page)).toMatch(/call +sealed by its sender/);
  });
});

describe("progress", () => {
  test("is a line with the time, the phase and what it means", () => {
    expect(renderProgress(view, 2_400, page)).toBe(
      "2 s      AWAITING   Matches. Needs the owner's decision.",
    );
  });

  test("tells an undecided verdict from an approval", () => {
    expect(phaseInWords(judged("UNDECIDED"))).toBe("Could not be verified. Needs the owner's decision.");
  });
});

describe("the newest as a table", () => {
  test("keeps hashes whole and words within the width", () => {
    const long = { ...view, description: "word ".repeat(100) };
    const [first = "", second] = renderTable([long], page).split("\n");
    expect(columnsOf(first)).toBeLessThanOrEqual(80);
    expect(first).toContain("…");
    expect(second).toBe(`  ${view.requestHash}`);
  });
});
