// Decides about a transaction. Nothing here permits: without an objection the mandates and the verdict decide as before.
import type { Cedar } from "./cedar.ts";
import { schemaOfRequests } from "./cedar.ts";
import { requestsOf, type Asked, type Facts, type Request } from "./requests.ts";
import type { Outcome, Rule } from "./rules.ts";

export type Decision = {
  readonly outcome: "allow" | Outcome;
  /** The rules that determined it, and their reasons. Empty if a fact was missing or a rule failed. */
  readonly rules: readonly Pick<Rule, "id" | "reason">[];
  /** The reason in a sentence. Null if nothing objects. */
  readonly message: string | null;
};

/** A parsed policy under a name that identifies its text. */
export type Policy = { readonly key: string; readonly rules: readonly Rule[] };

const allowed: Decision = { outcome: "allow", rules: [], message: null };
const ask = (message: string): Decision => ({ outcome: "ask", rules: [], message });

// Cedar never frees a parsed policy under a new name, so there are only so many names.
const slots = 256;
const slotOf = new Map<string, number>();
let next = 0;

/** Returns the name under which Cedar keeps the policy. Throws if it cannot be parsed. */
function prepare(cedar: Cedar, { key, rules }: Policy): string {
  const known = slotOf.get(key);
  if (known !== undefined) return `policy-${known}`;
  const slot = next++ % slots;
  for (const [other, its] of slotOf) if (its === slot) slotOf.delete(other);
  const staticPolicies = {
    ...Object.fromEntries(rules.map(({ id, text }) => [id, text])),
    "(default)": "permit (principal, action, resource);",
  };
  const parsed = cedar.preparsePolicySet(`policy-${slot}`, { staticPolicies });
  if (parsed.type !== "success") throw new Error(parsed.errors[0]?.message ?? "the policy is not readable");
  slotOf.set(key, slot);
  return `policy-${slot}`;
}

type Objections = { readonly ids: readonly string[] } | { readonly failure: string };

function objectionsTo(
  cedar: Cedar,
  preparedName: string,
  { missing: _missing, ...request }: Request,
  { entities }: Pick<Asked, "entities">,
): Objections {
  const answer = cedar.statefulIsAuthorized({
    ...{ ...request, context: { ...request.context }, entities: [...entities] },
    ...{ preparsedSchemaName: schemaOfRequests, validateRequest: true, preparsedPolicySetId: preparedName },
  });
  if (answer.type !== "success") return { failure: "A policy could not be evaluated" };
  const { decision, diagnostics } = answer.response;
  const [failed] = diagnostics.errors;
  // Cedar skips a rule that fails, and the default permits. Here the owner is asked.
  if (failed !== undefined) return { failure: `The rule ${failed.policyId} could not be evaluated` };
  return { ids: decision === "allow" ? [] : diagnostics.reason };
}

const idOf = ({ action }: Request): string => ("id" in action ? action.id : action.__entity.id);

/** Returns a rule that reads a fact which a request it may be about lacks. */
const missingFor = (rules: readonly Rule[], requests: readonly Request[]): Rule | undefined =>
  rules.find(({ action, needs }) =>
    requests
      .filter((request) => action === null || idOf(request) === action)
      .some(({ missing }) => needs.some((fact) => missing.includes(fact))),
  );

function collect(cedar: Cedar, policy: Policy, asked: Asked): Objections {
  const name = prepare(cedar, policy);
  const ids = new Set<string>();
  for (const request of asked.requests) {
    const found = objectionsTo(cedar, name, request, asked);
    if ("failure" in found) return found;
    for (const id of found.ids) ids.add(id);
  }
  return { ids: [...ids] };
}

/** The strictest outcome of all rules that object. Deny wins over a missing fact, which asks. */
function conclude(
  policy: Policy,
  asked: Asked,
  { ids, isUnvalued }: { readonly ids: readonly string[]; readonly isUnvalued: boolean },
): Decision {
  const objecting = policy.rules.filter(({ id }) => ids.includes(id));
  const denying = objecting.filter(({ outcome }) => outcome === "deny");
  const counted = denying.length > 0 ? denying : objecting;
  if (counted.length > 0)
    return {
      outcome: denying.length > 0 ? "deny" : "ask",
      rules: counted.map(({ id, reason }) => ({ id, reason })),
      message: counted.map(({ reason }) => reason).join("; "),
    };
  const undecided = missingFor(policy.rules, asked.requests);
  if (undecided !== undefined) return ask(`The rule ${undecided.id} needs a fact that is not known`);
  return isUnvalued ? ask("Your policy cannot tell how much this signature allows") : allowed;
}

type Judged = Omit<Facts, "moves"> & {
  readonly moves: Facts["moves"] | undefined;
  /** Data to sign, which its holder can use at any later time. */
  readonly isSignature: boolean;
};

/** Returns what the policy says. Anything that is missing, unknown or fails asks the owner. */
export function decide(cedar: Cedar, policy: Policy, { isSignature, moves, ...facts }: Judged): Decision {
  if (policy.rules.length === 0) return allowed;
  const asked = moves === undefined ? undefined : requestsOf({ ...facts, moves });
  if (asked === undefined) return ask("Your policy cannot tell what this transaction does");
  const isUnvalued = isSignature && (moves ?? []).some(({ uncountable }) => uncountable !== null);
  try {
    const found = collect(cedar, policy, asked);
    return "failure" in found ? ask(found.failure) : conclude(policy, asked, { ...found, isUnvalued });
  } catch {
    return ask("A policy could not be evaluated");
  }
}
