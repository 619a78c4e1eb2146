/** Quantities of the request after the act, its fees and the slippage are taken into account. */
import { describe, expect, test } from "vitest";
import { MAX_UINT, token, type Effect, type Fee, type Flow } from "../effects.ts";
import type { Quantity, Span, Step } from "../intent.ts";
import type { Simulation } from "../simulation.ts";
import type { Sense } from "./amounts.ts";
import { compareQuantity, fromBefore } from "./compare-quantities.ts";
import {
  aStep,
  aWorld,
  anEffect,
  dec,
  exact,
  flow,
  mallory,
  me,
  symbol,
  usdc,
  weth,
} from "../../test/entail.ts";
import type { World } from "./world.ts";

const span: Span = [3, 7];
const said = (text: string): Quantity => ({ kind: "exact", n: dec(text), others: [], span });
const shown = { asked: "100 USDC", does: "7 USDC", words: [0, 1] as const, where: null };
const moved = (least: bigint, most = least): Flow => flow(usdc, { least, most });

const compare = (
  quantity: Quantity | null,
  of: Flow,
  sense: Sense = "out",
  ...[effect = anEffect({}), world = aWorld([], [effect])]: readonly [effect?: Effect, world?: World]
) =>
  compareQuantity({ asset: symbol("USDC"), quantity }, of, sense, {
    effect,
    wrapping: false,
    world,
    shown,
  });
const outcome = (...given: Parameters<typeof compare>): string | undefined => compare(...given)[0]?.outcome;

describe("the outcome", () => {
  test("of no quantity is empty", () => {
    expect(compare(null, moved(1n))).toEqual([]);
  });
  test("of the same amount needs no fix and points at the quantity", () => {
    expect(compare(said("100"), moved(100_000_000n))).toEqual([
      { ...shown, slot: "amount", outcome: "same", words: span, confidence: 1, fix: "" },
    ]);
  });
  test("of all names what the account holds in the proven state, if there is one", () => {
    const all: Quantity = { kind: "all", except: null, span };
    const effect = anEffect({});
    const world = aWorld([], [effect]);
    const balances = [{ asset: token(usdc), before: 7_000_000n, after: 0n }];
    const simulation = { reverted: null, diverged: null, balances } as unknown as Simulation;
    const proven = compare(all, moved(7_000_000n), "out", effect, { ...world, simulation })[0];
    expect(proven).toMatchObject({ outcome: "same", asked: "100 USDC (7 USDC)" });
    const other = compare(all, moved(6_000_000n), "out", effect, { ...world, simulation })[0];
    expect(other).toMatchObject({ outcome: "differs", fix: "Change the amount to 100 USDC (7 USDC)." });
    expect(compare(all, moved(1n), "out", effect, world)[0]?.asked).toBe("100 USDC");
  });
  test("of another amount names the amount to use", () => {
    expect(compare(said("100"), moved(100_000_001n))).toEqual([
      {
        ...shown,
        slot: "amount",
        outcome: "differs",
        words: span,
        confidence: 1,
        fix: "Change the amount to 100 USDC.",
      },
    ]);
  });
  test("of a vague amount asks for a number", () => {
    expect(compare({ kind: "vague", said: "some", span }, moved(1n))).toEqual([
      {
        ...shown,
        slot: "amount",
        outcome: "cannot_tell",
        words: span,
        confidence: 1,
        fix: "State the amount as a number: “some” is not an amount.",
      },
    ]);
  });
});

describe("a minimum that the request states as expected", () => {
  const swap = anEffect({ act: "swap" });
  const floor = (least: bigint): Flow => moved(least, MAX_UINT);
  const slipping = (bps: bigint | null): Step =>
    aStep({ slippageBps: bps === null ? null : { value: bps, span } });
  test.each<[string, Quantity, bigint, Effect, readonly Step[], string]>([
    ["may be 5 % lower", said("100"), 95_000_000n, swap, [], "same"],
    ["may not be lower than that", said("100"), 94_999_999n, swap, [], "differs"],
    ["may be 5 % lower about", { kind: "about", n: dec("100"), span }, 95_000_000n, swap, [], "same"],
    ["may not be lower about", { kind: "about", n: dec("100"), span }, 94_999_999n, swap, [], "differs"],
    ["may be lower by the slippage stated", said("100"), 99_000_000n, swap, [slipping(100n)], "same"],
    [
      "may not be lower than the slippage stated",
      said("100"),
      98_999_999n,
      swap,
      [slipping(100n)],
      "differs",
    ],
    [
      "takes the slippage of any step",
      said("100"),
      98_999_999n,
      swap,
      [slipping(null), slipping(100n)],
      "differs",
    ],
    ["is lowered by 99.99 %", said("100"), 10_000n, swap, [slipping(9999n)], "same"],
    ["is not lowered by 100 %", said("100"), 99_999_999n, swap, [slipping(10_000n)], "differs"],
    ["is met despite 100 %", said("100"), 100_000_000n, swap, [slipping(10_000n)], "same"],
    ["is exact for “at least”", { kind: "least", n: dec("100"), span }, 99_999_999n, swap, [], "differs"],
    ["holds for “at least”", { kind: "least", n: dec("100"), span }, 100_000_000n, swap, [], "same"],
    [
      "may be 5 % lower in an order to swap",
      said("100"),
      95_000_000n,
      anEffect({ act: "swap", terms: { order: true } }),
      [],
      "same",
    ],
    [
      "is exact in any other order",
      said("100"),
      99_999_999n,
      anEffect({ act: "bridge", terms: { order: true } }),
      [],
      "differs",
    ],
    ["may be 5 % lower in a bridge", said("100"), 95_000_000n, anEffect({ act: "bridge" }), [], "same"],
  ])("%s", (...[, quantity, least, effect, steps, expected]) => {
    expect(outcome(quantity, floor(least), "floor", effect, aWorld(steps, [effect]))).toBe(expected);
  });
  test("is not lowered if the amount arrives exactly", () => {
    expect(outcome(said("100"), moved(95_000_000n), "in", swap)).toBe("differs");
    expect(
      outcome({ kind: "about", n: dec("100"), span }, moved(97_000_000n, 100_000_000n), "in", swap),
    ).toBe("differs");
  });
  test("is not lowered for an amount that leaves", () => {
    expect(outcome(said("100"), moved(95_000_000n), "out", swap)).toBe("differs");
  });
});

describe("an exact return", () => {
  const exactOut = anEffect({ act: "swap", terms: { exactOut: true } });
  const wanting = (quantity: Quantity | null): Step => aStep({ gets: [{ asset: symbol("WETH"), quantity }] });
  const upTo = moved(0n, 90_000_000n);
  test.each<[string, Quantity, Effect, readonly Step[], Flow, string]>([
    ["makes the price a limit", said("100"), exactOut, [wanting(exact("1"))], upTo, "same"],
    [
      "that may not be exceeded by one unit",
      said("100"),
      exactOut,
      [wanting(exact("1"))],
      moved(0n, 100_000_001n),
      "differs",
    ],
    ["must have been asked for", said("100"), exactOut, [wanting(null)], upTo, "differs"],
    [
      "must have been asked for as a number",
      said("100"),
      exactOut,
      [wanting({ kind: "about", n: dec("1"), span })],
      upTo,
      "differs",
    ],
    [
      "may be any of several portions",
      said("100"),
      exactOut,
      [wanting(null), wanting(exact("1"))],
      upTo,
      "same",
    ],
    [
      "must be what the transaction does",
      said("100"),
      anEffect({ act: "swap" }),
      [wanting(exact("1"))],
      upTo,
      "differs",
    ],
    [
      "must not be denied by the transaction",
      said("100"),
      anEffect({ act: "swap", terms: { exactOut: false } }),
      [wanting(exact("1"))],
      upTo,
      "differs",
    ],
    [
      "does not loosen “at least”",
      { kind: "least", n: dec("100"), span },
      exactOut,
      [wanting(exact("1"))],
      upTo,
      "differs",
    ],
  ])("%s", (...[, quantity, effect, steps, of, expected]) => {
    expect(outcome(quantity, of, "out", effect, aWorld(steps, [effect]))).toBe(expected);
  });
  test("may be one of two returns of a step", () => {
    const gets = [
      { asset: symbol("WETH"), quantity: null },
      { asset: symbol("WETH"), quantity: exact("1") },
    ];
    expect(outcome(said("100"), upTo, "out", exactOut, aWorld([aStep({ gets })], [exactOut]))).toBe("same");
  });
  test("is not loosened itself", () => {
    expect(outcome(said("100"), upTo, "in", exactOut, aWorld([wanting(exact("1"))], [exactOut]))).toBe(
      "differs",
    );
  });
});

describe("liquidity", () => {
  const add = anEffect({ act: "add_liquidity" });
  test("is offered up to the amount in the request", () => {
    expect(outcome(said("100"), moved(90_000_000n, 100_000_000n), "out", add)).toBe("same");
    expect(outcome(said("100"), moved(90_000_000n, 100_000_001n), "out", add)).toBe("differs");
    expect(outcome(said("100"), moved(90_000_000n, 99_999_999n), "out", add)).toBe("differs");
  });
  test("must arrive in the amount in the request", () => {
    expect(outcome(said("100"), moved(90_000_000n, 100_000_000n), "in", add)).toBe("differs");
  });
  test("is the only act that may use less than the amount", () => {
    expect(outcome(said("100"), moved(90_000_000n, 100_000_000n), "out", anEffect({ act: "supply" }))).toBe(
      "differs",
    );
  });
});

describe("a sale of an NFT", () => {
  const fee = (asset: Fee["asset"], share: Fee["share"]): Fee => ({
    to: mallory,
    asset,
    share,
    where: { call: "proposed_tx", field: "fee" },
  });
  const selling = (...fees: readonly Fee[]): Effect => anEffect({ act: "sell_nft", fees });
  const two = { least: 2_000_000n, most: 3_000_000n };
  test.each<[string, Effect, bigint, string]>([
    ["is priced with the fees the marketplace keeps", selling(fee(token(usdc), two)), 98_000_000n, "same"],
    ["is priced with the least of the fees", selling(fee(token(usdc), two)), 97_999_999n, "differs"],
    ["adds all fees", selling(fee(token(usdc), two), fee(token(usdc), two)), 96_000_000n, "same"],
    ["does not add fees in another token", selling(fee(token(weth), two)), 98_000_000n, "differs"],
    ["does not add fees by share", selling(fee(token(usdc), { bps: 200n })), 98_000_000n, "differs"],
    ["is exact without fees", selling(), 100_000_000n, "same"],
    ["is not lowered by slippage", selling(), 95_000_000n, "differs"],
  ])("%s", (_, effect, least, expected) => {
    expect(outcome(said("100"), moved(least, MAX_UINT), "floor", effect)).toBe(expected);
  });
});

describe("the output of an earlier effect", () => {
  const brought = (least: bigint, of: typeof usdc | "native" = usdc): Effect =>
    anEffect({ act: "withdraw", gets: [flow(of, { least, most: MAX_UINT })] });
  const spending = anEffect({ act: "supply", gives: [moved(100n)] });
  const everything: Flow = flow(usdc, { least: 0n, most: MAX_UINT, everything: true });
  test.each<[string, readonly Effect[], Flow, boolean]>([
    ["covers exactly as much", [brought(100n), spending], moved(100n), true],
    ["does not cover one unit more", [brought(100n), spending], moved(0n, 101n), false],
    ["covers everything", [brought(100n), spending], everything, true],
    ["does not cover another token", [brought(100n, weth), spending], moved(100n), false],
    ["does not cover the native token", [brought(100n, "native"), spending], everything, false],
    ["must come before", [spending, brought(100n)], moved(100n), false],
    ["may come with others", [brought(1n), brought(100n), spending], moved(100n), true],
    [
      "may be the second thing to arrive",
      [anEffect({ gets: [flow(weth, 1n), moved(100n)] }), spending],
      moved(100n),
      true,
    ],
    ["may arrive on this chain", [{ ...brought(100n), toChain: 1 }, spending], moved(100n), true],
    ["may not arrive on another chain", [{ ...brought(100n), toChain: 8453 }, spending], moved(100n), false],
    ["may arrive at the own address", [{ ...brought(100n), receiver: me }, spending], moved(100n), true],
    ["may arrive at the own account", [{ ...brought(100n), receiver: "self" }, spending], moved(100n), true],
    ["may stay at the venue", [{ ...brought(100n), receiver: "venue" }, spending], moved(100n), true],
    [
      "may not arrive at another party",
      [{ ...brought(100n), receiver: mallory }, spending],
      moved(100n),
      false,
    ],
    ["must exist", [spending], moved(100n), false],
  ])("%s", (_, effects, of, covered) => {
    expect(fromBefore(spending, of, aWorld([], effects))).toBe(covered);
  });

  test("may arrive at the account that the owner acts through", () => {
    const world = aWorld([], [{ ...brought(100n), receiver: mallory }, spending]);
    const reading = { ...world.reading, accounts: [mallory] };
    expect(fromBefore(spending, moved(100n), { ...world, reading })).toBe(true);
  });

  const rest: Quantity = { kind: "all", except: null, span };
  const two = [aStep(), aStep()];
  const world = aWorld(two, [brought(100n), spending]);
  test("may be spent as “all of it”", () => {
    expect(compare(rest, moved(100n), "out", spending, world)).toEqual([
      { ...shown, slot: "share", outcome: "same", words: span, confidence: 0.85, fix: "" },
    ]);
  });
  test.each<[string, Quantity, Flow, World]>([
    ["one unit more", rest, moved(101n), world],
    ["all but a part", { kind: "all", except: dec("0"), span }, moved(100n), world],
    ["a share of all", { kind: "share", bps: 10_000n, of: "balance", span }, moved(100n), world],
    ["a single step", rest, moved(100n), aWorld([aStep()], [brought(100n), spending])],
  ])("is not “all of it” for %s", (_, quantity, of, in_) => {
    expect(outcome(quantity, of, "out", spending, in_)).toBe("cannot_tell");
  });
});
