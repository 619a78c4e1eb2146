// Searches for counterexamples to invariants: texts in, results out. Runs in a worker thread.
import type { PolicyJson } from "@cedar-policy/cedar-wasm/nodejs";
import type { z } from "zod";
import type { Cedar } from "../cedar.ts";
import { draftPolicy } from "../check.ts";
import type { Policy } from "../decide.ts";
import { readPolicy, type Fault, type ReadPolicy, type Rule } from "../rules.ts";
import { invariantSchemaText, schemaText } from "../schema.ts";
import type { PolicyTest } from "../tests.ts";
import { boundsOf, type Bounds } from "./bounds.ts";
import { describeWorld, testOf } from "./describe.ts";
import { domainsOf } from "./domains.ts";
import { joinMentions } from "./mentions.ts";
import { modelOf, type ModelRule } from "./policy-model.ts";
import { isConfirmed } from "./replay.ts";
import { countsOf, search, simplify, type Limits, type Question } from "./search.ts";
import { NotSupported } from "./values.ts";
import { facts, type Ground, type World } from "./world.ts";

export type Asked = {
  readonly account: string;
  readonly text: string;
  readonly timeZone: string;
  /** Cedar texts. Each rule of them is one invariant. */
  readonly invariants: readonly string[];
};

export type Result = {
  readonly id: string;
  readonly title: string;
  /** stopped: a limit ended the search. not-searched: `reason` says why. */
  readonly outcome: "broken" | "none" | "stopped" | "not-searched";
  readonly counterexample: {
    readonly description: string;
    readonly test: z.input<typeof PolicyTest>;
  } | null;
  /** True if nothing within the bounds breaks it even without a policy, so that the result says little. */
  readonly vacuous: boolean;
  readonly reason: string | null;
  readonly bounds: Bounds | null;
};

export type Found =
  | { readonly results: readonly Result[] }
  | { readonly faults: readonly Fault[]; readonly of: "policy" | "invariants" };

export type Budget = {
  /** Choices that may be tried for each invariant. */
  readonly most: number;
  /** CPU time for all invariants, in milliseconds. */
  readonly searchMs: number;
  /** CPU time that was used so far, in milliseconds. */
  readonly usedMs: () => number;
};

/** Reads from the schema which groups each action is in. */
export function groundOf(cedar: Cedar, account: string): Ground {
  const read = cedar.schemaToJson(schemaText);
  if (read.type !== "success") throw new Error("the schema is not readable");
  const actions = read.json["Countersign"]?.actions ?? {};
  const groups = (act: string): readonly string[] => {
    const above = (actions[act]?.memberOf ?? []).map(({ id }) => id);
    return [...above, ...above.flatMap(groups)];
  };
  return { account: account.toLowerCase(), groupsOf: groups };
}

function jsonOfRule(cedar: Cedar, text: string): PolicyJson {
  const read = cedar.policyToJson(text);
  if (read.type !== "success") throw new Error("a rule is not readable");
  return read.json;
}

/** Throws `NotSupported` with the name of the rule. */
function modelRule(cedar: Cedar, rule: Rule): ModelRule {
  try {
    return modelOf(jsonOfRule(cedar, rule.text), rule);
  } catch (error) {
    if (!(error instanceof NotSupported)) throw error;
    throw new NotSupported(`The rule ${rule.id} uses ${error.message}, which the search does not evaluate.`);
  }
}

const mostInvariants = 20;

/** Every rule of every text, or the faults of the first text that is not valid. */
function readInvariants(cedar: Cedar, texts: readonly string[]): ReadPolicy {
  const read = texts.map((text) => readPolicy(cedar, text, invariantSchemaText));
  const wrong = read.find((one) => "faults" in one);
  if (wrong !== undefined) return wrong;
  const rules = read.flatMap((one) => ("rules" in one ? one.rules : []));
  const message = `At most ${mostInvariants} invariants`;
  return rules.length > mostInvariants
    ? { faults: [{ message, help: null, line: null, column: null }] }
    : { rules };
}

type Parts = {
  readonly cedar: Cedar;
  readonly ground: Ground;
  readonly policy: Policy;
  readonly models: readonly ModelRule[];
  readonly timeZone: string;
};

/** Asks Cedar about a world that the search found: a simpler one if Cedar confirms it, otherwise the world itself. */
const makeConfirm =
  ({ cedar, policy, timeZone }: Parts, question: Question, invariant: Rule) =>
  (world: World): World | undefined =>
    [simplify(question, world), world].find((one) => {
      const counts = countsOf(question.invariant, question.domains, one);
      return isConfirmed(cedar, question.ground, one, { policy, invariant, counts, timeZone });
    });

/** Whether nothing breaks the invariant even without a policy. */
function isVacuous(question: Question, limits: Limits): boolean {
  const { found, isComplete } = search({ ...question, rules: [] }, limits, (world) => world);
  return isComplete && found === undefined;
}

function searchOne(parts: Parts, invariant: Rule, limits: Limits): Result {
  const { cedar, ground, models, timeZone } = parts;
  const about = modelRule(cedar, invariant);
  const mentions = joinMentions([about, ...models].map((one) => one.mentions));
  const domains = domainsOf(mentions, ground, timeZone);
  const question: Question = { ground, domains, invariant: about, rules: models };
  const { found, tried, isComplete } = search(question, limits, makeConfirm(parts, question, invariant));
  const { id, reason: title } = invariant;
  const result = { id, title, reason: null, bounds: boundsOf(domains, mentions, { tried, timeZone }) };
  if (found === undefined)
    return {
      ...{ ...result, outcome: isComplete ? "none" : "stopped", counterexample: null },
      vacuous: isComplete && isVacuous(question, limits),
    };
  // Ordinary values are left out, unless the invariant is about them.
  const told = facts.filter((fact) => about.mentions.facts.has(fact) || found[fact] !== domains[fact][0]);
  const description = describeWorld(found, new Set(told), timeZone);
  return {
    ...{ ...result, outcome: "broken", vacuous: false },
    counterexample: { description, test: testOf(found, title) },
  };
}

const notSearched = ({ id, reason: title }: Rule, reason: string): Result => ({
  ...{ id, title, outcome: "not-searched", counterexample: null, vacuous: false, reason, bounds: null },
});

/** Runs one part of the work. A rule that the search does not evaluate is a result. */
function orReason<T>(work: () => T): T | string {
  try {
    return work();
  } catch (error) {
    if (error instanceof NotSupported) return error.message;
    throw error;
  }
}

/** Searches for a counterexample to each invariant. Faults of the texts and limits are results. */
export function findCounterexamples(cedar: Cedar, asked: Asked, { most, searchMs, usedMs }: Budget): Found {
  const { account, text, timeZone } = asked;
  const read = readPolicy(cedar, text);
  if ("faults" in read) return { faults: read.faults, of: "policy" };
  const invariants = readInvariants(cedar, asked.invariants);
  if ("faults" in invariants) return { faults: invariants.faults, of: "invariants" };
  const models = orReason(() => read.rules.map((rule) => modelRule(cedar, rule)));
  if (typeof models === "string") return { results: invariants.rules.map((one) => notSearched(one, models)) };
  const ground = groundOf(cedar, account);
  const parts = { cedar, ground, models, timeZone, policy: draftPolicy(text, read.rules) };
  const begin = usedMs();
  const results = invariants.rules.map((invariant, index) => {
    // Each gets an equal share of the time that is left.
    const now = usedMs();
    const until = now + (begin + searchMs - now) / (invariants.rules.length - index);
    const result = orReason(() => searchOne(parts, invariant, { most, isLate: () => usedMs() > until }));
    return typeof result === "string" ? notSearched(invariant, result) : result;
  });
  return { results };
}
