// Compiles Cedar's expressions into functions, so that a search can evaluate thousands of requests in a second. Facts without a
// value yet are unknown: a result that is not unknown is what Cedar returns, or Cedar fails.
import type { CedarValueJson, Expr } from "@cedar-policy/cedar-wasm/nodejs";
import { callExtension, isExtension } from "./extensions.ts";
import {
  entity,
  EvaluationFailed,
  hasItem,
  isEqual,
  long,
  NotSupported,
  record,
  unknown,
  type Entity,
  type RecordValue,
  type SetValue,
  type Unknown,
  type Value,
} from "./values.ts";

export type Environment = {
  readonly principal: Entity | Unknown;
  readonly action: Entity | Unknown;
  readonly resource: Entity | Unknown;
  readonly context: RecordValue;
  /** The ancestors of an entity, without itself. */
  readonly ancestorsOf: (one: Entity) => readonly Entity[];
};

export type Term = (environment: Environment) => Value | Unknown;

/** Reads the JSON notation of a value. */
export function valueOf(json: CedarValueJson): Value {
  if (typeof json === "boolean" || typeof json === "string") return json;
  if (typeof json === "number") {
    if (!Number.isSafeInteger(json)) throw new NotSupported("numbers above 2^53-1");
    return BigInt(json);
  }
  if (json === null) throw new NotSupported("null");
  if (Array.isArray(json)) return { kind: "set", items: json.map(valueOf) };
  if ("__entity" in json) {
    const { type, id } = json.__entity as { readonly type: string; readonly id: string };
    return entity(type, id);
  }
  if ("__extn" in json) throw new NotSupported("a value of an extension type");
  return record(Object.fromEntries(Object.entries(json).map(([name, value]) => [name, valueOf(value)])));
}

const isTruth = (value: Value | Unknown): boolean | Unknown => {
  if (value === unknown || typeof value === "boolean") return value;
  throw new EvaluationFailed("not a truth value");
};

/** Runs a term whose failure decides nothing yet, because it may never be reached. */
function attempt(term: Term, environment: Environment): Value | Unknown {
  try {
    return term(environment);
  } catch (error) {
    if (error instanceof EvaluationFailed) return unknown;
    throw error;
  }
}

export const and =
  (left: Term, right: Term): Term =>
  (environment) => {
    const first = isTruth(left(environment));
    if (first === false) return false;
    if (first === true) return isTruth(right(environment));
    return attempt(right, environment) === false ? false : unknown;
  };

const or =
  (left: Term, right: Term): Term =>
  (environment) => {
    const first = isTruth(left(environment));
    if (first === true) return true;
    if (first === false) return isTruth(right(environment));
    return attempt(right, environment) === true ? true : unknown;
  };

export const not =
  (term: Term): Term =>
  (environment) => {
    const value = isTruth(term(environment));
    return value === unknown ? unknown : !value;
  };

const choose =
  (condition: Term, then: Term, otherwise: Term): Term =>
  (environment) => {
    const value = isTruth(condition(environment));
    if (value !== unknown) return (value ? then : otherwise)(environment);
    const [one, other] = [attempt(then, environment), attempt(otherwise, environment)];
    return isEqual(one, other) === true ? one : unknown;
  };

/** Applies a function of known values. */
const strict =
  (
    terms: readonly Term[],
    apply: (values: readonly Value[], environment: Environment) => Value | Unknown,
  ): Term =>
  (environment) => {
    const values = terms.map((term) => term(environment));
    return values.every((value) => value !== unknown) ? apply(values, environment) : unknown;
  };

const two = (left: Term, right: Term, apply: (one: Value, other: Value) => Value | Unknown): Term =>
  strict([left, right], ([one, other]) => {
    if (one === undefined || other === undefined) throw new EvaluationFailed("too few operands");
    return apply(one, other);
  });

/** Returns the number of a Long, a datetime or a duration. */
function numberOf(value: Value): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "object" && (value.kind === "datetime" || value.kind === "duration")) return value.n;
  throw new EvaluationFailed("not a number");
}

function setOf(value: Value): SetValue {
  if (typeof value === "object" && value.kind === "set") return value;
  throw new EvaluationFailed("not a set");
}

function entityOf(value: Value): Entity {
  if (typeof value === "object" && value.kind === "entity") return value;
  throw new EvaluationFailed("not an entity");
}

const comparisons: Readonly<Record<string, (one: Value, other: Value) => Value | Unknown>> = {
  "==": isEqual,
  "!=": (one, other) => {
    const equal = isEqual(one, other);
    return equal === unknown ? unknown : !equal;
  },
  "<": (one, other) => numberOf(one) < numberOf(other),
  "<=": (one, other) => numberOf(one) <= numberOf(other),
  ">": (one, other) => numberOf(one) > numberOf(other),
  ">=": (one, other) => numberOf(one) >= numberOf(other),
  "+": (one, other) => long(numberOf(one) + numberOf(other)),
  "-": (one, other) => long(numberOf(one) - numberOf(other)),
  "*": (one, other) => long(numberOf(one) * numberOf(other)),
  contains: (one, other) => hasItem(setOf(one), other),
  containsAll: (one, other) => setOf(other).items.every((item) => hasItem(setOf(one), item)),
  containsAny: (one, other) => setOf(other).items.some((item) => hasItem(setOf(one), item)),
};

/** Whether an entity is another or below it, or below one of a set. */
export function isIn(one: Entity, above: Value, { ancestorsOf }: Environment): boolean {
  const line = [one, ...ancestorsOf(one)];
  const groups = typeof above === "object" && above.kind === "set" ? above.items : [above];
  return groups.some((group) => line.some((each) => isEqual(each, group) === true));
}

function member(value: Value | Unknown, name: string): Value | Unknown {
  if (value === unknown) return unknown;
  if (typeof value !== "object" || value.kind !== "record" || !Object.hasOwn(value.fields, name))
    throw new EvaluationFailed(`no member ${name}`);
  return value.fields[name] ?? unknown;
}

function hasMember(value: Value | Unknown, [name = "", ...deeper]: readonly string[]): boolean | Unknown {
  if (value === unknown) return unknown;
  if (typeof value !== "object" || value.kind !== "record") return false;
  if (!Object.hasOwn(value.fields, name)) return false;
  const found = value.fields[name] ?? unknown;
  // A member without a value yet may also turn out to be missing.
  if (deeper.length === 0) return found === unknown && value.fields[name] === unknown ? unknown : true;
  return hasMember(found, deeper);
}

type PatternElement = "Wildcard" | { readonly Literal: string };

const patternOf = (elements: readonly PatternElement[]): RegExp =>
  new RegExp(
    `^${elements.map((one) => (one === "Wildcard" ? "[^]*" : one.Literal.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"))).join("")}$`,
    "u",
  );

type Json = Readonly<Record<string, unknown>>;
type Sides = { readonly left: Expr; readonly right: Expr };

const structures: Readonly<Record<string, (body: never) => Term>> = {
  Value: (json: CedarValueJson) => {
    const value = valueOf(json);
    return () => value;
  },
  Var: (name: "principal" | "action" | "resource" | "context") => (environment) => environment[name],
  "!": ({ arg }: { readonly arg: Expr }) => not(compile(arg)),
  neg: ({ arg }: { readonly arg: Expr }) => strict([compile(arg)], ([one = 0n]) => long(-numberOf(one))),
  "&&": ({ left, right }: Sides) => and(compile(left), compile(right)),
  "||": ({ left, right }: Sides) => or(compile(left), compile(right)),
  in: ({ left, right }: Sides) =>
    strict([compile(left), compile(right)], ([one, above], environment) =>
      isIn(entityOf(one ?? false), above ?? false, environment),
    ),
  isEmpty: ({ arg }: { readonly arg: Expr }) =>
    strict([compile(arg)], ([one = false]) => setOf(one).items.length === 0),
  ".": ({ left, attr }: { readonly left: Expr; readonly attr: string }) => {
    const term = compile(left);
    return (environment) => member(term(environment), attr);
  },
  has: ({ left, attr }: { readonly left: Expr; readonly attr: string | readonly string[] }) => {
    const term = compile(left);
    const path = typeof attr === "string" ? [attr] : attr;
    return (environment) => hasMember(term(environment), path);
  },
  like: ({ left, pattern }: { readonly left: Expr; readonly pattern: readonly PatternElement[] }) => {
    const expected = patternOf(pattern);
    return strict([compile(left)], ([text]) => typeof text === "string" && expected.test(text));
  },
  is: ({ left, entity_type: type, in: above }: { left: Expr; entity_type: string; in?: Expr }) => {
    const isOfType = strict([compile(left)], ([one = false]) => entityOf(one).type === type);
    return above === undefined ? isOfType : and(isOfType, compile({ in: { left, right: above } }));
  },
  "if-then-else": (body: { readonly if: Expr; readonly then: Expr; readonly else: Expr }) =>
    choose(compile(body.if), compile(body.then), compile(body.else)),
  Set: (items: readonly Expr[]) => strict(items.map(compile), (values) => ({ kind: "set", items: values })),
  Record: (members: Readonly<Record<string, Expr>>) => {
    const entries = Object.entries(members).map(([name, expr]) => [name, compile(expr)] as const);
    return (environment) =>
      record(Object.fromEntries(entries.map(([name, term]) => [name, term(environment)])));
  },
};

/** Throws `NotSupported` for a part of the language that the search does not evaluate. */
export function compile(expr: Expr): Term {
  const [entry] = Object.entries(expr as Json);
  if (entry === undefined) throw new NotSupported("an empty expression");
  const [operator, body] = entry;
  const structure = structures[operator];
  if (structure !== undefined) return structure(body as never);
  const comparison = comparisons[operator];
  if (comparison !== undefined) {
    const { left, right } = body as Sides;
    return two(compile(left), compile(right), comparison);
  }
  if (!isExtension(operator) || !Array.isArray(body)) throw new NotSupported(`${operator}()`);
  return strict((body as readonly Expr[]).map(compile), (values) => callExtension(operator, values));
}
