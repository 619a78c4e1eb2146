/** The amount in the transaction against the amount in the request. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_UINT, nft, token, unsaid, type Flow } from "../effects.ts";
import type { Decimal, Quantity, Span } from "../intent.ts";
import type { Context } from "../proposal.ts";
import { judgeAmount, type Sense } from "./amounts.ts";
import { aWorld, dec, exact, flow, mallory, usdc, weth } from "../../test/entail.ts";

const span: Span = [0, 1];
const moved = (least: bigint, most = least): Flow => flow(usdc, { least, most });
const all: Flow = flow(usdc, { least: 0n, most: MAX_UINT, everything: true });
const judge = (quantity: Quantity, of: Flow, sense: Sense, context: Partial<Context> = {}) =>
  judgeAmount(quantity, of, sense, aWorld([], [], { context }));
const outcome = (...given: Parameters<typeof judge>): string => judge(...given).outcome;

const about = (text: string): Quantity => ({ kind: "about", n: dec(text), span });
const most = (text: string): Quantity => ({ kind: "most", n: dec(text), span });
const least = (text: string): Quantity => ({ kind: "least", n: dec(text), span });
const between = (low: string, high: string): Quantity => ({
  kind: "range",
  least: dec(low),
  most: dec(high),
  span,
});

describe("a number, 100 USDC of 6 decimals", () => {
  test.each<[string, Quantity, Flow, Sense, string]>([
    ["exactly 100", exact("100"), moved(100_000_000n), "out", "same"],
    ["exactly 100 and one unit more", exact("100"), moved(100_000_001n), "out", "differs"],
    ["exactly 100 and one unit less", exact("100"), moved(99_999_999n), "out", "differs"],
    ["exactly 100 and possibly more", exact("100"), moved(100_000_000n, 100_000_001n), "out", "differs"],
    ["exactly 100 and possibly less", exact("100"), moved(99_999_999n, 100_000_000n), "out", "differs"],
    ["exactly 100 arriving", exact("100"), moved(100_000_000n), "in", "same"],
    ["exactly 100 and everything leaves", exact("100"), all, "out", "differs"],
    ["a minimum of 100 that is met", exact("100"), moved(100_000_000n, MAX_UINT), "floor", "same"],
    ["a minimum of 100 that is exceeded", exact("100"), moved(100_000_001n, MAX_UINT), "floor", "same"],
    ["a minimum one unit short", exact("100"), moved(99_999_999n, MAX_UINT), "floor", "differs"],
    ["at least 100 as a minimum", least("100"), moved(100_000_000n, MAX_UINT), "floor", "same"],
    ["at least 100, one unit short", least("100"), moved(99_999_999n, MAX_UINT), "floor", "differs"],
    ["at most 100 is no minimum", most("100"), moved(0n, MAX_UINT), "floor", "same"],
    ["a minimum of 100 and everything arrives", exact("100"), all, "floor", "differs"],
    ["at most 100 and 100 leave", most("100"), moved(100_000_000n), "out", "same"],
    ["at most 100 and less leaves", most("100"), moved(1n), "out", "same"],
    ["at most 100 and one unit more leaves", most("100"), moved(0n, 100_000_001n), "out", "differs"],
    [
      "at most 100 and everything leaves",
      most("100"),
      { ...all, amount: { least: 0n, most: 0n, everything: true } },
      "out",
      "differs",
    ],
    ["at least 100 and 100 leave", least("100"), moved(100_000_000n), "out", "same"],
    ["at least 100 and 2 % more leave", least("100"), moved(102_000_000n), "out", "same"],
    ["at least 100 and over 2 % more leave", least("100"), moved(102_000_001n), "out", "differs"],
    [
      "at least 100 and one unit less leaves",
      least("100"),
      moved(99_999_999n, 100_000_000n),
      "out",
      "differs",
    ],
    ["at least 100 and any more arrives", least("100"), moved(100_000_000n, MAX_UINT), "in", "same"],
    ["at least 100 and one unit less arrives", least("100"), moved(99_999_999n, MAX_UINT), "in", "differs"],
    ["about 100 and 2 % more leave", about("100"), moved(0n, 102_000_000n), "out", "same"],
    ["about 100 and over 2 % more leave", about("100"), moved(100_000_000n, 102_000_001n), "out", "differs"],
    ["about 100 and 2 % less leave", about("100"), moved(98_000_000n), "out", "same"],
    ["about 100 and over 2 % less leave", about("100"), moved(97_999_999n), "out", "differs"],
    ["about 0 and nothing leaves", about("0"), moved(0n), "out", "differs"],
    ["about 0 and nothing arrives", about("0"), moved(0n), "in", "same"],
    ["about 100 and 2 % less arrives", about("100"), moved(98_000_000n, 100_000_000n), "in", "same"],
    ["about 100 and over 2 % less arrives", about("100"), moved(97_999_999n, 100_000_000n), "in", "differs"],
    ["about 100 and over 2 % more arrives", about("100"), moved(100_000_000n, 102_000_001n), "in", "differs"],
    [
      "between 90 and 100, at both ends",
      between("90", "100"),
      moved(90_000_000n, 100_000_000n),
      "out",
      "same",
    ],
    [
      "between 90 and 100, one unit below",
      between("90", "100"),
      moved(89_999_999n, 100_000_000n),
      "out",
      "differs",
    ],
    [
      "between 90 and 100, one unit above",
      between("90", "100"),
      moved(90_000_000n, 100_000_001n),
      "out",
      "differs",
    ],
    ["a lower end finer than the token", between("0.0000001", "100"), moved(90_000_000n), "out", "differs"],
    ["an upper end finer than the token", between("0", "100.0000001"), moved(90_000_000n), "out", "differs"],
    [
      "an upper end finer than the token, and nothing",
      between("0", "0.0000001"),
      moved(0n),
      "out",
      "differs",
    ],
    ["at most a number finer than the token", most("0.0000001"), moved(0n), "out", "differs"],
    ["a number finer than the token", exact("0.0000001"), moved(0n), "out", "differs"],
  ])("%s: %#", (...[, quantity, of, sense, expected]) => {
    expect(outcome(quantity, of, sense)).toBe(expected);
  });
  test.each<[Sense, string]>([
    ["out", "amount"],
    ["in", "amount_out"],
    ["floor", "amount_out"],
  ])("reports %s in its slot", (sense, slot) => {
    for (const quantity of [
      exact("100"),
      exact("7"),
      exact("0.0000001"),
      about("100"),
      between("1", "100"),
      between("1", "0.0000001"),
      { kind: "raw", n: 100_000_000n, span } as const,
      { kind: "unlimited", span } as const,
      { kind: "vague", said: "some", span } as const,
    ])
      expect(judge(quantity, moved(100_000_000n), sense).slot).toBe(slot);
  });
  test("is exact with full confidence and approximate with less", () => {
    expect(judge(exact("100"), moved(100_000_000n), "out")).toEqual({
      slot: "amount",
      outcome: "same",
      confidence: 1,
      why: "",
    });
    expect(judge(about("100"), moved(100_000_000n), "out").confidence).toBe(0.9);
    expect(judge(exact("7"), moved(100_000_000n), "out")).toEqual({
      slot: "amount",
      outcome: "differs",
      confidence: 1,
      why: "",
    });
  });
  test("differs in every other exact amount", () => {
    const amount = fc.bigInt(0n, 10n ** 40n);
    fc.assert(
      fc.property(amount, amount, (said, sent) => {
        const quantity: Quantity = { kind: "exact", n: { digits: said, scale: 0 }, others: [], span };
        const units = said * 1_000_000n;
        expect(outcome(quantity, moved(units), "out")).toBe("same");
        expect(outcome(quantity, moved(sent), "out")).toBe(sent === units ? "same" : "differs");
      }),
    );
  });
});

describe("a number printed with at least three decimals", () => {
  const third = exact("0.3333");
  test.each<[string, Quantity, bigint, bigint, string]>([
    ["may be short by 0.05 %", third, 333_134n, 333_134n, "same"],
    ["may not be short by more", third, 333_133n, 333_133n, "differs"],
    ["may not be exceeded by one unit", third, 333_301n, 333_301n, "differs"],
    ["may not be short by an open amount", third, 333_133n, 333_299n, "differs"],
    ["may be short with three places", exact("0.333"), 332_999n, 332_999n, "same"],
    ["may not be short with two places", exact("0.33"), 329_999n, 329_999n, "differs"],
  ])("%s", (...[, quantity, low, high, expected]) => {
    const judged = judge(quantity, moved(low, high), "out");
    expect(judged.outcome).toBe(expected);
    expect(judged.confidence).toBe(expected === "same" ? 0.9 : 1);
  });
});

describe("an asset whose decimals are unknown", () => {
  test.each([
    ["a token", token(mallory), `unknown token ${mallory}`],
    ["an asset without a name", unsaid("a pool"), "an asset that the transaction does not name"],
  ])("%s cannot be compared with a number", (_, asset, name) => {
    expect(judge(exact("1"), { ...moved(1n), asset }, "out")).toEqual({
      slot: "amount",
      outcome: "cannot_tell",
      confidence: 1,
      why: `we do not know how many decimals ${name} has`,
    });
    expect(judge(exact("1"), { ...moved(1n), asset }, "in").slot).toBe("amount_out");
  });
  test("an NFT counts in pieces", () => {
    const piece = { ...moved(2n), asset: nft(mallory, 7n) };
    expect(outcome(exact("2"), piece, "out")).toBe("same");
    expect(outcome(exact("3"), piece, "out")).toBe("differs");
  });
});

describe("quantities that are not decimal numbers", () => {
  test.each<[string, bigint, bigint, string]>([
    ["the same units", 5n, 5n, "same"],
    ["one unit less at least", 4n, 5n, "differs"],
    ["one unit more at most", 5n, 6n, "differs"],
  ])("base units: %s", (_, low, high, expected) => {
    expect(outcome({ kind: "raw", n: 5n, span }, moved(low, high), "out")).toBe(expected);
  });
  test.each<[string, bigint, string]>([
    ["the same units", 5n, "same"],
    ["more units", 6n, "same"],
    ["one unit less", 4n, "differs"],
  ])("base units that must arrive: %s", (_, low, expected) => {
    expect(outcome({ kind: "raw", n: 5n, span }, moved(low, MAX_UINT), "floor")).toBe(expected);
    expect(outcome({ kind: "raw", n: 5n, span }, moved(low, MAX_UINT), "in")).toBe("differs");
  });
  test("an unlimited amount allows any amount", () => {
    expect(judge({ kind: "unlimited", span }, moved(0n, MAX_UINT), "out")).toMatchObject({
      outcome: "same",
      confidence: 0.95,
    });
  });
  test("a vague amount cannot be compared", () => {
    expect(judge({ kind: "vague", said: "a bit", span }, moved(1n), "out")).toMatchObject({
      outcome: "cannot_tell",
      why: "“a bit” is not an amount",
    });
  });
});

const half = { kind: "share", bps: 5000n, of: "balance", span } as const;
const whole = { kind: "share", bps: 10_000n, of: "balance", span } as const;
const third = { kind: "share", bps: 3333n, ratio: [1n, 3n], of: "balance", span } as const;
const everyUnit: Quantity = { kind: "all", except: null, span };
const allBut = (except: Decimal): Quantity => ({ kind: "all", except, span });

describe("a share of the balance", () => {
  const coin = (least: bigint, most = least): Flow => flow("native", { least, most });
  const held = {
    balances: new Map([
      [usdc, 2_000_000n],
      ["native", 10_000n],
    ]) as NonNullable<Context["balances"]>,
  };
  test.each<[string, Quantity, Flow, string]>([
    ["half", half, moved(1_000_000n), "same"],
    ["half and 0.01 % more", half, moved(1_000_100n), "same"],
    ["half and over 0.01 % more", half, moved(1_000_101n), "differs"],
    ["half and over 0.01 % less", half, moved(999_899n), "differs"],
    ["half, but the least is open", half, moved(999_999n, 1_000_000n), "differs"],
    ["half of the native token", half, coin(5000n), "same"],
    ["a third by its ratio", third, moved(666_666n), "same"],
    ["a third by its hundredths only", third, moved(666_600n), "same"],
    ["a third and over 0.01 % less", third, moved(666_599n), "differs"],
    ["all of a token", everyUnit, moved(2_000_000n), "same"],
    ["all of a token but one unit", everyUnit, moved(1_999_999n), "differs"],
    ["one unit more than all of a token", everyUnit, moved(2_000_001n), "differs"],
    ["100 % of a token", whole, moved(2_000_000n), "same"],
    ["100 % of a token but one unit", whole, moved(1_999_999n), "differs"],
    ["all of the native token less gas", everyUnit, coin(9500n), "same"],
    ["all of the native token less over 5 %", everyUnit, coin(9499n), "differs"],
    ["more than all of the native token", everyUnit, coin(10_001n), "differs"],
    ["all but 0.5", allBut(dec("0.5")), moved(1_500_000n), "same"],
    ["all but 0.5 and 0.01 % more", allBut(dec("0.5")), moved(1_500_150n), "same"],
    ["all but 0.5 and over 0.01 % more", allBut(dec("0.5")), moved(1_500_151n), "differs"],
    ["all but the whole balance", allBut(dec("2")), moved(0n), "same"],
    ["all but more than the balance", allBut(dec("2.000001")), moved(0n), "differs"],
    ["all but a number finer than the token", allBut(dec("0.0000001")), moved(2_000_000n), "differs"],
  ])("%s", (_, quantity, of, expected) => {
    const judged = judge(quantity, of, "out", held);
    expect(judged).toMatchObject({ slot: "share", outcome: expected });
    expect(judged.confidence).toBe(expected === "same" ? 0.95 : 1);
  });
  test.each<[string, Quantity, Sense]>([
    ["of a debt", { ...half, of: "debt" }, "out"],
    ["of an amount that arrives", half, "in"],
    ["of an amount that arrives at least", half, "floor"],
    ["of all that arrives", everyUnit, "in"],
  ])("%s is not a share of what the account holds", (_, quantity, sense) => {
    expect(outcome(quantity, moved(1_000_000n), sense, held)).toBe("cannot_tell");
    expect(outcome(quantity, moved(2_000_000n), sense, held)).toBe("cannot_tell");
  });
  test("of a position is a share of the position's token", () => {
    expect(outcome({ ...half, of: "position" }, moved(1_000_000n), "out", held)).toBe("same");
  });
  test("of a token with unknown decimals cannot leave out a number", () => {
    const balances = new Map([[mallory, 2n]]) as NonNullable<Context["balances"]>;
    expect(outcome(allBut(dec("1")), flow(mallory, 1n), "out", { balances })).toBe("differs");
    expect(outcome(everyUnit, flow(mallory, 2n), "out", { balances })).toBe("same");
  });
  test.each<[string, Flow, Partial<Context>]>([
    ["no balances were sent", moved(1_000_000n), {}],
    ["the balance of another token was sent", flow(weth, 1_000_000n), held],
    ["the transaction does not name the asset", { ...moved(1n), asset: unsaid("") }, held],
  ])("cannot be compared if %s", (_, of, context) => {
    expect(judge(half, of, "out", context)).toEqual({
      slot: "share",
      outcome: "cannot_tell",
      confidence: 1,
      why: "the balance it is a share of is not known (metadata.state, metadata.balances)",
    });
  });
  test.each<[string, Quantity, string]>([
    ["all", everyUnit, "same"],
    ["100 %", whole, "same"],
    ["half", half, "differs"],
    ["all but a part", allBut(dec("0.5")), "differs"],
  ])("if the protocol takes everything, %s is checked without a balance", (_, quantity, expected) => {
    expect(judge(quantity, all, "out")).toMatchObject({ slot: "share", outcome: expected, confidence: 1 });
  });
});

describe("an amount in dollars", () => {
  const fiat = (
    bound: "exact" | "about" | "most" | "least",
    currency: "USD" | "EUR" | "GBP" = "USD",
  ): Quantity => ({ kind: "fiat", n: dec("100"), currency, bound, span });
  test.each<[string, Quantity, bigint, string]>([
    ["100 dollars", fiat("exact"), 100_000_000n, "same"],
    ["100 dollars, 3 % more", fiat("exact"), 103_000_000n, "same"],
    ["100 dollars, over 3 % more", fiat("exact"), 103_000_001n, "differs"],
    ["100 dollars, 3 % less", fiat("exact"), 97_000_000n, "same"],
    ["100 dollars, over 3 % less", fiat("exact"), 96_999_999n, "differs"],
    ["about 100 dollars, over 3 % more", fiat("about"), 103_000_001n, "differs"],
    ["at most 100 dollars", fiat("most"), 100_000_000n, "same"],
    ["at most 100 dollars, one unit more", fiat("most"), 100_000_001n, "differs"],
    ["at most 100 dollars, nothing", fiat("most"), 0n, "same"],
    ["at least 100 dollars, 3 % more", fiat("least"), 103_000_000n, "same"],
    ["at least 100 dollars, over 3 % more", fiat("least"), 103_000_001n, "differs"],
    ["at least 100 dollars, over 3 % less", fiat("least"), 96_999_999n, "differs"],
    ["100 euros have no price", fiat("exact", "EUR"), 100_000_000n, "cannot_tell"],
  ])("%s", (_, quantity, units, expected) => {
    const judged = judge(quantity, moved(units), "out");
    expect(judged).toMatchObject({ slot: "usd", outcome: expected });
    expect(judged.confidence).toBe(expected === "same" ? 0.9 : 1);
  });
  test.each<[string, bigint, bigint, Sense, string]>([
    ["leaves in the worst case", 0n, 100_000_000n, "out", "same"],
    ["leaves in the best case", 100_000_000n, 103_000_001n, "out", "differs"],
    ["is guaranteed to arrive", 97_000_000n, 103_000_000n, "in", "same"],
    ["is not guaranteed to arrive", 96_999_999n, 100_000_000n, "in", "differs"],
    ["is not a guaranteed minimum", 96_999_999n, 100_000_000n, "floor", "differs"],
  ])("is the amount that %s", (...[, low, high, sense, expected]) => {
    expect(outcome(fiat("exact"), moved(low, high), sense)).toBe(expected);
  });
  test("needs a price", () => {
    expect(judge(fiat("exact"), flow("native", 1n), "out")).toMatchObject({
      slot: "usd",
      outcome: "cannot_tell",
      why: "no price is known to convert it (metadata.state, metadata.prices_usd)",
    });
  });
});
