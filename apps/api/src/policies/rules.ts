// Reads a policy: Cedar text in which every rule forbids. A rule denies, or with @outcome("ask") asks the owner.
import type { DetailedError, PolicyJson } from "@cedar-policy/cedar-wasm/nodejs";
import type { Cedar } from "./cedar.ts";
import { optionalFacts, schemaText } from "./schema.ts";

export type Outcome = "ask" | "deny";

export type Rule = {
  readonly id: string;
  readonly outcome: Outcome;
  /** The owner's words for it, as in "Needs you because: …". */
  readonly reason: string;
  /** The one action that it is about. Null for several. */
  readonly action: string | null;
  /** The facts it reads that may be missing. */
  readonly needs: readonly string[];
  /** Whether it reads `byEffect`: the owner has decided what may be done with unknown contracts. */
  readonly readsByEffect: boolean;
  readonly text: string;
};

export type Fault = {
  readonly message: string;
  readonly help: string | null;
  /** From 1. Null if it is about the whole text. */
  readonly line: number | null;
  readonly column: number | null;
};

export type ReadPolicy = { readonly rules: readonly Rule[] } | { readonly faults: readonly Fault[] };

const mostRules = 200;
const isId = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** Cedar counts bytes of UTF-8. */
function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const lines = Buffer.from(text, "utf8").subarray(0, offset).toString("utf8").split("\n");
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

function faultOf(text: string, { message, help, sourceLocations = [] }: DetailedError): Fault {
  const [first] = sourceLocations;
  const place = first === undefined ? { line: null, column: null } : placeOf(text, first.start);
  return { message, help, ...place };
}

const fault = (message: string): Fault => ({ message, help: null, line: null, column: null });

/** The same fault is found once for each action that a rule is about. */
const withoutRepetition = (faults: readonly Fault[]): readonly Fault[] => [
  ...new Map(faults.map((one) => [`${one.line}:${one.column}`, one])).values(),
];

/** Names of optional facts anywhere in the conditions of a rule. */
function needsOf({ conditions }: PolicyJson): readonly string[] {
  const written = JSON.stringify(conditions);
  return optionalFacts.filter((name) => written.includes(`"attr":"${name}"`));
}

const readsByEffect = ({ conditions }: PolicyJson): boolean =>
  JSON.stringify(conditions).includes('"attr":"byEffect"');

const actionOf = ({ action }: PolicyJson): string | null =>
  action.op === "==" && "entity" in action && "id" in action.entity ? action.entity.id : null;

/** Returns a rule, or why it is not one of ours. */
function ruleOf(text: string, json: PolicyJson): Rule | string {
  const { id, outcome = "deny", reason = id } = json.annotations ?? {};
  if (id == null || !isId.test(id)) return 'Every rule needs an @id of small letters, digits and "-"';
  if (json.effect !== "forbid") return `${id}: a policy only narrows. Write forbid; mandates permit`;
  if (outcome !== "ask" && outcome !== "deny") return `${id}: @outcome must be "ask" or "deny"`;
  if (reason == null || reason.length > 200 || /[\p{Cc}\p{Cf}]/u.test(reason))
    return `${id}: @reason must be at most 200 visible characters`;
  return {
    ...{ id, outcome, reason, action: actionOf(json), needs: needsOf(json) },
    ...{ readsByEffect: readsByEffect(json), text },
  };
}

function readRules(cedar: Cedar, text: string): ReadPolicy {
  const parts = cedar.policySetTextToParts(text);
  if (parts.type !== "success") return { faults: parts.errors.map((error) => faultOf(text, error)) };
  if (parts.policy_templates.length > 0) return { faults: [fault("Templates with slots are not rules")] };
  if (parts.policies.length > mostRules) return { faults: [fault(`At most ${mostRules} rules`)] };
  const read = parts.policies.map((one) => {
    const json = cedar.policyToJson(one);
    return json.type === "success" ? ruleOf(one, json.json) : "A rule is not readable";
  });
  const rules = read.filter((one) => typeof one !== "string");
  const faults = read.filter((one) => typeof one === "string").map(fault);
  const twice = rules.find(({ id }, index) => rules.findIndex((other) => other.id === id) !== index);
  if (twice !== undefined) faults.push(fault(`${twice.id}: two rules have this @id`));
  return faults.length > 0 ? { faults } : { rules };
}

/** Returns the rules, or every fault with its position. Strict: an unknown name or a wrong type is a fault. */
export function readPolicy(cedar: Cedar, text: string, schema: string = schemaText): ReadPolicy {
  const parsed = cedar.checkParsePolicySet({ staticPolicies: text });
  if (parsed.type !== "success") return { faults: parsed.errors.map((error) => faultOf(text, error)) };
  const valid = cedar.validate({ schema, policies: { staticPolicies: text } });
  if (valid.type !== "success") return { faults: valid.errors.map((error) => faultOf(text, error)) };
  const faults = [...valid.validationErrors, ...valid.validationWarnings].map(({ error }) =>
    faultOf(text, error),
  );
  if (faults.length > 0) return { faults: withoutRepetition(faults) };
  return readRules(cedar, text);
}
