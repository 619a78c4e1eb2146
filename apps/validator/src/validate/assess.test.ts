import { describe, expect, test } from "vitest";
import { unreadable } from "../effects.ts";
import type { Facts } from "../facts.ts";
import {
  aComparison,
  anEffect,
  anEntailment,
  anIntent,
  aProposal,
  aReading,
  calm,
} from "../../test/nodes.ts";
import { assess as assessAs } from "./assess.ts";

const assess = (given: Parameters<typeof assessAs>[0]) => assessAs(given, { all: new Map() });

const { entailment, intent, reading, proposal, registry } = calm;
const known = { entailment, intent, reading, proposal, registry };
const where = { call: "proposed_tx.transactions[1]", field: "function" };
const place = { effect: 0, what: "a transfer", where };
const words = "Send 0.1 ETH, maybe";
const said = aProposal({ words });
const part = { text: "maybe", span: [14, 19], why: "it is no instruction" } as const;
const whole = { span: [0, words.length], text: words };
const withComparisons = (...comparisons: Parameters<typeof aComparison>[0][]) =>
  assess({ ...known, entailment: anEntailment({ comparisons: comparisons.map(aComparison) }) });
const withEffects = (...effects: Parameters<typeof anEffect>[0][]) =>
  assess({ ...known, reading: aReading({ effects: effects.map(anEffect) }) });

describe("a request that was compared completely", () => {
  test("is entailed, with the request restated", () => {
    expect(assess(known)).toEqual({
      kind: "entailed",
      unread: [],
      missing: [],
      restated: "Send (not stated) to (not stated).",
    });
    expect(withComparisons({}, {}).kind).toBe("entailed");
  });

  test.each([
    ["any comparison differs", { comparisons: [aComparison(), aComparison({ outcome: "differs" })] }],
    ["an effect was not asked for", { unlicensed: [place] }],
    ["a term is not met", { unmet: [part] }],
  ] as const)("is contradicted where %s, also where evidence is missing", (_, given) => {
    const expected = { kind: "contradicted", restated: "Send (not stated) to (not stated)." };
    expect(assess({ ...known, entailment: anEntailment(given) })).toMatchObject(expected);
    const open = { ...known, reading: aReading({ limit: "too deep" }) };
    expect(assess({ ...open, entailment: anEntailment(given) })).toMatchObject(expected);
  });
});

test("a state that was sent and shows nothing leaves the verdict open; a proven one does not", () => {
  const state = { status: "refused", why: "The block is too old." } as NonNullable<Facts["state"]>;
  expect(assess({ ...known, state })).toMatchObject({
    ...{ kind: "not_checked", missing: [{ what: "state", why: "The block is too old." }] },
  });
  const proven = { status: "run" } as unknown as NonNullable<Facts["state"]>;
  expect(assess({ ...known, state: proven })).toMatchObject({ kind: "entailed", missing: [] });
});

describe("a request that was not read completely", () => {
  const unread = (given: Partial<Pick<Facts, "entailment" | "intent">>) =>
    assess({ ...known, proposal: said, ...given });

  test("is not understood where a part is unread, even if a comparison differs", () => {
    const comparisons = [aComparison({ outcome: "differs" })];
    expect(unread({ entailment: anEntailment({ unread: [part], comparisons }) })).toEqual({
      ...{ kind: "not_understood", unread: [part], missing: [], restated: "" },
    });
  });

  test("is not understood where a part has several meanings, which are named", () => {
    const ambiguous = [{ said: "maybe", readings: ["yes", "no"], span: [14, 19] }] as const;
    expect(unread({ entailment: anEntailment({ ambiguous }) })).toMatchObject({
      ...{ kind: "not_understood", restated: "" },
      unread: [{ span: [14, 19], text: "maybe", why: "it can mean yes, or no" }],
    });
  });

  test("is not understood as a whole where it is no request", () => {
    const why = "it is a greeting";
    for (const steps of [[], intent.steps])
      expect(unread({ intent: anIntent({ notARequest: why, steps }) })).toMatchObject({
        ...{ kind: "not_understood", unread: [{ ...whole, why }], restated: "" },
      });
  });

  test("is not understood as a whole where it names no action", () => {
    expect(unread({ intent: anIntent({ steps: [] }) })).toMatchObject({
      ...{ kind: "not_understood", unread: [{ ...whole, why: "it names no known action" }] },
    });
  });
});

describe("missing evidence is named, and nothing passes without it", () => {
  test("a comparison that cannot tell", () => {
    const given = { outcome: "cannot_tell", slot: "usd", asked: "$5", does: "5 USDC" } as const;
    expect(withComparisons({}, { ...given, fix: "Send prices." })).toMatchObject({
      ...{ kind: "not_checked", restated: "Send (not stated) to (not stated)." },
      missing: [{ what: "usd", why: "Asked for $5. In the transaction: 5 USDC. Send prices." }],
    });
    expect(withComparisons(given).missing).toEqual([
      { what: "usd", why: "Asked for $5. In the transaction: 5 USDC." },
    ]);
  });

  test("something that the caller picked and the request does not name", () => {
    const given = {
      outcome: "cannot_tell",
      slot: "choice",
      asked: "x",
      does: "pool 7",
      fix: "Name it.",
    } as const;
    const why =
      "The transaction relies on pool 7, which the request does not name and which is not in our tables. Name it.";
    expect(withComparisons(given).missing).toEqual([{ what: "choice", why }]);
  });

  test("a call that could not be read, with the reason where there is one", () => {
    const opaque = { act: "opaque", where } as const;
    const because = (why: string) => [
      { what: "call", why: `We could not read proposed_tx.transactions[1]: ${why}.` },
    ];
    expect(
      withEffects({}, { ...opaque, terms: { faults: [unreadable("odd bytes"), unreadable("more")] } }),
    ).toMatchObject({
      ...{ kind: "not_checked", missing: because("odd bytes") },
    });
    for (const terms of [{}, { faults: [] }])
      expect(withEffects({ ...opaque, terms }).missing).toEqual(
        because("we do not know what this call does"),
      );
    expect(withEffects({ terms: { faults: [unreadable("odd bytes")] } }).missing).toEqual([]);
  });

  test("the rest of a transaction that was not read to its end", () => {
    expect(assess({ ...known, reading: aReading({ limit: "too deep" }) })).toMatchObject({
      kind: "not_checked",
      missing: [{ what: "call", why: "Only part of the transaction was read: too deep." }],
    });
  });

  test.each(Object.keys(known))("the %s, where the engine could not establish it", (name) => {
    expect(assess({ ...known, [name]: undefined })).toEqual({
      ...{ kind: "not_checked", unread: [], restated: "" },
      missing: [{ what: "reading", why: "The request or the transaction could not be read." }],
    });
  });
});
