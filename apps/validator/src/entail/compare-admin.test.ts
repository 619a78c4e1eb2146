/** Changes of control: the act, the party, whom it replaces, and how many must sign. */
import { describe, expect, test } from "vitest";
import type { Effect, Where } from "../effects.ts";
import type { PartyRef, Span, Step } from "../intent.ts";
import type { Address } from "../proposal.ts";
import { compareAdmin } from "./compare-admin.ts";
import { aStep, aWorld, anEffect, bob, mallory } from "../../test/entail.ts";

const span: Span = [3, 7];
const verb = { word: "add_owner", span: [0, 2] as Span };
const partyAt: Where = { call: "proposed_tx", field: "owner" };
const { where } = anEffect({});
const almostBob: Address = "0x2222222222222222222222222222222222222223";
const to = (of: Address): PartyRef => ({ kind: "address", address: of, span });

type Said = NonNullable<Step["admin"]>;
type Done = NonNullable<Effect["admin"]>;
const said = (more: Partial<Said> = {}): Said => ({ kind: "add_owner", party: to(bob), span, ...more });
const done = (more: Partial<Done> = {}): Done => ({ kind: "add_owner", party: bob, ...more });
const compare = (
  admin: Said | null,
  effect: Done | null,
  more: Partial<Step> = {},
  places: Effect["places"] = {},
) => {
  const step = aStep({ acts: ["admin"], verb, admin, ...more });
  const pair = {
    step,
    effect: anEffect({ act: "admin", admin: effect, places }),
    index: { step: 0, effect: 0 },
  };
  return compareAdmin(pair, aWorld([step], []));
};
const brief = (...given: Parameters<typeof compare>): readonly string[] =>
  compare(...given).map(({ slot, outcome }) => `${slot} ${outcome}`);

describe("a change of control", () => {
  const action = { slot: "action", asked: "add owner", does: "add owner", words: span, where, confidence: 1 };
  const party = { slot: "recipient", asked: bob, does: bob, words: span, where, confidence: 1 };
  test("that is requested, of the named party, is the same", () => {
    expect(compare(said(), done())).toEqual([
      { ...action, outcome: "same", fix: "" },
      { ...party, outcome: "same", fix: "" },
    ]);
  });
  test("is not compared if there is none, or another act was requested", () => {
    expect(compare(said(), null)).toEqual([]);
    expect(compare(said(), done(), { acts: ["swap"] })).toEqual([]);
    expect(brief(said(), done(), { acts: ["swap", "admin"] })).toEqual(["action same", "recipient same"]);
  });
  test("of another kind differs", () => {
    expect(compare(said(), done({ kind: "remove_owner" }))[0]).toEqual({
      ...action,
      outcome: "differs",
      does: "remove owner",
      fix: "Propose “add owner”, not “remove owner”.",
    });
  });
  test("without a kind is shown by its verb", () => {
    expect(compare(null, done())[0]).toEqual({
      ...action,
      outcome: "differs",
      words: verb.span,
      fix: "Propose “add owner”, not “add owner”.",
    });
  });
  test("without a party has no party to compare", () => {
    expect(brief(said(), done({ party: null }))).toEqual(["action same"]);
  });
  test("of a party with another last digit differs", () => {
    expect(compare(said(), done({ party: almostBob }), {}, { party: partyAt })[1]).toEqual({
      ...party,
      outcome: "differs",
      does: almostBob,
      where: partyAt,
      fix: `Change it to ${bob}.`,
    });
  });
  test("of a party that is not named cannot be checked", () => {
    expect(compare(said({ party: null }), done())[1]).toEqual({
      ...party,
      outcome: "cannot_tell",
      asked: "no one named",
      words: verb.span,
      fix: "Name the party in the request, by address.",
    });
  });
  test.each<[string, Said | null, Partial<Step>, string]>([
    ["after “to”", said({ party: null }), { to: [to(bob)] }, "same"],
    ["as the spender", null, { spender: to(bob) }, "same"],
    ["after “to” before the spender", null, { to: [to(mallory)], spender: to(bob) }, "differs"],
    ["by the act before “to”", said({ party: to(mallory) }), { to: [to(bob)] }, "differs"],
    [
      "by a label that cannot be resolved",
      said({ party: { kind: "contact", label: "Bob", span } }),
      {},
      "differs",
    ],
  ])("of a party that is named %s", (_, admin, more, expected) => {
    expect(compare(admin, done(), more)[1]?.outcome).toBe(expected);
  });
});

describe("the party that is replaced", () => {
  const found = { slot: "recipient", does: `in place of ${mallory}`, words: span, where, confidence: 1 };
  const replaced = (admin: Said | null, of: Address = mallory) =>
    compare(admin, done({ replaced: of })).at(-1);
  test.each<[string, Said | null, object]>([
    [
      "is the one that is named",
      said({ replaced: to(mallory) }),
      { ...found, outcome: "same", asked: `in place of ${mallory}`, fix: "" },
    ],
    [
      "is another",
      said({ replaced: to(bob) }),
      { ...found, outcome: "differs", asked: `in place of ${bob}`, fix: `Replace ${bob}.` },
    ],
    [
      "is not named",
      said(),
      {
        ...found,
        outcome: "cannot_tell",
        asked: "no one named",
        words: verb.span,
        fix: "Name in the request, by address, whom it replaces.",
      },
    ],
    [
      "is not named at all",
      null,
      {
        ...found,
        outcome: "cannot_tell",
        asked: "no one named",
        words: verb.span,
        fix: "Name in the request, by address, whom it replaces.",
      },
    ],
  ])("%s", (_, admin, expected) => {
    expect(replaced(admin)).toEqual(expected);
  });
});

describe("the threshold", () => {
  const found = { slot: "scope", words: verb.span, where, confidence: 1, asked: "no threshold stated" };
  const three = { value: 3n, span };
  test.each<[string, Said | null, Partial<Done>, object]>([
    [
      "is the one that is named",
      said({ threshold: three }),
      { threshold: 3n },
      { ...found, words: span, outcome: "same", asked: "3 signatures", does: "3 signatures", fix: "" },
    ],
    [
      "is one less",
      said({ threshold: three }),
      { threshold: 2n },
      {
        ...found,
        words: span,
        outcome: "differs",
        asked: "3 signatures",
        does: "2 signatures",
        fix: "Set the threshold to 3.",
      },
    ],
    [
      "is two where none is named",
      said(),
      { threshold: 2n },
      { ...found, outcome: "same", does: "2 signatures", confidence: 0.85, fix: "" },
    ],
    [
      "is one where none is named",
      said(),
      { threshold: 1n },
      {
        ...found,
        outcome: "cannot_tell",
        does: "1 signatures",
        fix: "State in the request how many must sign.",
      },
    ],
    [
      "is changed where none is named",
      null,
      { kind: "change_threshold", threshold: 2n },
      {
        ...found,
        outcome: "cannot_tell",
        does: "2 signatures",
        fix: "State in the request how many must sign.",
      },
    ],
  ])("%s", (_, admin, more, expected) => {
    expect(compare(admin, done(more)).at(-1)).toEqual(expected);
  });
});
