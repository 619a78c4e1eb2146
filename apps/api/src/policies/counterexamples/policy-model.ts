// A policy and an invariant as functions of a world.
import type { PolicyJson } from "@cedar-policy/cedar-wasm/nodejs";
import type { Rule } from "../rules.ts";
import { mentionsOf, type Mentions } from "./mentions.ts";
import { matcherOf, type Matches } from "./rule-matcher.ts";
import { unknown, type Unknown } from "./values.ts";
import { seenByInvariant, seenByPolicy, worthOf, type Ground, type Partly, type Requests } from "./world.ts";

export type ModelRule = {
  readonly matches: Matches;
  readonly mentions: Mentions;
  /** Optional facts without which the owner is asked. */
  readonly needs: Rule["needs"];
  /** The one action that it is about. Null for several. */
  readonly action: Rule["action"];
};

export const modelOf = (json: PolicyJson, { needs, action }: Pick<Rule, "needs" | "action">): ModelRule => ({
  ...{ needs, action, matches: matcherOf(json), mentions: mentionsOf(json) },
});

/** Whether a request lacks a fact that the rule reads, as `missingFor` of `decide.ts` has it. */
function isMissing({ needs, action }: ModelRule, world: Partly): boolean | Unknown {
  const { act, asset, amount } = world;
  if (needs.length === 0) return false;
  const facts = { asset, amount, usd: worthOf(world) } as const;
  // Dollars are the only fact that the whole transaction can lack.
  if (action === "execute" && !needs.includes("usd")) return false;
  if (action !== null && action !== "execute" && act === undefined) return unknown;
  if (action !== null && action !== "execute" && act !== action) return false;
  const lacking = (["asset", "amount", "usd"] as const)
    .filter((name) => needs.includes(name) && (action !== "execute" || name === "usd"))
    .map((name) => facts[name]);
  if (lacking.includes(null)) return true;
  return lacking.includes(undefined) ? unknown : false;
}

/** Whether the rule asks the owner or denies. A rule that fails asks. */
export function objects(rule: ModelRule, requests: Requests, world: Partly): boolean | Unknown {
  const results = [isMissing(rule, world), ...requests.map((request) => rule.matches(request))];
  if (results.some((one) => one === true || one === "failed")) return true;
  return results.includes(unknown) ? unknown : false;
}

/** Whether an invariant is about the world. */
export function isAbout({ matches }: ModelRule, ground: Ground, world: Partly): boolean | Unknown {
  const results = seenByInvariant(ground, world).map(matches);
  if (results.includes(true)) return true;
  return results.includes(unknown) ? unknown : false;
}

/** Whether no rule objects to a complete world. */
export function passes(rules: readonly ModelRule[], ground: Ground, world: Partly): boolean {
  const requests = seenByPolicy(ground, world);
  return rules.every((rule) => objects(rule, requests, world) === false);
}
