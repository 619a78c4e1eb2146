// Asks Cedar about a world, with the same code that decides about transactions. Only what Cedar confirms is reported.
import type { CedarValueJson } from "@cedar-policy/cedar-wasm/nodejs";
import type { Cedar } from "../cedar.ts";
import type { Policy } from "../decide.ts";
import type { Rule } from "../rules.ts";
import { invariantSchemaText } from "../schema.ts";
import { PolicyTest, runTests } from "../tests.ts";
import { testOf } from "./describe.ts";
import type { Environment } from "./expressions.ts";
import { unknown, type Entity, type Unknown, type Value } from "./values.ts";
import { seenByInvariant, type Ground, type World } from "./world.ts";

const decimalText = (n: bigint): string => {
  const digits = String(n < 0n ? -n : n).padStart(5, "0");
  return `${n < 0n ? "-" : ""}${digits.slice(0, -4)}.${digits.slice(-4)}`;
};

/** A value in Cedar's JSON notation. */
function jsonOf(value: Value | Unknown): CedarValueJson {
  if (value === unknown) throw new Error("a world without all facts");
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object") return value;
  switch (value.kind) {
    case "entity":
      return { __entity: { type: value.type, id: value.id } };
    case "decimal":
      return { __extn: { fn: "decimal", arg: decimalText(value.n) } };
    case "datetime":
      return { __extn: { fn: "datetime", arg: new Date(Number(value.n)).toISOString() } };
    case "duration":
      return { __extn: { fn: "duration", arg: `${value.n}ms` } };
    case "set":
      return value.items.map(jsonOf);
    case "record":
      return Object.fromEntries(Object.entries(value.fields).map(([name, one]) => [name, jsonOf(one)]));
  }
}

const uid = (one: Entity | Unknown): { readonly type: string; readonly id: string } => {
  if (one === unknown) throw new Error("a world without all facts");
  return { type: one.type, id: one.id };
};

/** The name of the schema of invariants among those that Cedar holds. */
export const schemaOfInvariants = "countersign-invariants-1";

/** Loads the schema of invariants into Cedar. */
export function loadInvariantSchema(cedar: Cedar): void {
  const parsed = cedar.preparseSchema(schemaOfInvariants, invariantSchemaText);
  if (parsed.type !== "success") throw new Error(`schema of invariants: ${parsed.errors[0]?.message ?? ""}`);
}

// Cedar never frees a parsed rule, so one name is used for all.
const slot = "replayed-rule";

/** Loads one rule into Cedar, and returns whether Cedar says that it is about a request. "failed" if Cedar fails. */
export function loadRule(
  cedar: Cedar,
  text: string,
  preparsedSchemaName: string,
): (request: Environment) => boolean | "failed" {
  const staticPolicies = { rule: text, all: "permit (principal, action, resource);" };
  const parsed = cedar.preparsePolicySet(slot, { staticPolicies });
  if (parsed.type !== "success") throw new Error(parsed.errors[0]?.message ?? "not readable");
  return ({ principal, action, resource, context, ancestorsOf }) => {
    const agent = uid(principal);
    const parents = principal === unknown ? [] : ancestorsOf(principal).map(uid);
    const others = new Map([...parents, uid(resource)].map((one) => [`${one.type} ${one.id}`, one]));
    const answer = cedar.statefulIsAuthorized({
      ...{ principal: agent, action: uid(action), resource: uid(resource) },
      context: jsonOf(context) as Record<string, CedarValueJson>,
      entities: [
        { uid: agent, attrs: {}, parents },
        ...[...others.values()].map((one) => ({ uid: one, attrs: {}, parents: [] })),
      ],
      ...{ preparsedSchemaName, validateRequest: true, preparsedPolicySetId: slot },
    });
    if (answer.type !== "success") throw new Error(answer.errors[0]?.message ?? "not readable");
    const { decision, diagnostics } = answer.response;
    return diagnostics.errors.length > 0 ? "failed" : decision === "deny";
  };
}

export type Replayed = {
  readonly policy: Policy;
  readonly invariant: Pick<Rule, "text">;
  /** The numbers of transactions on that day that have to pass: before this one, and this one. */
  readonly counts: readonly number[];
  readonly timeZone: string;
};

/** Whether Cedar lets the world pass under the policy, and the invariant is about it. */
export function isConfirmed(
  cedar: Cedar,
  ground: Ground,
  world: World,
  { policy, invariant, counts, timeZone }: Replayed,
): boolean {
  const tests = counts.map((count) => PolicyTest.parse({ ...testOf({ ...world, count }, "replay") }));
  const tested = runTests(cedar, policy, { tests, timeZone, account: ground.account });
  const isBroken = loadRule(cedar, invariant.text, schemaOfInvariants);
  return (
    tested.every(({ outcome }) => outcome === "allow") &&
    seenByInvariant(ground, world).some((request) => isBroken(request) === true)
  );
}
