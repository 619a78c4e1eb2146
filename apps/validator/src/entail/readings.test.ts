/** Alternative readings, exact shares, and effects that lending requests imply. */
import { describe, expect, test } from "vitest";
import { exactly, native } from "../effects.ts";
import { judgeAmount } from "./amounts.ts";
import { entail } from "./entail.ts";
import { implied } from "./implied.ts";
import { aStep, aWorld, anEffect, flow, portion, usdc, weth } from "../../test/entail.ts";
import { worth } from "./worth.ts";

const share = { kind: "share", bps: 6666n, ratio: [2n, 3n], of: "balance", span: [0, 1] } as const;

describe("a share of the balance", () => {
  const world = aWorld([], [], { context: { balances: new Map([["native", 3_000_000n]]) } });
  test("is two thirds to the unit, not 66.66 %", () => {
    expect(judgeAmount(share, flow("native", 2_000_000n), "out", world).outcome).toBe("same");
  });
  test("is no more than that", () => {
    expect(judgeAmount(share, flow("native", 2_001_000n), "out", world).outcome).toBe("differs");
  });
});

describe("pledging what is held", () => {
  const pledge = anEffect({ act: "harmless", function: "enterMarkets", venue: "lender", protocol: "lender" });
  const borrow = anEffect({ act: "borrow", venue: "lender", protocol: "lender", gets: [flow(usdc, 5n)] });
  test("is implied by a loan at the same venue", () => {
    expect(implied(pledge, [borrow], aWorld([aStep()], [pledge, borrow]))).not.toBeNull();
  });
  test.each([
    ["by a payment", anEffect({ act: "transfer", gives: [flow("native", 1n)] })],
    ["by a loan elsewhere", { ...borrow, venue: "another" }],
  ])("is not implied %s", (_, other) => {
    expect(implied(pledge, [other], aWorld([aStep()], [pledge, other]))).toBeNull();
  });
  test("is not implied by an unknown contract", () => {
    const stray = { ...pledge, venue: null };
    expect(implied(stray, [borrow], aWorld([aStep()], [stray, borrow]))).toBeNull();
  });
  test("any other call that moves nothing need not be requested", () => {
    const quiet = anEffect({ act: "harmless", function: "balanceOf" });
    expect(implied(quiet, [], aWorld([aStep()], [quiet]))).not.toBeNull();
  });
});

describe("a name of a venue and its token", () => {
  const bought = anEffect({
    act: "swap",
    gives: [flow("native", 15n * 10n ** 17n)],
    gets: [flow(weth, { least: 9n, most: 9n })],
    receiver: "self",
    venue: "uniswap_v3",
  });
  const put = (acts: Parameters<typeof aStep>[0]) =>
    aStep({
      gives: [portion("1.5", "ETH")],
      venues: [{ venue: "lender", mode: "on", span: [0, 4] }],
      ...acts,
    });
  const settled = (words: string, step: ReturnType<typeof aStep>): boolean => {
    const world = aWorld([step], [bought]);
    const read = entail({ ...world, proposal: { ...world.proposal, words } });
    const compared = read.comparisons.filter(({ slot }) => slot !== "worth");
    return compared.every(({ outcome }) => outcome === "same") && read.unlicensed.length === 0;
  };
  test("in capitals may be the asset that is bought, if the verb can buy", () => {
    expect(settled("WETH", put({ acts: ["supply", "swap"] }))).toBe(true);
  });
  test("written as a name is the venue", () => {
    expect(settled("Weth", put({ acts: ["supply", "swap"] }))).toBe(false);
  });
  test("is the venue for a verb that never buys", () => {
    expect(settled("WETH", put({ acts: ["supply"] }))).toBe(false);
  });
});

describe("worth in dollars", () => {
  const world = aWorld([], [], { context: { prices: new Map([["ETH", 3000]]) } });
  test("is a dollar for a well-known dollar without a price", () => {
    expect(worth(flow(usdc, 1n).asset, 2_000_000n, world)).toBe(2);
  });
  test("is the native token's for its wrapped form", () => {
    expect(worth(flow(weth, 1n).asset, 10n ** 18n, world)).toBe(3000);
  });
  test("is unknown if neither price nor decimals are known", () => {
    expect(worth({ kind: "unsaid", why: "" }, 1n, world)).toBeNull();
    expect(worth(native, 1n, aWorld([], []))).toBeNull();
  });
});

test("liquidity is offered in the requested amount, of which the pool may leave some", () => {
  const offered = {
    asset: native,
    amount: { least: 9n * 10n ** 17n, most: 10n ** 18n },
    where: anEffect({}).where,
  };
  const add = anEffect({ act: "add_liquidity", gives: [offered], receiver: "self", venue: "uniswap_v3" });
  const step = aStep({ acts: ["add_liquidity"], gives: [portion("1", "ETH")] });
  const outcome = (effect: typeof add) =>
    entail(aWorld([step], [effect])).comparisons.find(({ slot }) => slot === "amount")?.outcome;
  expect(outcome(add)).toBe("same");
  expect(outcome({ ...add, gives: [{ ...offered, amount: exactly(2n * 10n ** 18n) }] })).toBe("differs");
});
