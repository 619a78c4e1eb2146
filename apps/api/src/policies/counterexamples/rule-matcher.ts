// A rule of Cedar as a function of a request.
import type { EntityUid, PolicyJson } from "@cedar-policy/cedar-wasm/nodejs";
import { and, compile, isIn, not, type Environment, type Term } from "./expressions.ts";
import {
  entity,
  EvaluationFailed,
  isEqual,
  NotSupported,
  unknown,
  type Entity,
  type Unknown,
} from "./values.ts";

/** Whether the rule is about a request. "failed" where Cedar fails. */
export type Matches = (environment: Environment) => boolean | Unknown | "failed";

const uidOf = (uid: EntityUid): Entity => {
  const { type, id } = "__entity" in uid ? uid.__entity : uid;
  return entity(type, id);
};

type Constraint = PolicyJson["principal"] | PolicyJson["action"] | PolicyJson["resource"];
type Position = "principal" | "action" | "resource";

/** The entities that the head of a rule names at a position. */
export function namedIn(constraint: Constraint): readonly Entity[] {
  if (constraint.op === "All") return [];
  if (constraint.op === "is")
    return constraint.in !== undefined && "entity" in constraint.in ? [uidOf(constraint.in.entity)] : [];
  if ("entities" in constraint) return constraint.entities.map(uidOf);
  if ("entity" in constraint) return [uidOf(constraint.entity)];
  throw new NotSupported("a slot");
}

const at =
  (position: Position, test: (one: Entity, environment: Environment) => boolean): Term =>
  (environment) => {
    const one = environment[position];
    return one === unknown ? unknown : test(one, environment);
  };

function headTerm(position: Position, constraint: Constraint): Term {
  const named = namedIn(constraint);
  switch (constraint.op) {
    case "All":
      return () => true;
    case "==":
      return at(position, (one) => named.some((other) => isEqual(one, other) === true));
    case "in":
      return at(position, (one, environment) => named.some((above) => isIn(one, above, environment)));
    case "is":
      return at(
        position,
        (one, environment) =>
          one.type === constraint.entity_type &&
          (named.length === 0 || named.some((above) => isIn(one, above, environment))),
      );
  }
}

/** Throws `NotSupported` for a part of the language that the search does not evaluate. */
export function matcherOf({ principal, action, resource, conditions }: PolicyJson): Matches {
  const bodies = conditions.map(({ kind, body }) => (kind === "when" ? compile(body) : not(compile(body))));
  const heads = [
    headTerm("principal", principal),
    headTerm("action", action),
    headTerm("resource", resource),
  ];
  const term = [...heads, ...bodies].reduce(and);
  return (environment) => {
    try {
      const value = term(environment);
      return value === unknown ? unknown : value === true;
    } catch (error) {
      if (error instanceof EvaluationFailed) return "failed";
      throw error;
    }
  };
}
