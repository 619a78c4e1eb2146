import { expect, test } from "vitest";
import { changedOf, examplesOf, perDay, summaryOf, sumsOf } from "./preview-data.ts";

const now = new Date("2026-11-18T10:00:00Z");
const decision = {
  ...{ requestHash: "0x1", at: "2026-11-18T09:00:00.000Z", description: "Pay", left: [] },
  ...{ outcome: "allowed" as const, from: null, reason: null },
};
const asked = (message: string, more: object = {}) => ({
  ...{ ...decision, outcome: "asked" as const, reason: { code: "OUTSIDE_MANDATE", message } },
  ...more,
});

test("counts the outcomes of 30 days, with what is older in the first", () => {
  const days = perDay([decision, asked("No room", { at: "2026-10-19T11:00:00.000Z" })], now);
  expect(days).toHaveLength(30);
  expect(days[0]).toEqual({ day: "2026-10-20", counts: { allowed: 0, asked: 1, denied: 0 } });
  expect(days.at(-1)).toEqual({ day: "2026-11-18", counts: { allowed: 1, asked: 0, denied: 0 } });
});

test("shows an example of what is allowed, and of each reason", () => {
  const decisions = [
    asked("No room: 1 left"),
    asked("No room: 0 left"),
    decision,
    asked("Other recipient"),
    decision,
  ];
  expect(examplesOf({ decisions }).map(({ reason }) => reason?.message)).toEqual([
    ...[undefined, "No room: 1 left", "Other recipient"],
  ]);
  expect(examplesOf({ decisions: [] })).toEqual([]);
});

test("groups the digits of sums, and leaves out assets without any", () => {
  const [usdc, eth] = [
    "eip155:1/erc20:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
    "eip155:11155111/slip44:60",
  ];
  const totals = [
    { asset: usdc, allowed: "3085.1234", asked: "0" },
    { asset: eth, allowed: "0", asked: "1234567" },
  ];
  expect(sumsOf({ totals }, "allowed")).toEqual(["3,085.1234 USDC"]);
  expect(sumsOf({ totals }, "asked")).toEqual(["1,234,567 ETH"]);
  expect(sumsOf({ totals }, "denied")).toEqual([]);
});

test("counts what changes against the present mandate", () => {
  const decisions = [asked("No room", { from: "allowed" }), asked("No room", { from: "asked" }), decision];
  expect(changedOf({ decisions })).toBe(1);
});

test("sums the preview up in a sentence", () => {
  expect(summaryOf({ transactions: 0, counts: { allowed: 0, asked: 0, denied: 0 } })).toContain("Nothing");
  expect(summaryOf({ transactions: 1, counts: { allowed: 1, asked: 0, denied: 0 } })).toBe(
    "In the last 30 days it would have approved 1 of 1 matching proposal and asked you about 0.",
  );
  expect(summaryOf({ transactions: 4, counts: { allowed: 1, asked: 2, denied: 1 } })).toBe(
    "In the last 30 days it would have approved 1 of 4 matching proposals and asked you about 2. Your policy blocked 1.",
  );
});
