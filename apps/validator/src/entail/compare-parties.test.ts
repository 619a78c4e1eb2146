/** Who receives and who pays, in the request and in the transaction. */
import { describe, expect, test } from "vitest";
import type { Effect, EffectAct, Leaf, Party, Where } from "../effects.ts";
import type { PartyRef, Span, Step } from "../intent.ts";
import type { Address, Context } from "../proposal.ts";
import { compareParties } from "./compare-parties.ts";
import { aStep, aWorld, address, anEffect, bob, mallory, me, portion, router } from "../../test/entail.ts";
import type { World } from "./world.ts";

const verb = { word: "Send", span: [0, 4] as Span };
const span: Span = [3, 7];
const almostBob: Address = "0x2222222222222222222222222222222222222223";
const { where } = anEffect({});
const receiverAt: Where = { call: "proposed_tx", field: "recipient" };
const contact = (label: string): PartyRef => ({ kind: "contact", label, span });
const to = (of: Address): PartyRef => ({ kind: "address", address: of, span });
const venue: PartyRef = { kind: "venue", venue: "uniswap", span };
const known: Partial<Context> = { known: [{ address: bob, label: "Bob" }] };

type Given = {
  readonly steps?: readonly Step[];
  readonly actor?: Address | null;
  readonly context?: Partial<Context>;
  readonly reading?: Partial<World["reading"]>;
};
const compare = (said: Partial<Step>, done: Partial<Effect>, given: Given = {}) => {
  const [step, effect] = [aStep({ verb, ...said }), anEffect(done)];
  const world = aWorld([step, ...(given.steps ?? [])], [effect], { context: given.context ?? {} });
  const actor = given.actor === undefined ? world.proposal.actor : given.actor;
  return compareParties(
    { step, effect, index: { step: 0, effect: 0 } },
    { ...world, proposal: { ...world.proposal, actor }, reading: { ...world.reading, ...given.reading } },
  );
};

describe("a receiver that is named", () => {
  const same = {
    slot: "recipient",
    outcome: "same",
    asked: bob as string,
    does: `goes to ${bob}`,
    words: span,
    where,
    confidence: 1,
    fix: "",
  };
  test("receives it", () => {
    expect(compare({ to: [to(bob)] }, { receiver: bob })).toEqual([same]);
  });
  test("is shown at its place in the call", () => {
    expect(compare({ to: [to(bob)] }, { receiver: bob, places: { receiver: receiverAt } })).toEqual([
      { ...same, where: receiverAt },
    ]);
  });
  test("is not an address with another last digit", () => {
    expect(compare({ to: [to(bob)] }, { receiver: almostBob })).toEqual([
      { ...same, outcome: "differs", does: `goes to ${almostBob}`, fix: `Send it to ${bob}.` },
    ]);
  });
  test("may be any of several", () => {
    expect(compare({ to: [to(mallory), to(bob)] }, { receiver: bob })).toEqual([same]);
  });
  test("is reported as the first of several if none receives it", () => {
    expect(compare({ to: [to(mallory), to(me)] }, { receiver: bob })).toMatchObject([
      { outcome: "differs", asked: mallory },
    ]);
  });
  test("may be the one on whose behalf it happens", () => {
    expect(compare({ onBehalfOf: to(bob) }, { act: "supply", receiver: bob })).toEqual([same]);
    expect(compare({ onBehalfOf: to(bob) }, { act: "supply", receiver: mallory })).toMatchObject([
      { outcome: "differs" },
    ]);
  });
  test("by a label is compared as a name and as a receiver", () => {
    const named = { ...same, asked: "Bob", confidence: 0.95 };
    expect(compare({ to: [contact("Bob")] }, { receiver: bob }, { context: known })).toEqual([
      { ...named, slot: "name" },
      named,
    ]);
    const other = {
      ...named,
      outcome: "differs",
      does: `goes to ${almostBob}`,
      fix: "Send it to Bob.",
    };
    expect(compare({ to: [contact("Bob")] }, { receiver: almostBob }, { context: known })).toEqual([
      other,
      { ...other, slot: "name" },
    ]);
  });
  test("by an unknown label cannot be checked", () => {
    expect(compare({ to: [contact("Bob")] }, { receiver: bob })).toEqual([
      {
        ...same,
        slot: "name",
        outcome: "cannot_tell",
        asked: "Bob",
        fix: "Give the address: no address was sent for Bob (metadata.known_addresses).",
      },
    ]);
  });
  test.each<[string, Partial<Effect>]>([
    ["no party receives anything", { receiver: null }],
    ["control changes", { act: "admin", receiver: mallory }],
  ])("is not compared if %s", (_, done) => {
    expect(compare({ to: [to(bob)] }, done)).toEqual([]);
  });
});

describe("a receiver that is not named", () => {
  const own = {
    slot: "recipient",
    asked: "your wallet, as no one else is named",
    words: verb.span,
    where,
  };
  test.each<[EffectAct, Party, Address | null, object]>([
    ["swap", "self", me, { ...own, outcome: "same", does: "goes to your wallet", confidence: 0.95, fix: "" }],
    [
      "transfer",
      "self",
      me,
      {
        ...own,
        outcome: "same",
        asked: "no one in particular",
        does: "goes to your wallet",
        confidence: 0.85,
        fix: "",
      },
    ],
    [
      "transfer",
      bob,
      me,
      {
        ...own,
        outcome: "cannot_tell",
        asked: "no one in particular",
        does: `goes to ${bob}`,
        confidence: 1,
        fix: "Name the receiver in the request, by address.",
      },
    ],
    [
      "swap",
      bob,
      me,
      {
        ...own,
        outcome: "differs",
        does: `goes to ${bob}`,
        confidence: 1,
        fix: "Send it to your wallet, or name the receiver in the request.",
      },
    ],
    [
      "swap",
      bob,
      null,
      {
        ...own,
        outcome: "cannot_tell",
        does: `goes to ${bob}`,
        confidence: 1,
        fix: "Send your address as metadata.from, so that we can recognise it.",
      },
    ],
  ])("of a %s to %s if %s acts", (act, receiver, actor, expected) => {
    expect(compare({}, { act, receiver }, { actor })).toEqual([expected]);
  });
  test("is not the venue of the request", () => {
    expect(compare({ to: [venue] }, { act: "swap", receiver: router })).toMatchObject([
      { outcome: "differs", asked: own.asked },
    ]);
    expect(compare({ onBehalfOf: venue }, { act: "swap", receiver: router })).toMatchObject([
      { outcome: "differs", asked: own.asked },
    ]);
  });
});

describe("a next step that sends on what arrives", () => {
  const next = (more: Partial<Step>): Step => aStep({ to: [to(bob)], ...more });
  const outcome = (done: Partial<Effect>, ...steps: readonly Step[]) =>
    compare({ acts: ["swap"] }, { act: "swap", ...done }, { steps }).map((one) => [one.outcome, one.asked]);
  const own = "your wallet, as no one else is named";
  test.each<[string, Partial<Effect>, readonly Step[], string, string]>([
    ["lets its receiver receive", { receiver: bob }, [next({})], "same", bob],
    ["lets no other party receive", { receiver: almostBob }, [next({})], "differs", own],
    ["lets the owner receive too", { receiver: "self" }, [next({})], "same", own],
    ["may name the asset again", { receiver: bob }, [next({ gives: [portion(null, "ETH")] })], "same", bob],
    [
      "must not have an amount of its own",
      { receiver: bob },
      [next({ gives: [portion("1", "ETH")] })],
      "differs",
      own,
    ],
    [
      "must not have an amount in any portion",
      { receiver: bob },
      [next({ gives: [portion(null, "ETH"), portion("1", "ETH")] })],
      "differs",
      own,
    ],
    ["must be a transfer", { receiver: bob }, [next({ acts: ["supply"] })], "differs", own],
    [
      "must be a transfer first of all",
      { receiver: bob },
      [next({ acts: ["supply", "transfer"] })],
      "differs",
      own,
    ],
    ["must follow at once", { receiver: bob }, [aStep({ acts: ["supply"] }), next({})], "differs", own],
    ["must exist", { receiver: bob }, [], "differs", own],
    [
      "may name the right one among others",
      { receiver: bob },
      [next({ to: [to(mallory), to(bob)] })],
      "same",
      bob,
    ],
    ["must not name a venue", { receiver: router }, [next({ to: [venue] })], "differs", own],
  ])("%s", (...[, done, steps, expected, asked]) => {
    expect(outcome(done, ...steps)).toEqual([[expected, asked]]);
  });
  test("does not matter if the step itself names a receiver", () => {
    expect(
      compare({ acts: ["swap"], to: [to(mallory)] }, { act: "swap", receiver: bob }, { steps: [next({})] }),
    ).toMatchObject([{ outcome: "differs", asked: mallory }]);
  });
  test("does not matter for a transfer", () => {
    expect(compare({}, { receiver: bob }, { steps: [next({})] })).toMatchObject([
      { outcome: "cannot_tell", asked: "no one in particular" },
    ]);
  });
});

describe("a payer other than the owner", () => {
  const found = {
    slot: "recipient",
    does: `takes from ${bob}`,
    words: verb.span,
    where,
    confidence: 1,
  };
  test("is reported as the wrong source of funds", () => {
    expect(compare({}, { payer: bob })).toEqual([
      {
        ...found,
        outcome: "differs",
        asked: "from your wallet",
        fix: "Take the assets from your wallet, or name the other account in the request.",
      },
    ]);
  });
  test("is the one that is named", () => {
    expect(compare({ from: to(bob) }, { payer: bob, places: { payer: receiverAt } })).toEqual([
      { ...found, outcome: "same", asked: `from ${bob}`, words: span, where: receiverAt, fix: "" },
    ]);
  });
  test("is not one with another last digit", () => {
    expect(compare({ from: to(almostBob) }, { payer: bob })).toMatchObject([
      { outcome: "differs", asked: "from your wallet", words: span },
    ]);
  });
  test("is not one whose label cannot be resolved", () => {
    expect(compare({ from: contact("Bob") }, { payer: bob })).toMatchObject([{ outcome: "differs" }]);
    expect(compare({ from: contact("Bob") }, { payer: bob }, { context: known })).toMatchObject([
      { outcome: "same", asked: "from Bob" },
    ]);
  });
  test("may be the venue, which passes on what it holds", () => {
    expect(compare({}, { payer: "venue" })).toEqual([]);
  });
  const order = { call: "proposed_tx.order", field: "offerer" };
  test.each<[string, Where, Address | null, number]>([
    ["a signed message where the signer is not known", order, null, 0],
    ["a signed message where the signer is known", order, me, 1],
    ["a call where the sender is not known", where, null, 1],
    ["a call that only ends like a message", { ...order, call: "x.proposed_tx.order" }, null, 1],
  ])("is compared in %s", (_, at, actor, times) => {
    expect(compare({}, { payer: bob, where: at }, { actor })).toHaveLength(times);
  });
});

describe("an account that the request names as the source", () => {
  const safe: Address = "0x8888888888888888888888888888888888888888";
  const almostSafe: Address = "0x8888888888888888888888888888888888888889";
  const leaf = (of: Address | null) => ({ to: of }) as Leaf;
  const from = address(safe);
  const found = { slot: "recipient", asked: `from ${safe}`, words: from.span, where, confidence: 1 };
  test.each<[string, Partial<Step>, Partial<Effect>, Given, string | null]>([
    ["the owner", { from: address(me) }, {}, {}, "same"],
    ["the account that the owner acts through", { from }, {}, { reading: { accounts: [safe] } }, "same"],
    ["one of the accounts", { from }, {}, { reading: { accounts: [me, safe] } }, "same"],
    ["another account", { from }, {}, { reading: { accounts: [almostSafe] } }, "differs"],
    ["the called contract", { from }, { target: safe }, {}, "same"],
    ["another contract", { from }, { target: almostSafe }, {}, "differs"],
    [
      "a contract that is called on the way",
      { from },
      {},
      { reading: { leaves: [leaf(bob), leaf(safe)] } },
      "same",
    ],
    [
      "another contract on the way",
      { from },
      {},
      { reading: { leaves: [leaf(almostSafe), leaf(null)] } },
      "differs",
    ],
    ["no account", {}, {}, {}, null],
    ["a label that cannot be resolved", { from: contact("Bob") }, {}, {}, null],
    ["an address if the caller does not send who acts", { from }, {}, { actor: null }, null],
  ])("%s", (...[, said, done, given, outcome]) => {
    expect(compare(said, done, given).map((one) => one.outcome)).toEqual(outcome === null ? [] : [outcome]);
  });
  test("is reported with the account that pays instead", () => {
    expect(compare({ from }, {})).toEqual([
      { ...found, outcome: "differs", does: `takes from ${me}`, fix: `Send it from ${safe}.` },
    ]);
    expect(compare({ from }, {}, { reading: { accounts: [bob] } })).toMatchObject([
      { does: `takes from ${bob}` },
    ]);
    expect(compare({ from }, { target: safe })).toEqual([
      { ...found, outcome: "same", does: `takes from ${me}`, fix: "" },
    ]);
  });
  test("is compared after the receiver", () => {
    expect(compare({ from, to: [to(bob)] }, { receiver: bob }).map(({ outcome }) => outcome)).toEqual([
      "same",
      "differs",
    ]);
  });
});
