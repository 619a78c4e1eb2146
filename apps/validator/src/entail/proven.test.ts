/** Amounts that the proven state settles. */
import { describe, expect, test } from "vitest";
import { native, nft, token } from "../effects.ts";
import type { Quantity, Span } from "../intent.ts";
import type { Address } from "../proposal.ts";
import type { Simulation } from "../simulation.ts";
import { judgeAmount } from "./amounts.ts";
import { abroad, type World } from "./world.ts";
import { anEffect, aWorld, dec, flow, mallory, me, usdc, weth } from "../../test/entail.ts";

const span: Span = [0, 1];
const oneEth = 10n ** 18n;
const run = (change: Partial<Simulation> = {}): Simulation => ({
  ...{
    ...{ account: me, sender: me, calls: 1, isRelayed: false },
    reverted: null,
    diverged: null,
    variants: 0,
    changes: [],
    holders: [],
    tokens: [],
    approvals: [],
  },
  ...{ parties: [], proxies: [], symbols: new Map() },
  decimals: new Map(),
  ...{ control: [], changesAccount: false, unreadable: 0, gasUsed: 0n, fee: 0n },
  balances: [
    { asset: token(usdc), before: 700_000_000n, after: 0n },
    { asset: native, before: oneEth, after: 0n },
  ],
  prices: new Map([["native", 3_000n * 10n ** 8n]]),
  ...change,
});
const all: Quantity = { kind: "all", except: null, span };
const allBut = (kept: string): Quantity => ({ kind: "all", except: dec(kept), span });
const dollars = (amount: string, bound: "exact" | "most" = "exact"): Quantity => ({
  ...{ kind: "fiat", n: dec(amount), currency: "USD", bound, span },
});
const worldOf = (simulation: Simulation, context = {}): World => ({
  ...aWorld([], [], { context }),
  simulation,
});
const judge = (quantity: Quantity, asset: Address | "native", units: bigint, world = worldOf(run())) =>
  judgeAmount(quantity, flow(asset, units), "out", world);

describe("all of a balance", () => {
  test.each<[string, Quantity, Address | "native", bigint, string]>([
    ["exactly", all, usdc, 700_000_000n, "same"],
    ["less the interest of a few blocks", all, usdc, 699_930_000n, "same"],
    ["less than that", all, usdc, 699_929_999n, "differs"],
    ["more than there is", all, usdc, 700_000_001n, "differs"],
    ["but 200", allBut("200"), usdc, 500_000_000n, "same"],
    ["but more than there is", allBut("701"), usdc, 0n, "differs"],
    ["of the native token, less gas", all, "native", (oneEth * 95n) / 100n, "same"],
    ["of the native token, less more than gas", all, "native", (oneEth * 94n) / 100n, "differs"],
  ])("%s", (...[, quantity, asset, units, expected]) => {
    expect(judge(quantity, asset, units)).toMatchObject({ slot: "share", outcome: expected });
  });

  test("is named", () => {
    expect(judge(all, usdc, 1n)).toMatchObject({ resolved: "700 USDC" });
    expect(judge(allBut("200"), usdc, 1n)).toMatchObject({ resolved: "500 USDC" });
  });
  test("takes precedence over what the caller says, which is not named", () => {
    const context = { balances: new Map([[usdc, 5n]]) };
    expect(judge(all, usdc, 700_000_000n, worldOf(run(), context)).outcome).toBe("same");
    const said = judge(all, usdc, 5n, worldOf(run({ balances: [] }), context));
    expect([said.outcome, said.resolved]).toEqual(["same", undefined]);
  });
  test.each([
    ["it fails", run({ reverted: "no" })],
    ["it behaves otherwise in another block", run({ diverged: "with another coinbase" })],
    ["the balance did not change", run({ balances: [] })],
    ["the token does not answer", run({ balances: [{ asset: token(usdc), before: null, after: null }] })],
  ])("is not known if %s", (_, simulation) => {
    expect(judge(all, usdc, 700_000_000n, worldOf(simulation))).toMatchObject({ outcome: "cannot_tell" });
  });
  test("is not known if the transaction brings more of it", () => {
    const effect = anEffect({ act: "swap", gets: [flow("native", 1n), flow(usdc, 1n)] });
    const world = { ...aWorld([], [effect]), simulation: run() };
    expect(judge(all, usdc, 700_000_001n, world)).toMatchObject({ outcome: "cannot_tell" });
  });
});

describe("an amount in dollars", () => {
  test.each([
    ["at the feed’s price", dollars("300"), oneEth / 10n, "same"],
    ["3 % more", dollars("300"), (oneEth * 103n) / 1_000n, "same"],
    ["more than 3 % more", dollars("300"), (oneEth * 1_031n) / 10_000n, "differs"],
    ["ten times as much", dollars("300"), oneEth, "differs"],
    ["at most", dollars("300", "most"), oneEth / 10n + 1n, "same"],
    ["above at most", dollars("300", "most"), oneEth / 10n + 10n ** 14n, "differs"],
  ])("%s", (_, quantity, units, expected) => {
    expect(judge(quantity, "native", units)).toMatchObject({
      ...{ slot: "usd", outcome: expected, resolved: "at 3000.00 USD for 1 ETH" },
    });
  });
  test("takes the feed, not the price that the caller sent", () => {
    const world = worldOf(run(), { prices: new Map([["ETH", 30]]) });
    expect(judge(dollars("300"), "native", oneEth * 10n, world).outcome).toBe("differs");
  });
  test.each([
    ["an item has no price", nft(weth, 7n)],
    ["a token of unknown decimals has no worth", token(mallory)],
  ])("%s, whatever the feed says", (_, asset) => {
    const prices = new Map([weth, mallory].map((address) => [address, 10n ** 8n] as const));
    const of = { ...flow("native", 300n), asset };
    expect(judgeAmount(dollars("300"), of, "out", worldOf(run({ prices })))).toMatchObject({
      outcome: "cannot_tell",
    });
  });
  test("of another chain is not that of this chain’s feed", () => {
    const effect = anEffect({ act: "bridge", toChain: 8453 });
    expect(judge(dollars("300"), "native", oneEth / 10n, abroad(effect, worldOf(run()))).outcome).toBe(
      "cannot_tell",
    );
  });
});
