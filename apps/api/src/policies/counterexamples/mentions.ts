// Finds which facts a rule asks about, and the values that it compares them with.
import type { Expr, PolicyJson } from "@cedar-policy/cedar-wasm/nodejs";
import { compile } from "./expressions.ts";
import { namedIn } from "./rule-matcher.ts";
import { EvaluationFailed, record, unknown, type Entity, type Value } from "./values.ts";
import type { Fact } from "./world.ts";

export type Mentions = {
  readonly facts: ReadonlySet<Fact>;
  /** Members of the context, such as clock.hour, with the values they are compared with. */
  readonly literals: ReadonlyMap<string, readonly Value[]>;
  /** Texts with which `like` compares members, "*" for the wildcard. */
  readonly patterns: readonly string[];
  /** Agents, accounts, actions and recipients. */
  readonly entities: readonly Entity[];
};

const day = ["count", "effects"] as const;
const factsOfPath: Readonly<Record<string, readonly Fact[]>> = {
  chain: ["chain"],
  asset: ["asset"],
  amount: ["amount"],
  recipient: ["known"],
  request: ["signed"],
  byEffect: ["byEffect"],
  clock: ["at"],
  effects: ["effects"],
  usd: ["usd", "effects"],
  day: ["usd", "amount", "known", ...day],
  "day.count": ["count"],
  "day.usd": ["usd", ...day],
  "day.usdToNew": ["usd", "known", ...day],
  "day.micro": ["amount", ...day],
  "day.microToNew": ["amount", "known", ...day],
};

const factsOf = (path: string): readonly Fact[] =>
  factsOfPath[path] ?? factsOfPath[path.split(".")[0] ?? ""] ?? [];

const factOfVariable: Readonly<Record<string, Fact>> = {
  principal: "agent",
  action: "act",
  resource: "recipient",
};

type Found = {
  readonly paths: Set<string>;
  readonly variables: Set<string>;
  readonly values: Value[];
  readonly patterns: string[];
};
const nothing = (): Found => ({ paths: new Set(), variables: new Set(), values: [], patterns: [] });

type Node = Readonly<Record<string, unknown>>;
const isNode = (one: unknown): one is Node => typeof one === "object" && one !== null;
const onlyEntry = (expr: Expr): readonly [string, unknown] => Object.entries(expr as Node)[0] ?? ["", null];

/** The path of a member of the context, or undefined. */
function pathOf(expr: Expr): string | undefined {
  const [operator, body] = onlyEntry(expr);
  if (operator === "Var") return body === "context" ? "" : undefined;
  if ((operator !== "." && operator !== "has") || !isNode(body)) return undefined;
  const above = pathOf(body["left"] as Expr);
  if (above === undefined) return undefined;
  return [...(above === "" ? [] : [above]), ...[body["attr"]].flat()].join(".");
}

const emptyEnvironment = {
  ...{ principal: unknown, action: unknown, resource: unknown, context: record({}) },
  ancestorsOf: () => [],
} as const;

/** The value of an expression without variables. */
function constantOf(expr: Expr): Value | undefined {
  if (JSON.stringify(expr).includes('{"Var":')) return undefined;
  try {
    const value = compile(expr)(emptyEnvironment);
    return value === unknown ? undefined : value;
  } catch (error) {
    if (error instanceof EvaluationFailed) return undefined;
    throw error;
  }
}

/** The parts of an expression that are expressions. */
function partsOf(body: unknown): readonly Expr[] {
  if (Array.isArray(body)) return body as Expr[];
  if (!isNode(body)) return [];
  return Object.entries(body).flatMap(([name, part]) =>
    name !== "pattern" && isNode(part) ? [part as unknown as Expr] : [],
  );
}

const flat = (value: Value): readonly Value[] =>
  typeof value === "object" && value.kind === "set" ? value.items.flatMap(flat) : [value];

function gather(expr: Expr, found: Found): Found {
  const path = pathOf(expr);
  if (path !== undefined) {
    found.paths.add(path);
    return found;
  }
  const constant = constantOf(expr);
  if (constant !== undefined) {
    found.values.push(...flat(constant));
    return found;
  }
  const [operator, body] = onlyEntry(expr);
  if (operator === "Var") found.variables.add(String(body));
  if (operator === "like" && isNode(body))
    found.patterns.push(
      (body["pattern"] as readonly ("Wildcard" | { readonly Literal: string })[])
        .map((one) => (one === "Wildcard" ? "*" : one.Literal))
        .join(""),
    );
  for (const part of partsOf(body)) gather(part, found);
  return found;
}

const connectives = new Set(["&&", "||", "!", "if-then-else"]);

/** The comparisons that an expression consists of. */
function comparisonsOf(expr: Expr): readonly Expr[] {
  const [operator, body] = onlyEntry(expr);
  return connectives.has(operator) ? partsOf(body).flatMap(comparisonsOf) : [expr];
}

const isEntity = (value: Value): value is Entity => typeof value === "object" && value.kind === "entity";

/** Returns what a rule asks about. */
export function mentionsOf({ principal, action, resource, conditions }: PolicyJson): Mentions {
  const comparisons = conditions
    .flatMap(({ body }) => comparisonsOf(body))
    .map((expr) => gather(expr, nothing()));
  const literals = new Map<string, Value[]>();
  for (const { paths, values } of comparisons)
    for (const path of paths) literals.set(path, [...(literals.get(path) ?? []), ...values]);
  const heads = { principal, action, resource };
  const variables = [
    ...Object.entries(heads).flatMap(([name, { op }]) => (op === "All" ? [] : [name])),
    ...comparisons.flatMap((one) => [...one.variables]),
  ];
  return {
    facts: new Set([
      ...variables.flatMap((name) => factOfVariable[name] ?? []),
      ...[...literals.keys()].flatMap(factsOf),
    ]),
    literals,
    patterns: comparisons.flatMap(({ patterns }) => patterns),
    entities: [
      ...Object.values(heads).flatMap(namedIn),
      ...comparisons.flatMap(({ values }) => values.filter(isEntity)),
    ],
  };
}

/** Joins what several rules ask about. */
export function joinMentions(all: readonly Mentions[]): Mentions {
  const literals = new Map<string, readonly Value[]>();
  for (const one of all)
    for (const [path, values] of one.literals) literals.set(path, [...(literals.get(path) ?? []), ...values]);
  return {
    facts: new Set(all.flatMap(({ facts }) => [...facts])),
    literals,
    patterns: all.flatMap(({ patterns }) => patterns),
    entities: all.flatMap(({ entities }) => entities),
  };
}
