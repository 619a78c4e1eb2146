/** Several sentences that ask for one thing are read as one step. */
import { describe, expect, test } from "vitest";
import type { Effect, EffectAct } from "../effects.ts";
import type { AssetRef, PartyRef, Portion, Span, Step } from "../intent.ts";
import type { Context } from "../proposal.ts";
import { flatten } from "./flatten.ts";
import { aStep, aWorld, address, anEffect, bob, exact, mallory, portion } from "../../test/entail.ts";

const span: Span = [0, 1];
const vague: Portion = { asset: null, quantity: { kind: "vague", said: "some", span } };
const of = (asset: AssetRef): Portion => ({ asset, quantity: null });
const contact = (label: string): PartyRef => ({ kind: "contact", label, span });
const self: PartyRef = { kind: "self", span };
const bobKnown: Partial<Context> = { known: [{ address: bob, label: "Bob" }] };

const flat = (steps: readonly Step[], done: Partial<Effect> = {}, context: Partial<Context> = {}) => {
  const effect = anEffect(done);
  return flatten(effect, aWorld(steps, [effect], { context }))?.steps ?? null;
};
const saying = (...portions: readonly Portion[]) =>
  flat(portions.map((one) => aStep({ gives: [one] })))?.[0]?.gives;
const naming = (parties: readonly PartyRef[], context: Partial<Context> = {}) =>
  flat(
    parties.map((party) => aStep({ to: [party] })),
    {},
    context,
  )?.[0]?.to;

describe("one step", () => {
  test("has the act, amount and party of all sentences", () => {
    const first = aStep({ gives: [vague] });
    const second = aStep({ gives: [portion("25", "LINK")] });
    const third = aStep({ to: [address(bob)] });
    expect(flat([first, second, third])).toEqual([
      { ...first, gives: [portion("25", "LINK")], gets: [], to: [address(bob)] },
    ]);
  });
  test("is based on the first step that fits", () => {
    const give = aStep({ acts: ["transfer"], verb: { word: "give", span } });
    const send = aStep({ acts: ["transfer"], verb: { word: "send", span } });
    expect(flat([give, send])?.[0]?.verb.word).toBe("give");
  });
  test("does not leave out a step of another kind, even one without values", () => {
    const pause = aStep({ acts: ["admin"], verb: { word: "pause", span } });
    const send = aStep({ acts: ["transfer"], verb: { word: "send", span } });
    expect(flat([send, pause])).toBeNull();
  });
  test("keeps the rest of the request", () => {
    const effect = anEffect({});
    const world = aWorld([aStep()], [effect], { intent: { language: "de" } });
    expect(flatten(effect, world)?.language).toBe("de");
  });
  test("does not exist without steps, or without one that fits", () => {
    expect(flat([])).toBeNull();
    expect(flat([aStep({ acts: ["vote"] })])).toBeNull();
  });
  test.each<[string, Partial<Step>]>([
    ["an amount", { gives: [portion("1", "USDC")] }],
    ["a return", { gets: [portion("1", "USDC")] }],
    ["a party", { to: [address(bob)] }],
    ["a spender", { spender: address(bob) }],
  ])("does not swallow another act with %s", (_, more) => {
    expect(flat([aStep(), aStep({ acts: ["vote"], ...more })])).toBeNull();
    expect(flat([aStep(), aStep({ acts: ["transfer"], ...more })])).not.toBeNull();
  });
  test.each<[EffectAct, boolean]>([
    ["transfer", true],
    ["supply", true],
    ["withdraw", true],
    ["borrow", true],
    ["repay", true],
    ["stake", true],
    ["unstake", true],
    ["bridge", true],
    ["swap", false],
    ["approve", false],
    ["wrap", false],
  ])("is read for a %s: %s", (act, expected) => {
    expect(flat([aStep({ acts: [act as "swap"] })], { act }) !== null).toBe(expected);
  });
});

describe("the amount", () => {
  const nftRef = (collection: string | null, ...ids: readonly bigint[]): AssetRef => ({
    kind: "nft",
    collection,
    ids,
    span,
  });
  const usdc = portion(null, "USDC");
  test.each<[string, readonly Portion[], readonly Portion[] | undefined]>([
    ["nothing", [], undefined],
    ["an asset and an amount of it", [usdc, portion("5", "USDC")], [portion("5", "USDC")]],
    ["an asset and an amount without one", [usdc, portion("5", null)], [portion("5", "USDC")]],
    ["only an amount", [portion("5", null)], [portion("5", null)]],
    ["only an asset", [usdc], [usdc]],
    ["only a vague amount", [vague], []],
    ["a vague amount of an asset", [{ ...usdc, quantity: vague.quantity }], [usdc]],
    ["two assets", [usdc, portion(null, "DAI")], undefined],
    ["two amounts of one asset", [portion("5", "USDC"), portion("5", "USDC")], undefined],
    ["two amounts without an asset", [portion("5", null), portion("5", null)], undefined],
    ["an amount of an asset and one without", [portion("5", "USDC"), portion("6", null)], undefined],
    ["a token by address and by symbol", [of({ kind: "address", address: bob, span }), usdc], undefined],
    [
      "two addresses",
      [of({ kind: "address", address: bob, span }), of({ kind: "address", address: mallory, span })],
      undefined,
    ],
    [
      "the same address twice",
      [of({ kind: "address", address: bob, span }), of({ kind: "address", address: bob, span })],
      [of({ kind: "address", address: bob, span })],
    ],
    [
      "two classes",
      [of({ kind: "class", name: "tokens", span }), of({ kind: "class", name: "coins", span })],
      undefined,
    ],
    [
      "the same piece twice",
      [of(nftRef("BAYC", 1n, 2n)), of(nftRef("BAYC", 1n, 2n))],
      [of(nftRef("BAYC", 1n, 2n))],
    ],
    ["two pieces", [of(nftRef("BAYC", 1n)), of(nftRef("BAYC", 2n))], undefined],
    ["pieces whose numbers run together", [of(nftRef("BAYC", 1n, 2n)), of(nftRef("BAYC", 12n))], undefined],
    ["pieces of two collections", [of(nftRef("BAYC", 1n)), of(nftRef("MAYC", 1n))], undefined],
    ["a piece without a collection", [of(nftRef(null, 1n)), of(nftRef("", 1n))], [of(nftRef(null, 1n))]],
  ])("of %s", (_, portions, expected) => {
    expect(portions.length === 0 ? undefined : saying(...portions)).toEqual(expected);
  });
  test("may be stated as what arrives", () => {
    expect(flat([aStep({ gets: [portion("5", "USDC")] })])?.[0]).toMatchObject({
      gives: [portion("5", "USDC")],
      gets: [],
    });
    expect(
      flat([aStep({ gives: [portion("5", "USDC")], gets: [{ asset: null, quantity: exact("6") }] })]),
    ).toBeNull();
  });
});

describe("the party", () => {
  test.each<[string, readonly PartyRef[], Partial<Context>, readonly PartyRef[] | undefined]>([
    ["an address", [address(bob)], {}, [address(bob)]],
    ["the same address twice", [address(bob), { ...address(bob), span: [7, 9] }], {}, [address(bob)]],
    ["two addresses", [address(bob), address(mallory)], {}, undefined],
    [
      "a name",
      [{ kind: "name", name: "bob.eth", normalised: true, span }],
      {},
      [{ kind: "name", name: "bob.eth", normalised: true, span }],
    ],
    [
      "an address and a name",
      [address(bob), { kind: "name", name: "bob.eth", normalised: true, span }],
      {},
      undefined,
    ],
    ["an unknown contact and an address", [contact("Sam"), address(bob)], {}, [address(bob)]],
    ["a known contact and an address", [contact("Bob"), address(mallory)], bobKnown, [address(mallory)]],
    ["a known contact", [contact("Bob")], bobKnown, [contact("Bob")]],
    ["an unknown contact", [contact("Sam")], bobKnown, []],
    ["the owner", [self], {}, [self]],
    ["the owner and a known contact", [self, contact("Bob")], bobKnown, undefined],
    ["the owner and an unknown contact", [self, contact("Sam")], bobKnown, [self]],
    ["a venue", [{ kind: "venue", venue: "aave", span }], {}, []],
  ])("is %s", (_, parties, context, expected) => {
    expect(naming(parties, context)).toEqual(expected);
  });
  test("may be the one on whose behalf it happens", () => {
    expect(flat([aStep({ onBehalfOf: address(bob) })])?.[0]?.to).toEqual([address(bob)]);
    expect(flat([aStep({ onBehalfOf: address(bob), to: [address(mallory)] })])).toBeNull();
  });
});

test("terms of any sentence apply to the whole", () => {
  const terms: Partial<Step> = {
    chain: { value: 1, span },
    toChain: { value: 8453, span },
    slippageBps: { value: 50n, span },
    deadline: { kind: "within", seconds: 60n, span },
    gas: { maxLimit: { value: 5n, span } },
    fee: { bps: 5n, to: null, span },
    from: address(mallory),
    venues: [{ venue: "aave", mode: "on", span }],
    conditions: [{ said: "if it rains", kind: "other", span }],
  };
  expect(flat([aStep(), aStep(terms)])?.[0]).toMatchObject(terms);
  const other: Partial<Step> = {
    venues: [{ venue: "curve", mode: "avoid", span }],
    conditions: [{ said: "when gas is low", kind: "gas", span }],
    chain: { value: 7, span },
  };
  expect(flat([aStep(terms), aStep(other)])?.[0]).toMatchObject({
    chain: terms.chain,
    venues: [...(terms.venues ?? []), ...(other.venues ?? [])],
    conditions: [...(terms.conditions ?? []), ...(other.conditions ?? [])],
  });
  expect(flat([aStep()])?.[0]).toEqual(aStep());
});
