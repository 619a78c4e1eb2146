import { describe, expect, test } from "vitest";
import { anEffect, chain, shop, usdc } from "../../test/mandates.ts";
import { whyNotCovered } from "./cover.ts";
import { readMoves, totalsOf } from "./moves.ts";
import type { Terms } from "./terms.ts";

const me = `0x${"ea".repeat(20)}`;
const call = { chainId: chain, value: 0n, to: usdc, own: [me] };
const token = `eip155:${chain}/erc20:${usdc}`;
const coin = { kind: "native", symbol: "ETH", most: "1", units: "1000", decimals: 18 };
const other = `0x${"0b".repeat(20)}`;

const movesOf = (...effects: readonly unknown[]) => {
  const moves = readMoves(effects, call);
  if (moves === undefined) throw new Error("not read");
  return moves;
};

test("an effect behind another contract than the account's own wallet is not counted", () => {
  const through = (to: string | null) => readMoves([anEffect()], { ...call, to })?.[0]?.uncountable;
  expect(through(usdc)).toBeNull();
  expect(through(me)).toBeNull();
  for (const to of [other, shop, null]) expect(through(to)).toBe("It goes through another contract");
  expect(movesOf(anEffect({ target: null }))[0]?.uncountable).toBe("It goes through another contract");
});

test("a transfer moves its amount to its recipient", () => {
  expect(movesOf(anEffect())).toEqual([
    {
      act: "transfer",
      parties: [`eip155:${chain}:${shop}`],
      amounts: [{ asset: token, units: 5_000_000n, decimals: 6 }],
      uncountable: null,
    },
  ]);
});

test("an allowance counts in full, in addition to what the same call moves", () => {
  const authority = { spender: other, asset: { kind: "token", address: usdc }, units: "7", decimals: 6 };
  const moves = movesOf(anEffect(), anEffect({ act: "approve", receiver: null, gives: [], authority }));
  expect(totalsOf(moves).get(token)).toBe(5_000_007n);
  expect(moves[1]?.parties).toEqual([`eip155:${chain}:${other}`]);
});

test.each([
  [
    "an allowance without a limit",
    { authority: { spender: other, asset: { kind: "token", address: usdc }, units: null } },
  ],
  ["everything", { gives: [{ kind: "token", address: usdc, units: null, decimals: 6 }] }],
  ["an NFT", { gives: [{ kind: "nft", address: usdc, units: "1", decimals: null }] }],
  ["an unknown asset", { gives: [{ kind: "unsaid", units: "1", decimals: null }] }],
  ["another account's assets", { payer: other }],
  ["control over the account", { authority: { spender: other, asset: null } }],
  ["a new owner", { admin: { kind: "owner", party: other } }],
  ["an order", { terms: { order: true } }],
  ["a call that may move an NFT", { terms: { maybeNft: true } }],
  ["foreign code", { terms: { delegatecall: other } }],
])("%s cannot be counted", (_, more) => {
  expect(movesOf(anEffect(more))[0]?.uncountable).not.toBeNull();
});

test.each([
  ["fees", { fees: [{ to: other }] }, `eip155:${chain}:${other}`],
  ["a recipient on another chain", { receiver: other, to_chain: 10 }, `eip155:10:${other}`],
  ["a venue that keeps it", { receiver: "venue" }, `eip155:${chain}:venue`],
  ["an unnamed recipient", { receiver: null }, `eip155:${chain}:unknown`],
])("%s is a party", (_, more, party) => {
  expect(movesOf(anEffect(more))[0]?.parties).toContain(party);
});

test("an exchange for the account itself has no other party", () => {
  expect(movesOf(anEffect({ act: "swap", receiver: "self" }))[0]?.parties).toEqual([]);
});

test.each([
  ["is missing", undefined],
  ["is empty", []],
  ["has no units", [anEffect({ gives: [{ kind: "token", address: usdc, most: "5" }] })]],
  ["does nothing", [anEffect({ act: "harmless" })]],
])("a report that %s says nothing about what is moved", (_, effects) => {
  expect(readMoves(effects, call)).toBeUndefined();
});

test("a report that leaves out the value of the call is not believed", () => {
  expect(readMoves([anEffect()], { ...call, value: 1n })).toBeUndefined();
  expect(readMoves([anEffect({ gives: [coin] })], { ...call, value: 1000n })).toHaveLength(1);
  expect(readMoves([anEffect({ gives: [coin] })], { ...call, value: 1001n })).toBeUndefined();
});

describe("a mandate", () => {
  const terms: Pick<Terms, "acts" | "assets" | "recipients" | "limits"> = {
    acts: ["transfer", "swap"],
    assets: [token, `eip155:${chain}/slip44:60`],
    recipients: [`eip155:${chain}:${shop}`],
    limits: [{ measure: token, span: "total", seconds: 0, most: "100", decimals: 6 }],
  };
  test("covers what it names, and the native coin by any number", () => {
    expect(whyNotCovered(terms, movesOf(anEffect(), anEffect({ gives: [coin] })))).toBeUndefined();
  });
  test("covers any recipient with *", () => {
    const moves = movesOf(anEffect({ receiver: other }));
    expect(whyNotCovered({ ...terms, recipients: ["*"] }, moves)).toBeUndefined();
  });
  test.each([
    ["another act", { act: "approve" }, "The mandate does not allow approve"],
    [
      "another recipient",
      { receiver: other },
      `The mandate does not name the recipient eip155:${chain}:${other}`,
    ],
    [
      "an amount without a limit",
      { gives: [{ kind: "token", address: usdc, units: null, decimals: 6 }] },
      "no limit",
    ],
    [
      "another asset",
      { gives: [{ kind: "token", address: other, units: "1", decimals: 6 }] },
      `The mandate does not name the asset eip155:${chain}/erc20:${other}`,
    ],
    [
      "other decimals",
      { gives: [{ kind: "token", address: usdc, units: "1", decimals: 18 }] },
      "other decimals",
    ],
    [
      "unknown decimals",
      { gives: [{ kind: "token", address: usdc, units: "1", decimals: null }] },
      "other decimals",
    ],
  ])("does not cover %s, also next to something that it covers", (_, more, why) => {
    expect(whyNotCovered(terms, movesOf(anEffect(), anEffect(more)))).toContain(why);
  });
});
