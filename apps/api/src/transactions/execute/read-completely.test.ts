import { expect, test } from "vitest";
import { whyNotComplete } from "./read-completely.ts";

type Part = Readonly<Record<string, unknown>>;
const known = { known: true, calls: [] };
const effect = { act: "transfer", gives: [{ kind: "native", symbol: "ETH" }] };

const aReport = (top: Part = {}, assessment: Part = {}, context: Part = {}) => ({
  decision: "PASS",
  assessment: { kind: "entailed", unread: [], missing: [], ...assessment },
  context: { calls: [known], effects: [effect], limit: null, ...context },
  ...top,
});

test("custody may send what the validator knows and read completely", () => {
  expect(whyNotComplete(aReport())).toEqual([]);
});

test.each([
  ["no report", undefined],
  ["null", null],
  ["no decision", aReport({ decision: undefined })],
  ["no assessment", aReport({ assessment: undefined })],
  ["no kind of assessment", aReport({}, { kind: undefined })],
  ["no list of unread parts", aReport({}, { unread: undefined })],
  ["no list of missing parts", aReport({}, { missing: undefined })],
  ["no context", aReport({ context: undefined })],
  ["no calls", aReport({}, {}, { calls: [] })],
  ["no list of calls", aReport({}, {}, { calls: undefined })],
  ["a call that does not say whether it is known", aReport({}, {}, { calls: [{ calls: [] }] })],
  ["a call without inner calls", aReport({}, {}, { calls: [{ known: true }] })],
  ["no effects", aReport({}, {}, { effects: [] })],
  ["no list of effects", aReport({}, {}, { effects: undefined })],
  ["a limit that was reached", aReport({}, {}, { limit: "depth" })],
  ["no word about limits", aReport({}, {}, { limit: undefined })],
])("a report with %s does not show that everything was read", (_, report) => {
  expect(whyNotComplete(report)).toEqual(["its report does not show that the whole transaction was read"]);
});

test.each([
  ["does not pass", aReport({ decision: "FAIL" })],
  ["is not entailed by the request", aReport({}, { kind: "contradicted" })],
  ["has an unread part", aReport({}, { unread: [{}] })],
  ["misses a part of the request", aReport({}, { missing: [{}] })],
])("custody does not send what %s", (_, report) => {
  expect(whyNotComplete(report)).toEqual([
    "its report does not say that it does what was asked and nothing else",
  ]);
});

const unknown = { known: false, calls: [] };
const token = (kind: string, symbol: unknown) => ({ ...effect, gives: [{ kind, symbol }] });

test.each([
  ["an unknown contract", { calls: [unknown] }],
  ["an unknown contract next to a known one", { calls: [known, unknown] }],
  ["an unknown contract inside a known one", { calls: [{ known: true, calls: [known, unknown] }] }],
  ["a known contract inside an unknown one", { calls: [{ known: false, calls: [known] }] }],
  ["an unknown token", { effects: [token("token", null)] }],
  ["an unknown NFT", { effects: [token("nft", null)] }],
  ["an unknown token next to a known one", { effects: [effect, token("token", null)] }],
  ["an unknown token, as the whole effect", { effects: [{ kind: "token", symbol: null }] }],
  ["an unknown token, deep inside", { effects: [{ a: [{ b: token("token", null) }] }] }],
])("custody does not send to %s", (_, context) => {
  expect(whyNotComplete(aReport({}, {}, context))).toEqual([
    "it calls a contract that the validator does not know",
  ]);
});

test.each([
  ["a known token", token("token", "USDC")],
  ["a known NFT", token("nft", "PUNK")],
  ["something else without a symbol", token("contract", null)],
  ["a token that has no symbol member", { kind: "token" }],
  ["a symbol without a kind", { symbol: null }],
  [
    "a token that describes itself",
    { kind: "token", symbol: "USDC", inner: { kind: "token", symbol: null } },
  ],
  ["texts and nothing", { amount: "1", note: null }],
])("custody sends %s", (_, one) => {
  expect(whyNotComplete(aReport({}, {}, { effects: [one] }))).toEqual([]);
});
