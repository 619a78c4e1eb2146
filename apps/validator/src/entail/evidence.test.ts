import { describe, expect, test } from "vitest";
import type { ChoiceKind } from "../choices.ts";
import { MAX_UINT, unsaid, type Choice, type Effect, type Flow } from "../effects.ts";
import type { Quantity, Step } from "../intent.ts";
import type { Context } from "../proposal.ts";
import { entail } from "./entail.ts";
import {
  aStep,
  aWorld,
  address,
  anEffect,
  bob,
  dec,
  exact,
  flow,
  mallory,
  portion,
  router,
  symbol,
  usdc,
} from "../../test/entail.ts";

const outcomeOf = (
  slot: "worth" | "choice" | "action",
  world: Parameters<typeof entail>[0],
): readonly string[] =>
  entail(world)
    .comparisons.filter((one) => one.slot === slot)
    .map(({ outcome }) => outcome);

describe("the return of a swap", () => {
  const swapped = (least: bigint): Effect =>
    anEffect({
      act: "swap",
      gives: [flow(usdc, 3_000_000_000n)],
      gets: [flow("native", { least, most: MAX_UINT })],
      receiver: "self",
      venue: "uniswap_v3",
      target: router,
    });
  const swap = (quantity: Quantity | null, more: Partial<Step> = {}): Step =>
    aStep({
      acts: ["swap"],
      verb: { word: "swap", span: [0, 4] },
      gives: [portion("3000", "USDC")],
      gets: [{ asset: symbol("ETH"), quantity }],
      ...more,
    });
  const worth = (step: Step, least: bigint, context: Partial<Context> = {}) =>
    outcomeOf("worth", aWorld([step], [swapped(least)], { context }));
  const at = (price: number): Partial<Context> => ({ prices: new Map([["ETH", price]]) });
  const ONE = 10n ** 18n;

  test("is not checked without a floor in the request and without prices", () => {
    expect(worth(swap(null), ONE)).toEqual(["cannot_tell"]);
  });
  test.each([
    ["exactly", exact("1")],
    ["at least", { kind: "least", n: dec("1"), span: [5, 6] }],
    ["about", { kind: "about", n: dec("1"), span: [5, 6] }],
  ] as const)("is bounded by a request that says %s", (_, quantity) => {
    expect(worth(swap(quantity), ONE)).toEqual(["same"]);
  });
  test("is not bounded by “at most”", () => {
    expect(worth(swap({ kind: "most", n: dec("1"), span: [5, 6] }), ONE)).toEqual(["cannot_tell"]);
  });
  test("is fair if prices show it, within the operator's limit of 5 %", () => {
    expect(worth(swap(null), (ONE * 95n) / 100n, at(3000))).toEqual(["same"]);
    expect(worth(swap(null), (ONE * 9499n) / 10_000n, at(3000))).toEqual(["differs"]);
  });
  test("a hundred times too low is a contradiction once a price is known, and not checked before", () => {
    expect(worth(swap(null), ONE / 100n, at(3000))).toEqual(["differs"]);
    expect(worth(swap(null), ONE / 100n)).toEqual(["cannot_tell"]);
  });
  test("is held to the slippage that the request states", () => {
    const tight = swap(null, { slippageBps: { value: 50n, span: [9, 12] } });
    expect(worth(tight, (ONE * 995n) / 1000n, at(3000))).toEqual(["same"]);
    expect(worth(tight, (ONE * 99n) / 100n, at(3000))).toEqual(["differs"]);
  });
});

test("the dollar value of what a swap gives is not a minimum for its return", () => {
  const quantity: Quantity = { kind: "fiat", n: dec("3000"), currency: "USD", bound: "exact", span: [5, 10] };
  const step = aStep({
    acts: ["swap"],
    gives: [{ asset: symbol("ETH"), quantity }],
    gets: [{ asset: symbol("USDC"), quantity: null }],
  });
  const swapped = (least: bigint): Effect =>
    anEffect({
      act: "swap",
      gives: [flow("native", 10n ** 18n)],
      gets: [flow(usdc, { least, most: MAX_UINT })],
      receiver: "self",
    });
  const context = { prices: new Map([["ETH", 3000]]) };
  expect(outcomeOf("worth", aWorld([step], [swapped(2_850_000_000n)], { context }))).toEqual(["same"]);
  expect(outcomeOf("worth", aWorld([step], [swapped(2n)], { context }))).toEqual(["differs"]);
});

describe("the part that a bridge keeps", () => {
  const bridged = (least: bigint): Effect =>
    anEffect({
      act: "bridge",
      gives: [flow(usdc, 1_000_000_000n)],
      gets: [flow(usdc, { least, most: least })],
      receiver: "self",
      toChain: 1,
    });
  const bridge = aStep({ acts: ["bridge"], gives: [portion("1000", "USDC")] });
  const kept = (least: bigint) => outcomeOf("worth", aWorld([bridge], [bridged(least)]));
  test("is at most the operator's limit of 5 %, to the last unit", () => {
    expect(kept(950_000_000n)).toEqual(["same"]);
    expect(kept(949_999_999n)).toEqual(["differs"]);
  });
});

const choice = (what: ChoiceKind, value: string, known = false): Choice => ({
  what,
  value,
  known,
  where: { call: "proposed_tx", field: "market" },
});
const picked = (one: Choice, words = "words", context: Partial<Context> = {}) => {
  const step = aStep({ gives: [portion("100", "USDC")], to: [address(bob)] });
  const world = aWorld(
    [step],
    [anEffect({ gives: [flow(usdc, 100_000_000n)], receiver: bob, choices: [one] })],
    {
      context,
    },
  );
  return outcomeOf("choice", { ...world, proposal: { ...world.proposal, words } });
};

describe("a choice of the contract's caller", () => {
  const other = mallory.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));

  test("counts if our tables know it", () => {
    expect(picked(choice("pool", mallory, true))).toEqual(["same"]);
  });
  test("is not checked if the request does not name it", () => {
    expect(picked(choice("pool", mallory))).toEqual(["cannot_tell"]);
  });
  test("counts if the request names its address, and not one that differs in a digit", () => {
    expect(
      picked(choice("pool", mallory), `use the pool ${mallory.toUpperCase().replace("0X", "0x")}`),
    ).toEqual(["same"]);
    expect(picked(choice("pool", mallory), `use ${other}`)).toEqual(["cannot_tell"]);
    expect(picked(choice("pool", mallory), `use the pool ${other}`)).toEqual(["differs"]);
  });
  test("counts by a label that the caller sent", () => {
    const known = [{ address: mallory, label: "Treasury Safe" }];
    expect(picked(choice("account", mallory), "pay from the treasury safe", { known })).toEqual(["same"]);
    expect(picked(choice("account", mallory), "pay from the treasury", { known })).toEqual(["cannot_tell"]);
  });
  test("is a difference if an unnamed party benefits", () => {
    expect(picked(choice("refund_receiver", mallory))).toEqual(["differs"]);
  });
  test.each([
    ["vote for proposal 42", ["same"]],
    ["vote for proposal #42", ["same"]],
    ["vote for proposal 421", ["differs"]],
    ["vote for proposal 4", ["differs"]],
    ["send 42 USDC", ["cannot_tell"]],
  ])("an id counts next to its noun: “%s”", (words, outcome) => {
    expect(picked(choice("proposal", "42"), words)).toEqual(outcome);
  });
  test.each([
    ["for", "Vote yes on proposal 3", ["same"]],
    ["against", "Vote yes on proposal 3", ["differs"]],
    ["against", "Vote against proposal 3", ["same"]],
    ["for", "Vote on proposal 3", ["cannot_tell"]],
    ["for", "Should I vote for or vote against proposal 3?", ["cannot_tell"]],
    ["abstain", "Abstain on proposal 3", ["same"]],
  ])("a vote %s: “%s”", (direction, words, outcome) => {
    expect(picked(choice("vote", direction), words)).toEqual(outcome);
  });
  test.each([
    ["variable", "Borrow 100 USDC", ["same"]],
    ["variable", "Borrow 100 USDC at the variable rate", ["same"]],
    ["variable", "Borrow 100 USDC at a stable rate", ["differs"]],
    ["variable", "Borrow 100 USDC at a fixed interest rate", ["differs"]],
    ["variable", "Toma prestados 100 USDC a tasa fija", ["differs"]],
    ["variable", "Borrow 100 USDC at the stable rate, not the variable rate", ["cannot_tell"]],
    ["variable", "Borrow a stable coin", ["same"]],
    ["stable", "Borrow 100 USDC", ["cannot_tell"]],
    ["stable", "Borrow 100 USDC at a stable rate", ["same"]],
    ["stable", "Borrow 100 USDC at the variable rate", ["differs"]],
  ])("a %s rate for “%s”", (kind, words, outcome) => {
    expect(picked(choice("rate", kind, kind === "variable"), words)).toEqual(outcome);
  });
  test.each([
    ["Grant MINTER_ROLE to Bob", ["same"]],
    ["Give Bob the minter role", ["same"]],
    ["Give Bob the pauser role", ["differs"]],
    ["Let Bob mint", ["cannot_tell"]],
  ])("a role is the hash of its name: “%s”", (words, outcome) => {
    const minter = "0x9f2df0fed2c77648de5860a4cc508cd0818c85b8b8a1ab4ceeef8d981c8956a6";
    expect(picked(choice("role", minter), words)).toEqual(outcome);
  });
});

describe("a pool that is identified by its fee or curve", () => {
  test.each([
    ["0.05% fee", "Add liquidity to the 0.05% pool", ["same"]],
    ["0.05% fee", "Add liquidity to the 0.05 % fee tier", ["same"]],
    ["0.05% fee", "Add liquidity at a fee tier of 0.050%", ["same"]],
    ["0.05% fee", "Add liquidity to the 0.5% pool", ["differs"]],
    ["0.05% fee", "Add liquidity with 0.05% slippage", ["cannot_tell"]],
    ["0.05% fee with tick spacing 11", "Add liquidity to the 0.05% pool", ["cannot_tell"]],
    ["0.05% fee with tick spacing 11", "Add liquidity to the 0.3% pool", ["differs"]],
    ["stable pool", "Add liquidity to the stable USDC/DAI pool", ["same"]],
    ["stable pool", "Add liquidity to the volatile pool", ["differs"]],
    ["stable pool", "Add liquidity", ["cannot_tell"]],
  ])("%s: “%s”", (value, words, outcome) => {
    expect(picked(choice("pool", value), words)).toEqual(outcome);
  });
  test("a safe default passes unless the request names another", () => {
    expect(picked(choice("pool", "volatile pool", true), "Add liquidity")).toEqual(["same"]);
    expect(picked(choice("pool", "volatile pool", true), "Use the stable pool")).toEqual(["differs"]);
    expect(picked(choice("position", "12345", true), "Collect from position 12345")).toEqual(["same"]);
    expect(picked(choice("position", "12345", true), "Collect from position 12346")).toEqual(["differs"]);
  });
});

describe("a name and how long it is held", () => {
  test.each([
    [
      "name",
      "0xee6c4522aab0003e8d14cd40a6af439055fd2577951148c14b6cea9a53475835",
      "Point vitalik.eth to Bob",
      "same",
    ],
    [
      "name",
      "0xee6c4522aab0003e8d14cd40a6af439055fd2577951148c14b6cea9a53475835",
      "Point vitalic.eth to Bob",
      "differs",
    ],
    ["duration", "63072000", "Register it for two years", "same"],
    ["duration", "63072000", "Register it for 1 year", "differs"],
    ["duration", "31536000", "Register it for a year", "same"],
    ["duration", "31536000", "Register it", "cannot_tell"],
  ] as const)("%s %s in “%s” is %s", (what, value, words, outcome) => {
    expect(picked(choice(what, value), words)).toEqual([outcome]);
  });
});

describe("a call that cannot be read", () => {
  const unread = anEffect({ act: "opaque", target: mallory, function: "" });
  const step = aStep({ acts: ["supply"], gives: [portion("100", "USDC")] });
  test("may be what a step asks for: not checked, and not a difference", () => {
    const found = entail(aWorld([step], [unread]));
    expect(found.unlicensed).toEqual([]);
    expect(found.comparisons.map(({ outcome }) => outcome)).toEqual(["cannot_tell"]);
  });
  test("is not requested if every step is already answered", () => {
    const sent = anEffect({ gives: [flow(usdc, 100_000_000n)], receiver: bob });
    const send = aStep({ gives: [portion("100", "USDC")], to: [address(bob)] });
    expect(entail(aWorld([send], [sent, unread])).unlicensed).toEqual([
      expect.objectContaining({ effect: 1 }),
    ]);
  });
});

describe("an asset that the transaction does not name", () => {
  const ofVault = (amount: bigint): Flow => ({
    ...flow(usdc, amount),
    asset: unsaid("the asset of this vault"),
  });
  const slotsOf = (outcome: string, step: Step, effect: Effect): readonly string[] =>
    entail(aWorld([step], [effect]))
      .comparisons.filter((one) => one.outcome === outcome)
      .map(({ slot }) => slot);
  const supply = (gives: Effect["gives"]): Effect =>
    anEffect({ act: "supply", gives, receiver: "self", target: router });
  const supplying = aStep({ acts: ["supply"], gives: [portion("5", "USDC")] });

  test("is not reported as different from the one in the request", () => {
    const effect = supply([ofVault(5_000_000n)]);
    expect(slotsOf("differs", supplying, effect)).not.toContain("asset_in");
    expect(slotsOf("cannot_tell", supplying, effect)).toContain("asset_in");
  });
  test("is not reported as different from the address in the request", () => {
    const byAddress = aStep({
      acts: ["supply"],
      gives: [{ asset: { kind: "address", address: usdc, span: [0, 1] }, quantity: exact("5") }],
    });
    const effect = supply([ofVault(5_000_000n)]);
    expect(slotsOf("differs", byAddress, effect)).not.toContain("asset_in");
    expect(slotsOf("cannot_tell", byAddress, effect)).toContain("asset_in");
  });
  test("is not requested if the named asset leaves too", () => {
    const effect = supply([flow(usdc, 5_000_000n), ofVault(1n)]);
    expect(slotsOf("differs", supplying, effect)).toContain("asset_in");
  });
});
