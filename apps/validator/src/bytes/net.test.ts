import { describe, expect, test } from "vitest";
import {
  everything,
  exactly,
  MAX_UINT,
  nft,
  token,
  type Amount,
  type Asset,
  type Effect,
  type Party,
} from "../effects.ts";
import type { Address } from "../proposal.ts";
import type { Draft } from "../protocol.ts";
import { makeEffect } from "./make-effect.ts";
import { netOf } from "./net.ts";

const USDC = token("0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48");
const ROUTER: Address = "0x7a250d5630b4cf539739df2c5dacb4c659f2488d";
const OTHER: Address = "0x6666666666666666666666666666666666666666";
const APES: Address = "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d";

const effect = (target: Address, draft: Draft): Effect =>
  makeEffect(
    {
      where: "proposed_tx",
      nodes: [],
      prefix: "",
      target,
      sender: "self",
      isSelf: () => false,
      isOwnContract: () => false,
      protocol: "",
      function: "",
      venue: null,
      knowledge: "bound",
    },
    draft,
  );

const approve = (spender: Address, amount: Amount, asset: Asset = USDC): Effect =>
  effect(APES, {
    act: amount.most === 0n ? "revoke" : "approve",
    authority: { spender, asset, amount, at: "spender" },
  });
const spend = (target: Address, amount: Amount): Effect =>
  effect(target, { act: "swap", gives: [{ asset: USDC, amount, at: "amount" }], receiver: "self" });
const left = (...effects: readonly Effect[]): readonly bigint[] =>
  netOf(effects).authority.map(({ amount }) => amount.most);

describe("the allowance that remains", () => {
  test("is zero once the spender has used all of it", () => {
    expect(left(approve(ROUTER, exactly(100n)), spend(ROUTER, exactly(100n)))).toEqual([]);
  });
  test("is the part that the spender has not used", () => {
    expect(left(approve(ROUTER, exactly(100n)), spend(ROUTER, exactly(30n)))).toEqual([70n]);
  });
  test("is all of it if the spender need not use any", () => {
    expect(left(approve(ROUTER, exactly(100n)), spend(ROUTER, { least: 0n, most: 100n }))).toEqual([100n]);
  });
  test("is all of it if another party spends", () => {
    expect(left(approve(OTHER, exactly(100n)), spend(ROUTER, exactly(100n)))).toEqual([100n]);
  });
  test("is all of it if the spending came first", () => {
    expect(left(spend(ROUTER, exactly(100n)), approve(ROUTER, exactly(100n)))).toEqual([100n]);
  });
  test("stays unlimited however much is used", () => {
    expect(left(approve(ROUTER, exactly(MAX_UINT)), spend(ROUTER, exactly(100n)))).toEqual([MAX_UINT]);
  });
  test("is zero after it is revoked", () => {
    expect(left(approve(ROUTER, exactly(100n)), approve(ROUTER, exactly(0n)))).toEqual([]);
  });
  test("is the last one that was given", () => {
    expect(left(approve(ROUTER, exactly(100n)), approve(ROUTER, exactly(5n)))).toEqual([5n]);
  });
  test("for one NFT ends when the whole collection is revoked", () => {
    const one = approve(ROUTER, exactly(1n), nft(APES, 7n));
    expect(left(one, approve(ROUTER, exactly(0n), nft(APES, null)))).toEqual([]);
    expect(
      left(approve(ROUTER, everything, nft(APES, null)), approve(ROUTER, exactly(0n), nft(APES, 7n))),
    ).toEqual([MAX_UINT]);
  });
});

describe("the totals", () => {
  test("add up the amounts of each asset", () => {
    expect(netOf([spend(ROUTER, exactly(1n)), spend(ROUTER, { least: 0n, most: 5n })]).leaves).toMatchObject([
      { most: 6n },
    ]);
  });
  test("count a fee as paid to its taker", () => {
    const swap = effect(ROUTER, {
      act: "swap",
      gets: [{ asset: USDC, amount: { least: 10_000n, most: MAX_UINT }, at: "min" }],
      receiver: "self",
      fees: [{ to: OTHER, asset: USDC, share: { bps: 25n }, at: "bips" }],
    });
    expect(netOf([swap])).toMatchObject({
      arrives: [{ least: 10_000n }],
      others: [{ party: OTHER, most: 25n }],
    });
  });

  test("leave out the price of an execution that anyone may do, as that of a transaction", () => {
    const paid = (to: Party, act: Draft["act"] = "harmless") =>
      effect(ROUTER, { act, fees: [{ to, asset: USDC, share: exactly(7n), at: "fee" }] });
    expect(netOf([paid("venue")]).others).toEqual([]);
    expect(netOf([paid(OTHER)]).others).toMatchObject([{ party: OTHER, most: 7n }]);
    expect(netOf([paid("venue", "swap")]).others).toMatchObject([{ party: "venue", most: 7n }]);
  });
});

test("keeps what arrives on another chain apart, also at the same address", () => {
  const bridged: Draft = {
    ...{ act: "bridge", payer: "self", receiver: "self", toChain: 8453 },
    gives: [{ asset: USDC, amount: exactly(5n), at: "amount" }],
    gets: [{ asset: USDC, amount: exactly(4n), at: "least" }],
  };
  const pulled: Draft = {
    ...{ act: "withdraw", payer: "self", receiver: "self" },
    gets: [{ asset: USDC, amount: exactly(7n), at: "amount" }],
  };
  expect(netOf([effect(ROUTER, bridged), effect(ROUTER, pulled)]).arrives).toEqual([
    { asset: USDC, least: 4n, toChain: 8453 },
    { asset: USDC, least: 7n },
  ]);
  expect(netOf([effect(ROUTER, { ...bridged, receiver: OTHER })]).others).toMatchObject([
    { party: OTHER, asset: USDC, toChain: 8453 },
  ]);
});
