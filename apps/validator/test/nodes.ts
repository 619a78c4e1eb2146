/** Tests a check, and requires a pass, a fail and a skip. Also exports the facts to start from. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { MAX_UINT, native, type Asset, type Effect, type Fault } from "../src/effects.ts";
import { absences, type FactName, type Facts } from "../src/facts.ts";
import type { Node } from "../src/node.ts";
import { runNode } from "../src/validate/2-run-nodes.ts";
import type { Page } from "../src/nodes/read-page.ts";
import {
  aProposal,
  anEffect,
  bob,
  calm,
  me,
  place,
  router,
  stranger,
  usdc,
  usdcAsset,
  weth,
  wethAsset,
  withEffects,
} from "./nodes/facts.ts";

export * from "./nodes/facts.ts";

type Case = { readonly name: string; readonly facts?: Partial<Facts> };

export type Cases = {
  readonly pass: readonly Case[];
  readonly fail: readonly (Case & { readonly because: string; readonly severity?: string })[];
  /** Facts on which the check leaves the verdict open: not understood, or not checked. */
  readonly open?: readonly (Case & {
    readonly because: string;
    readonly kind: "not_understood" | "not_checked";
  })[];
  /** Missing facts; or, without `missing`, facts to which the check does not apply. */
  readonly skip?: readonly (Case & { readonly missing?: FactName; readonly because?: string })[];
};

const log = makeLog({ app: "test", level: "silent" });
const page: Page = { title: "", sections: new Map(), checks: "", remedy: "" };

const run = (node: Node, facts: Partial<Facts>) => {
  const loaded = { id: "test", family: "intent_alignment" as const, node, page };
  const once = runNode(loaded, facts, log);
  // A check is a function of its facts: a second run returns the same result.
  expect(runNode(loaded, facts, log)).toEqual(once);
  return once;
};

const isSentence = /^\S.*[.]$/su;

/** Runs a check through the real engine. Rejects a suite without a pass, a fail and a skip for each optional fact. */
export function testNode(node: Node, { pass, fail, open = [], skip = [] }: Cases): void {
  describe(node.title, () => {
    test("is tested for a pass, a fail and every missing fact", () => {
      expect(pass.length).toBeGreaterThan(0);
      expect(fail.length + open.length).toBeGreaterThan(0);
      const absent = node.needs.filter((name) => absences[name].kind !== "upstream_failed");
      expect([...new Set(skip.flatMap(({ missing }) => missing ?? []))].sort()).toEqual([...absent].sort());
    });
    test.each(pass)("passes: $name", ({ facts = {} }) => {
      const finding = run(node, { ...calm, ...facts });
      expect(finding).toMatchObject({ status: "PASS" });
      expect(finding.reasoning).toMatch(isSentence);
    });
    if (open.length > 0)
      test.each(open)("leaves open: $name", ({ facts = {}, because, kind }) => {
        const finding = run(node, { ...calm, ...facts });
        expect(finding).toMatchObject({ status: "SKIP", kind });
        expect(finding.reasoning).toContain(because);
        expect(finding.reasoning).toMatch(isSentence);
      });
    if (fail.length > 0)
      test.each(fail)("fails: $name", ({ facts = {}, because, severity }) => {
        const finding = run(node, { ...calm, ...facts });
        expect(finding).toMatchObject({ status: "FAIL", ...(severity === undefined ? {} : { severity }) });
        expect(finding.reasoning).toContain(because);
        expect(finding.reasoning).toMatch(isSentence);
      });
    if (skip.length > 0)
      test.each(skip)("skips: $name", ({ facts = {}, missing, because = "" }) => {
        const given: Partial<Facts> = { ...calm, ...facts };
        const known = Object.fromEntries(Object.entries(given).filter(([name]) => name !== missing));
        const finding = run(node, known);
        expect(finding.status).toBe("SKIP");
        expect(finding.reasoning).toContain(missing === undefined ? because : absences[missing].said);
      });
    test("never throws, whatever the facts", () => {
      fc.assert(
        fc.property(anyFacts, (facts) => {
          const finding = node.check({ ...calm, ...facts });
          expect(finding.reasoning).toMatch(isSentence);
        }),
        { numRuns: 40 },
      );
    });
  });
}

const anyAddress = fc.constantFrom(me, bob, stranger, router, usdc, weth);
const anyParty = fc.oneof(anyAddress, fc.constantFrom("self" as const, "venue" as const));
const anyUnits = fc.oneof(fc.constantFrom(0n, 1n, 10n ** 18n, 2n ** 96n, MAX_UINT), fc.bigInt(0n, MAX_UINT));
const anyAsset: fc.Arbitrary<Asset> = fc.oneof(
  fc.constantFrom(native, usdcAsset, wethAsset),
  fc.record({ kind: fc.constant("nft" as const), address: anyAddress, id: fc.option(anyUnits) }),
  fc.record({ kind: fc.constant("unsaid" as const), why: fc.string() }),
);
const anyFlow = fc.record({
  asset: anyAsset,
  amount: fc.record({ least: anyUnits, most: anyUnits }),
  where: fc.constant(place),
});
const anyFault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ topic: fc.constantFrom("native", "route", "amount"), text: fc.string() }),
  fc.record({ topic: fc.constant("amount" as const), text: fc.string(), mild: fc.constant(true as const) }),
);
const anyEffect: fc.Arbitrary<Effect> = fc
  .record({
    act: fc.constantFrom(
      "transfer",
      "swap",
      "approve",
      "admin",
      "opaque",
      "bridge",
      "add_liquidity",
      "sell_nft",
      "harmless",
    ),
    gives: fc.array(anyFlow, { maxLength: 3 }),
    gets: fc.array(anyFlow, { maxLength: 3 }),
    receiver: fc.option(anyParty),
    payer: anyParty,
    deadline: fc.option(anyUnits),
    fees: fc.array(
      fc.record({
        to: anyParty,
        asset: anyAsset,
        share: fc.record({ bps: anyUnits }),
        where: fc.constant(place),
      }),
      { maxLength: 2 },
    ),
    authority: fc.option(
      fc.record({
        spender: anyParty,
        asset: fc.option(anyAsset),
        amount: fc.record({ least: anyUnits, most: anyUnits }),
        until: fc.option(anyUnits),
        signed: fc.boolean(),
        where: fc.constant(place),
      }),
    ),
    terms: fc.record(
      {
        order: fc.boolean(),
        faults: fc.array(anyFault, { maxLength: 2 }),
        path: fc.array(anyAddress, { maxLength: 3 }),
        delegatecall: anyAddress,
        nonce: anyUnits,
        anyChain: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    admin: fc.option(fc.record({ kind: fc.string(), party: fc.option(anyParty) })),
    target: fc.option(anyAddress),
    function: fc.oneof(fc.constant(""), fc.stringMatching(/^[A-Za-z_$][\w$]*$/u)),
    named: fc.string(),
    knowledge: fc.constantFrom("bound", "standard", "selector", "none"),
  } as const)
  // Our names are used for functions; only an unreadable call has a name that its sender chose.
  .map(({ named, ...given }) =>
    anEffect({ ...given, ...(given.act === "opaque" ? { function: named } : {}) }),
  );
const anyFacts = fc
  .record({
    effects: fc.array(anyEffect, { minLength: 1, maxLength: 4 }),
    words: fc.string(),
    told: fc.boolean(),
  })
  .map(({ effects, words, told }) => {
    const derived = Object.entries(withEffects(...effects) as Readonly<Record<string, unknown>>);
    const known = Object.fromEntries(derived.filter(([, value]) => value !== undefined));
    return { ...known, proposal: aProposal({ words }), toldNow: told };
  });
