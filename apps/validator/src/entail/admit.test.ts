import { describe, expect, test } from "vitest";
import type { Comparison, Entailment, Slot } from "../entailment.ts";
import type { Intent } from "../intent.ts";
import { aStep, aWorld, anEffect, bob, flow, mallory, usdc } from "../../test/entail.ts";
import { admit, isSettled, lacksOnlyEvidence } from "./admit.ts";
import type { World } from "./world.ts";

const compared = (outcome: Comparison["outcome"], slot: Slot = "recipient"): Comparison => ({
  ...{ slot, asked: "a", does: "b", where: null, confidence: 1, fix: "" },
  ...{ outcome, words: [5, 9] },
});
const blank: Entailment = {
  ...{ licences: [], unlicensed: [], comparisons: [], unmet: [], unread: [], ambiguous: [] },
};
const matches: Entailment = { ...blank, comparisons: [compared("same")] };
const lacks: Entailment = { ...blank, comparisons: [compared("cannot_tell")] };
const differing: Entailment = {
  ...blank,
  comparisons: [{ ...compared("same", "amount"), words: [0, 4] }, compared("differs")],
};

const payment = anEffect({ act: "transfer", gives: [flow(usdc, 1_500_000n)], receiver: bob });
const saying = (words: string, intent: Partial<Intent> = {}): World => {
  const world = aWorld([aStep()], [payment], { intent });
  return { ...world, proposal: { ...world.proposal, words } };
};
const other = saying(`Send 1.5 USDC to ${mallory}`);
const part = { text: "flib", span: [1, 3] } as const;

describe("a match", () => {
  test.each([matches, lacks])("is confirmed if nothing stands in its way", (read) => {
    expect(admit(read, other)).toEqual(read);
    expect(admit(read, saying("Send", { ungoverned: [] }))).toEqual(read);
    expect(admit(read, saying(`Send 1.5 USDC to ${bob}`))).toEqual(read);
  });
  test.each([matches, lacks])("is not confirmed while a part may change the request", (read) => {
    const why = "we could not tell whether this changes the request";
    expect(admit(read, saying("Send", { ungoverned: [part] }))).toEqual({
      ...read,
      unread: [{ ...part, why }],
    });
  });
  test("is confirmed with unknown words, whose place is checked elsewhere", () => {
    expect(admit(matches, saying("Send", { unknownWords: [part] }))).toEqual(matches);
    expect(admit(lacks, saying("Send", { unknownWords: [part] }))).toEqual(lacks);
  });
});

describe("a difference", () => {
  test("is claimed if everything was read", () => {
    expect(admit(differing, other)).toEqual(differing);
  });
  test("is claimed whatever surrounds the request", () => {
    expect(admit(differing, saying(other.proposal.words, { ungoverned: [part] }))).toEqual(differing);
  });
  test("is not claimed if a word is unknown: it may be the reason", () => {
    const { unread, comparisons } = admit(differing, saying(other.proposal.words, { unknownWords: [part] }));
    expect(unread).toEqual([{ ...part, why: "we do not know this word" }]);
    expect(comparisons.map(({ outcome }) => outcome)).toEqual(["same", "not_read"]);
  });
  test("is not claimed if the request names every value", () => {
    const words = `Send 1.5 USDC to ${bob}`;
    const { unread, comparisons } = admit(differing, saying(words));
    const why = "we may have misread this, because the request names every value of the transaction";
    expect(unread).toEqual([{ text: words.slice(5, 9), span: [5, 9], why }]);
    expect(comparisons.map(({ outcome }) => outcome)).toEqual(["same", "not_read"]);
  });
  test("without a place is shown at the verb", () => {
    const nowhere = { ...differing, comparisons: [{ ...compared("differs"), words: null }] };
    expect(admit(nowhere, saying(`Send 1.5 USDC to ${bob}`)).unread[0]?.span).toEqual(aStep().verb.span);
  });
  test("is claimed of a term, which is a value of its own", () => {
    const late = { ...blank, comparisons: [compared("differs", "deadline"), compared("differs")] };
    expect(admit(late, saying(`Send 1.5 USDC to ${bob}`))).toEqual(late);
  });
  const slots: readonly Slot[] = [
    ...(["action", "direction", "asset_in", "asset_out", "amount", "amount_out", "recipient"] as const),
    ...(["name", "spender", "scope", "venue", "chain", "to_chain", "sequence"] as const),
  ];
  test.each(slots)("of the %s is about named values", (slot) => {
    const read = { ...blank, comparisons: [compared("differs", slot)] };
    expect(admit(read, saying(`Send 1.5 USDC to ${bob}`)).unread).toHaveLength(1);
  });
  test("is claimed of a term that is not met", () => {
    const unmet = [{ text: "no fees", span: [0, 2] as const, why: "a fee is paid" }];
    const read = { ...differing, unmet };
    expect(admit(read, saying(`Send 1.5 USDC to ${bob}`))).toEqual(read);
  });
  test.each<[string, Partial<Entailment>, Partial<Intent>]>([
    ["a part is unread", { unread: [{ ...part, why: "no" }] }, {}],
    ["a part is ambiguous", { ambiguous: [{ said: "x", readings: ["1", "2"], span: [0, 1] }] }, {}],
    [
      "parts are unread and ambiguous",
      {
        unread: [{ ...part, why: "no" }],
        ambiguous: [{ said: "x", readings: ["1", "2"], span: [0, 1] }],
      },
      {},
    ],
    ["it asks for nothing", {}, { notARequest: "a question" }],
    ["it names no action", {}, { steps: [] }],
  ])("is not claimed if %s", (_, more, intent) => {
    const { comparisons } = admit({ ...differing, ...more }, saying(other.proposal.words, intent));
    expect(comparisons.map(({ outcome }) => outcome)).toEqual(["same", "not_read"]);
  });
});

describe("a reading that leaves something over", () => {
  const left = { effect: 0, what: "an approval", where: { call: "proposed_tx", field: "value" } };
  test.each<[string, Partial<Entailment>]>([
    ["an effect", { unlicensed: [left] }],
    ["a term", { unmet: [{ ...part, why: "no" }] }],
    ["an unread part", { unread: [{ ...part, why: "no" }] }],
    ["an ambiguity", { ambiguous: [{ said: "x", readings: ["1", "2"], span: [0, 1] }] }],
  ])("such as %s neither matches nor lacks only evidence", (_, more) => {
    expect(isSettled({ ...matches, ...more })).toBe(false);
    expect(lacksOnlyEvidence({ ...lacks, ...more })).toBe(false);
  });
  test("of two kinds neither matches nor lacks only evidence", () => {
    const unmet = [{ ...part, why: "no" }];
    const ambiguous = [{ said: "x", readings: ["1", "2"], span: [0, 1] as const }];
    const pairs = [
      { unlicensed: [left], unmet },
      { unmet, unread: unmet },
      { unread: unmet, ambiguous },
    ];
    for (const more of pairs) {
      expect(isSettled({ ...matches, ...more })).toBe(false);
      expect(lacksOnlyEvidence({ ...lacks, ...more })).toBe(false);
    }
  });
  test("of evidence lacks only that", () => {
    expect(isSettled(matches)).toBe(true);
    expect(isSettled(lacks)).toBe(false);
    expect(isSettled(differing)).toBe(false);
    expect(lacksOnlyEvidence(lacks)).toBe(true);
    expect(lacksOnlyEvidence(differing)).toBe(false);
  });
});
