import { describe, expect, test } from "vitest";
import type { Slot } from "../entailment.ts";
import { exactly, MAX_UINT, token, type Effect, type Fee } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { entail } from "./entail.ts";
import {
  aStep,
  aWorld,
  address,
  anApproval,
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
  weth,
} from "../../test/entail.ts";
import type { World } from "./world.ts";

/** Slots that are not the same. The worth of a return has tests of its own. */
const bad = (world: World): readonly Slot[] => [
  ...new Set(
    entail(world)
      .comparisons.filter(({ outcome, slot }) => outcome !== "same" && slot !== "worth")
      .map(({ slot }) => slot),
  ),
];

const send = aStep({ gives: [portion("100", "USDC")], to: [address(bob)] });
const sent = anEffect({ gives: [flow(usdc, 100_000_000n)], receiver: bob });

const swap = aStep({
  acts: ["swap"],
  verb: { word: "swap", span: [0, 4] },
  gives: [portion("100", "USDC")],
  gets: [portion(null, "ETH")],
});
const swapped = anEffect({
  act: "swap",
  gives: [flow(usdc, 100_000_000n)],
  gets: [flow("native", { least: 10n ** 16n, most: MAX_UINT })],
  receiver: "self",
  venue: "uniswap_v3",
  target: router,
});

describe("a payment", () => {
  test("that does what was requested differs nowhere", () => {
    const found = entail(aWorld([send], [sent]));
    expect(found.comparisons.every(({ outcome }) => outcome === "same")).toBe(true);
    expect(found.unlicensed).toEqual([]);
  });
  test.each([
    ["another receiver", { receiver: mallory }, "recipient"],
    ["ten times the amount", { gives: [flow(usdc, 1_000_000_000n)] }, "amount"],
    ["one base unit more", { gives: [flow(usdc, 100_000_001n)] }, "amount"],
    ["one percent less", { gives: [flow(usdc, 99_000_000n)] }, "amount"],
    ["another token", { gives: [flow(weth, 100_000_000n)] }, "asset_in"],
    ["the native token instead of the token", { gives: [flow("native", 100n)] }, "asset_in"],
    ["another account’s funds", { payer: mallory }, "recipient"],
  ] as const)("with %s differs there", (_, done, slot) => {
    expect(bad(aWorld([send], [anEffect({ ...sent, ...done })]))).toContain(slot);
  });
  test("does not license a second payment to another party", () => {
    const found = entail(aWorld([send], [sent, anEffect({ ...sent, receiver: mallory })]));
    expect(found.unlicensed).toEqual([expect.objectContaining({ effect: 1 })]);
  });
  test("of ETH is not made in WETH", () => {
    const step = aStep({ gives: [portion("1", "ETH")], to: [address(bob)] });
    const effect = anEffect({ gives: [flow(weth, 10n ** 18n)], receiver: bob });
    expect(bad(aWorld([step], [effect]))).toEqual(["asset_in"]);
  });
  test("to no one in particular cannot be checked", () => {
    expect(bad(aWorld([aStep({ ...send, to: [] })], [sent]))).toEqual(["recipient"]);
  });
  test("to a name is compared with the address that the caller resolved, and not without one", () => {
    const step = aStep({ ...send, to: [{ kind: "name", name: "bob.eth", normalised: true, span: [0, 1] }] });
    expect(bad(aWorld([step], [sent]))).toEqual(["name"]);
    expect(bad(aWorld([step], [sent], { context: { names: new Map([["bob.eth", bob]]) } }))).toEqual([]);
    expect(bad(aWorld([step], [sent], { context: { names: new Map([["bob.eth", mallory]]) } }))).toContain(
      "recipient",
    );
  });
  test("is not a swap", () => {
    expect(bad(aWorld([swap], [sent]))).toContain("action");
  });
});

/** Every address that differs from this one in a single digit. */
const neighboursOf = (address: Address): readonly Address[] =>
  Array.from({ length: 40 }, (_, at) => {
    const digits = address.slice(2);
    const other = digits[at] === "7" ? "8" : "7";
    return `0x${digits.slice(0, at)}${other}${digits.slice(at + 1)}` as const;
  });

describe("an address that differs in one digit, wherever it is", () => {
  test.each(neighboursOf(bob))("is another receiver: %s", (receiver) => {
    expect(bad(aWorld([send], [anEffect({ ...sent, receiver })]))).toContain("recipient");
  });
  test.each(neighboursOf(bob))("is another receiver of a swap: %s", (receiver) => {
    const step = aStep({ ...swap, to: [address(bob)] });
    const toBob = aWorld([step], [anEffect({ ...swapped, receiver: bob })]);
    expect(bad(toBob)).not.toContain("recipient");
    expect(bad(aWorld([step], [anEffect({ ...swapped, receiver })]))).toContain("recipient");
  });
  test.each(neighboursOf(bob))("is not the address of a name: %s", (other) => {
    const step = aStep({ ...send, to: [{ kind: "name", name: "bob.eth", normalised: true, span: [0, 1] }] });
    const names = new Map([["bob.eth", other]]);
    expect(bad(aWorld([step], [sent], { context: { names } }))).toContain("recipient");
  });
  test.each(neighboursOf(bob))("is not the account that the assets come from: %s", (payer) => {
    const step = aStep({ ...send, from: address(bob), to: [address(mallory)] });
    const paid = (by: Address) => anEffect({ ...sent, receiver: mallory, payer: by });
    expect(bad(aWorld([step], [paid(bob)]))).not.toContain("recipient");
    expect(bad(aWorld([step], [paid(payer)]))).toContain("recipient");
  });
  test.each(neighboursOf(usdc))("is another token: %s", (other) => {
    expect(bad(aWorld([send], [anEffect({ ...sent, gives: [flow(other, 100_000_000n)] })]))).toContain(
      "asset_in",
    );
  });
  test.each(neighboursOf(router))("is not the spender that a step needs: %s", (spender) => {
    const allowed = entail(aWorld([swap], [anApproval(router, 100_000_000n), swapped]));
    expect(allowed.unlicensed).toEqual([]);
    const found = entail(aWorld([swap], [anApproval(spender, 100_000_000n), swapped]));
    expect(found.unlicensed).toEqual([expect.objectContaining({ effect: 0 })]);
  });
});

const aFee = (share: Fee["share"]): Fee => ({
  ...{ to: mallory, asset: token(usdc), share, where: { call: "proposed_tx", field: "data" } },
});

describe("a claim in addition to the request", () => {
  const claim = anEffect({
    ...{ act: "claim", gets: [flow(usdc, 1n)], receiver: "self", venue: "lender", function: "claim" },
  });
  const unlicensed = (done: Partial<Effect>): readonly number[] =>
    entail(aWorld([send], [sent, anEffect({ ...claim, ...done })])).unlicensed.map(({ effect }) => effect);
  test("that only brings assets to the account need not be requested", () => {
    expect(unlicensed({})).toEqual([]);
  });
  test.each<[string, Partial<Effect>]>([
    ["pays a fee of one base unit", { fees: [aFee(exactly(1n))] }],
    ["pays a fee of one basis point", { fees: [aFee({ bps: 1n })] }],
    ["pays a fee to the venue", { fees: [{ ...aFee(exactly(1n)), to: "venue" }] }],
    ["gives one base unit", { gives: [flow(usdc, 1n)] }],
    ["brings the assets to another account", { receiver: mallory }],
    ["brings the assets to no one in particular", { receiver: null }],
    ["also appoints a spender", { authority: anApproval(mallory, 1n).authority }],
  ])("is not licensed if it %s", (_, done) => {
    expect(unlicensed(done)).toEqual([1]);
  });
});

describe("an amount", () => {
  const all = aStep({
    gives: [{ asset: symbol("USDC"), quantity: { kind: "all", except: null, span: [0, 1] } }],
    to: [address(bob)],
  });
  test("of everything needs the balance", () => {
    expect(bad(aWorld([all], [sent]))).toEqual(["share"]);
    expect(bad(aWorld([all], [sent], { context: { balances: new Map([[usdc, 100_000_000n]]) } }))).toEqual(
      [],
    );
    expect(bad(aWorld([all], [sent], { context: { balances: new Map([[usdc, 200_000_000n]]) } }))).toEqual([
      "share",
    ]);
  });
  test("in dollars needs a price", () => {
    const fiat = aStep({
      gives: [
        {
          asset: symbol("ETH"),
          quantity: { kind: "fiat", n: dec("500"), currency: "USD", bound: "exact", span: [0, 1] },
        },
      ],
      to: [address(bob)],
    });
    const paid = anEffect({ gives: [flow("native", 2n * 10n ** 17n)], receiver: bob });
    expect(bad(aWorld([fiat], [paid]))).toEqual(["usd"]);
    expect(bad(aWorld([fiat], [paid], { context: { prices: new Map([["ETH", 2_500]]) } }))).toEqual([]);
    expect(bad(aWorld([fiat], [paid], { context: { prices: new Map([["ETH", 25_000]]) } }))).toEqual(["usd"]);
  });
  test("with two readings is ambiguous, whichever the transaction contains", () => {
    const quantity = { ...exact("1000"), others: [dec("1")] } as const;
    const step = aStep({
      gives: [{ asset: symbol("USDC"), quantity: quantity }],
      to: [address(bob)],
    });
    expect(entail(aWorld([step], [sent])).ambiguous).toHaveLength(1);
  });
});

describe("a swap", () => {
  test("may be paid out in the wrapped native token", () => {
    const effect = anEffect({ ...swapped, gets: [flow(weth, { least: 10n ** 16n, most: MAX_UINT })] });
    expect(bad(aWorld([swap], [effect]))).toEqual([]);
  });
  test("in the wrong direction differs in direction", () => {
    const effect = anEffect({
      ...swapped,
      gives: [flow("native", 10n ** 16n)],
      gets: [flow(usdc, { least: 100_000_000n, most: MAX_UINT })],
    });
    expect(bad(aWorld([swap], [effect]))).toContain("direction");
  });
  test("whose output goes to another party differs in its recipient", () => {
    expect(bad(aWorld([swap], [anEffect({ ...swapped, receiver: mallory })]))).toEqual(["recipient"]);
  });
  test("“for at least” is taken literally, “for” allows the operator’s slippage", () => {
    const wanting = (kind: "exact" | "least"): World =>
      aWorld(
        [
          aStep({
            ...swap,
            gets: [
              {
                asset: symbol("ETH"),
                quantity: kind === "exact" ? exact("0.0102") : { kind, n: dec("0.0102"), span: [0, 1] },
              },
            ],
          }),
        ],
        [swapped],
      );
    expect(bad(wanting("least"))).toEqual(["amount_out"]);
    expect(bad(wanting("exact"))).toEqual([]);
  });
  test("implies its own allowance, of no more than it spends", () => {
    expect(bad(aWorld([swap], [anApproval(router, 100_000_000n), swapped]))).toEqual([]);
    expect(bad(aWorld([swap], [anApproval(router, MAX_UINT), swapped]))).toEqual(["scope"]);
  });
  test("implies no allowance that is left over afterwards", () => {
    const found = entail(
      aWorld([swap], [anApproval(router, 100_000_000n), swapped, anApproval(router, 100_000_000n)]),
    );
    expect(found.unlicensed).toHaveLength(1);
    const twice = [anApproval(router, 100_000_000n), anApproval(router, 100_000_000n), swapped];
    expect(bad(aWorld([swap], twice))).toEqual(["scope"]);
  });
  test("does not imply an allowance for any other party", () => {
    const found = entail(aWorld([swap], [anApproval(mallory, 100_000_000n), swapped]));
    expect(found.unlicensed).toHaveLength(1);
  });
  test("at a venue is not made at an unknown contract", () => {
    const said = aStep({ ...swap, venues: [{ venue: "uniswap", mode: "on", span: [0, 1] }] });
    expect(bad(aWorld([said], [swapped]))).toEqual([]);
    expect(bad(aWorld([said], [anEffect({ ...swapped, venue: null })]))).toEqual(["venue"]);
  });
  test("on another chain than requested differs", () => {
    expect(bad(aWorld([aStep({ ...swap, chain: { value: 8453, span: [0, 1] } })], [swapped]))).toEqual([
      "chain",
    ]);
  });
});

describe("a withdrawal", () => {
  const withdraw = aStep({ acts: ["withdraw", "unstake"], verb: { word: "withdraw", span: [0, 8] } });
  const burnt = anEffect({ act: "unstake", gives: [flow(usdc, 5n)], receiver: "self" });
  test("of one asset does not let another leave", () => {
    expect(bad(aWorld([aStep({ ...withdraw, gets: [portion(null, "WETH")] })], [burnt]))).toContain(
      "asset_in",
    );
  });
  test("of nothing in particular lets nothing leave", () => {
    expect(bad(aWorld([withdraw], [burnt]))).not.toEqual([]);
  });
  test("of what a vault holds may burn its shares", () => {
    const redeemed = anEffect({
      ...burnt,
      act: "withdraw",
      gives: [flow(weth, 5n)],
      gets: [flow(usdc, 100_000_000n)],
    });
    expect(bad(aWorld([aStep({ ...withdraw, gets: [portion("100", "USDC")] })], [redeemed]))).toEqual([]);
  });
});

describe("control", () => {
  const taken = anEffect({ act: "admin", admin: { kind: "transfer_ownership", party: mallory } });
  test("is never implied", () => {
    expect(entail(aWorld([send], [sent, taken])).unlicensed).toHaveLength(1);
  });
  test("requested by name goes to the named party and no other", () => {
    const ask = (party: typeof bob) =>
      aStep({ acts: ["admin"], admin: { kind: "transfer_ownership", party: address(party), span: [0, 1] } });
    expect(bad(aWorld([ask(mallory)], [taken]))).toEqual([]);
    expect(bad(aWorld([ask(bob)], [taken]))).toEqual(["recipient"]);
  });
});

describe("words that nothing answers", () => {
  const number = { kind: "number", text: "7", span: [0, 1], slot: null } as const;
  const unread = (effects: readonly Effect[]) =>
    entail(aWorld([send], effects, { intent: { tokens: [number] } }));
  test("a number in no slot is unread", () => {
    expect(unread([sent]).unread).toHaveLength(1);
  });
  test("while something is unread no difference is claimed", () => {
    const outcomes = unread([anEffect({ ...sent, receiver: mallory })]).comparisons.map(
      ({ outcome }) => outcome,
    );
    expect(outcomes).toContain("not_read");
    expect(outcomes).not.toContain("differs");
  });
  test("an address that the transaction does not involve is a broken term", () => {
    const token = { kind: "address", text: mallory, span: [0, 1], slot: null } as const;
    const found = entail(aWorld([send], [sent], { intent: { tokens: [token] } }));
    expect([found.unmet.length, found.unread.length]).toEqual([1, 0]);
  });
  test("“no unlimited approval” is broken by one", () => {
    const negation = { kind: "unlimited_approval", span: [0, 1] } as const;
    expect(
      entail(aWorld([swap], [anApproval(router, MAX_UINT), swapped], { intent: { negations: [negation] } }))
        .unmet,
    ).toHaveLength(1);
  });
  test("a condition that the transaction does not hold cannot be verified", () => {
    const step = aStep({ ...send, conditions: [{ said: "when gas is low", kind: "other", span: [0, 1] }] });
    expect(bad(aWorld([step], [sent]))).toEqual(["terms"]);
  });
});

describe("several steps", () => {
  test("must all happen", () => {
    expect(bad(aWorld([send, aStep({ ...send, to: [address(mallory)] })], [sent]))).toContain("sequence");
  });
  test("may repeat what another asks for, and nothing else", () => {
    const again = aStep({ gives: [portion(null, "USDC")] });
    expect(bad(aWorld([again, send], [sent]))).toEqual([]);
    const more = aStep({ gives: [portion("7", "USDC")] });
    expect(bad(aWorld([more, send], [sent]))).toContain("sequence");
    const other = aStep({ gets: [portion(null, "USDC")], acts: ["swap"] });
    expect(bad(aWorld([other, send], [sent]))).toContain("sequence");
  });
  test("are paired with the effects that fit them, in any order", () => {
    const other = anEffect({ gives: [flow(usdc, 5_000_000n)], receiver: mallory });
    const second = aStep({ gives: [portion("5", "USDC")], to: [address(mallory)] });
    expect(bad(aWorld([send, second], [other, sent]))).toEqual([]);
  });
});
