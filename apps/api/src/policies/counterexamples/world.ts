// A world is one transaction with its history: everything that a policy or an invariant can ask about. A search fills it in fact by fact.
import type { Environment } from "./expressions.ts";
import {
  entity,
  record,
  unknown,
  type Entity,
  type RecordValue,
  type Unknown,
  type Value,
} from "./values.ts";

export type Instant = { readonly ms: number; readonly hour: number; readonly weekday: number };
export type Amount = { readonly micro: bigint; readonly isUnbounded: boolean };

export type World = {
  readonly act: string;
  /** The CAIP-10 id that benefits. Null: the account itself. */
  readonly recipient: string | null;
  /** Whether the recipient was paid before. */
  readonly known: boolean;
  readonly chain: number;
  readonly asset: string | null;
  /** Null: it has no limit or cannot be counted. */
  readonly amount: Amount | null;
  /** So many equal transactions in 24 hours, with this one. */
  readonly count: number;
  /** So many equal effects in this transaction. */
  readonly effects: number;
  /** Ten-thousandths of a dollar that each effect is worth. A policy does not see it. */
  readonly usd: bigint;
  readonly at: Instant;
  readonly signed: boolean;
  /** Whether the contract is unknown, so that it was checked by its effect. */
  readonly byEffect: boolean;
  readonly agent: string;
};

export type Fact = keyof World;
export type Partly = Readonly<Partial<World>>;

/** All facts, in the order in which a search prefers to choose them. */
export const facts: readonly Fact[] = [
  ...(["act", "recipient", "known", "count", "effects", "chain", "asset", "amount", "usd", "at"] as const),
  ...(["signed", "byEffect", "agent"] as const),
];

/** The largest number of micro-units that a request carries. */
export const mostMicro = BigInt(Number.MAX_SAFE_INTEGER);

/** The chain of a CAIP-10 or CAIP-19 id. */
export const chainOf = (id: string): number => Number(/^eip155:(\d+)[:/]/.exec(id)?.[1] ?? Number.NaN);

/** Whether an id can belong to a transaction on a chain. A bridge pays on another one. */
function isPlaced(id: string | null | undefined, chain: number | undefined, isBridge: boolean): boolean {
  return id == null || chain === undefined || isBridge || chainOf(id) === chain;
}

/** False if no transaction can have these facts. Facts without a value yet are not looked at. */
export function isConsistent({ act, recipient, known, chain, asset, amount, usd }: Partly): boolean {
  const mayBridge = act === undefined || act === "bridge";
  if (recipient === null && known === false) return false;
  if (!isPlaced(recipient, chain, mayBridge) || !isPlaced(asset, chain, false)) return false;
  if (asset === null && amount != null) return false;
  return amount?.micro !== 0n || usd === undefined || usd === 0n;
}

const orUnknown = <T>(value: T | undefined, read: (known: T) => Value): Value | Unknown =>
  value === undefined ? unknown : read(value);
/** Members with null are left out, as optional facts are. */
const optional = <T>(
  name: string,
  value: T | null | undefined,
  read: (known: T) => Value,
): RecordValue["fields"] => (value === null ? {} : { [name]: value === undefined ? unknown : read(value) });

const clockOf = (at: Instant | undefined): Value =>
  record({
    at: orUnknown(at, ({ ms }) => ({ kind: "datetime", n: BigInt(ms) })),
    hour: orUnknown(at, ({ hour }) => BigInt(hour)),
    weekday: orUnknown(at, ({ weekday }) => BigInt(weekday)),
  });

const dollars = (n: bigint): Value => ({ kind: "decimal", n });
const mostDollars = 2n ** 63n - 1n;
const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/** Adds up equal payments. An amount that is not known counts as the largest. */
function sumsOf({ amount, usd, count, effects, recipient, known }: Partly): RecordValue["fields"] {
  const times = count === undefined || effects === undefined ? undefined : BigInt(count * effects);
  const micro =
    amount === undefined || times === undefined
      ? unknown
      : amount === null || amount.isUnbounded
        ? mostMicro
        : least(amount.micro * times, mostMicro);
  const money = usd === undefined || times === undefined ? unknown : dollars(least(usd * times, mostDollars));
  const isNew = recipient === null ? false : known === undefined ? unknown : !known;
  const toNew = <T extends Value>(sum: T | Unknown, nothing: T): T | Unknown =>
    isNew === unknown ? unknown : isNew ? sum : nothing;
  return { usd: money, usdToNew: toNew(money, dollars(0n)), micro, microToNew: toNew(micro, 0n) };
}

const amountOf = ({ micro, isUnbounded }: Amount): Value => record({ micro, unbounded: isUnbounded });

/** The worth of an effect as a policy sees it. Null if the amount or the price is not known. */
export function worthOf({ amount, usd }: Pick<Partly, "amount" | "usd">): bigint | null | undefined {
  if (amount === null) return null;
  if (amount === undefined || usd === undefined) return undefined;
  // Prices are positive and rounded up, so that an amount without any dollars has no price.
  return usd === 0n && amount.micro > 0n ? null : usd;
}

const usdOf = (world: Partly, times: number | undefined): RecordValue["fields"] => {
  const worth = worthOf(world);
  if (times === undefined && worth !== null) return { usd: unknown };
  return optional("usd", worth, (usd) => dollars(least(usd * BigInt(times ?? 1), mostDollars)));
};

const effectContext = (world: Partly): RecordValue["fields"] => {
  const { chain, asset, amount, known, signed, byEffect, at } = world;
  return {
    chain: orUnknown(chain, BigInt),
    ...optional("asset", asset, (id) => id),
    ...optional("amount", amount, amountOf),
    ...usdOf(world, 1),
    recipient: record({ known: orUnknown(known, Boolean) }),
    byEffect: orUnknown(byEffect, Boolean),
    request: record({ signed: orUnknown(signed, Boolean) }),
    clock: clockOf(at),
  };
};

const wholeContext = (world: Partly): RecordValue["fields"] => {
  const { chain, effects, count, signed, byEffect, at } = world;
  return {
    chain: orUnknown(chain, BigInt),
    effects: orUnknown(effects, BigInt),
    ...usdOf(world, effects),
    day: record({ count: orUnknown(count, BigInt) }),
    byEffect: orUnknown(byEffect, Boolean),
    request: record({ signed: orUnknown(signed, Boolean) }),
    clock: clockOf(at),
  };
};

/** Returns the members that only an invariant sees: sums, the whole transaction with each effect, and dollars without a price. */
function beyond(world: Partly, kind: "effect" | "whole"): RecordValue["fields"] {
  const { usd, effects, count } = world;
  const times = kind === "effect" ? 1n : effects === undefined ? undefined : BigInt(effects);
  return {
    usd: usd === undefined || times === undefined ? unknown : dollars(least(usd * times, mostDollars)),
    effects: orUnknown(effects, BigInt),
    day: record({ count: orUnknown(count, BigInt), ...sumsOf(world) }),
  };
}

const type = (name: string): string => `Countersign::${name}`;

/** Facts about the account and the schema that no search changes. */
export type Ground = {
  readonly account: string;
  /** The groups of each action. */
  readonly groupsOf: (act: string) => readonly string[];
};

const action = (act: string): Entity => entity(type("Action"), act);

/** The requests about a world: one for its effects, which are equal, and one for the whole. */
export type Requests = readonly [effect: Environment, whole: Environment];

function environmentsOf(
  { account, groupsOf }: Ground,
  world: Partly,
  contexts: readonly [effect: RecordValue["fields"], whole: RecordValue["fields"]],
): Requests {
  const self = entity(type("Account"), account);
  const principal: Entity | Unknown =
    world.agent === undefined ? unknown : entity(type("Agent"), world.agent);
  const ancestorsOf = (one: Entity): readonly Entity[] => {
    if (one.type === type("Agent")) return [self];
    return one.type === type("Action") ? groupsOf(one.id).map(action) : [];
  };
  const resource: Entity | Unknown =
    world.recipient === undefined
      ? unknown
      : world.recipient === null
        ? self
        : entity(type("Recipient"), world.recipient);
  const common = { principal, ancestorsOf };
  return [
    {
      ...{ ...common, resource, context: record(contexts[0]) },
      action: world.act === undefined ? unknown : action(world.act),
    },
    { ...common, resource: self, action: action("execute"), context: record(contexts[1]) },
  ];
}

/** The requests as a policy sees them. */
export const seenByPolicy = (ground: Ground, world: Partly): Requests =>
  environmentsOf(ground, world, [effectContext(world), wholeContext(world)]);

/** The requests as an invariant sees them. */
export const seenByInvariant = (ground: Ground, world: Partly): Requests =>
  environmentsOf(ground, world, [
    { ...effectContext(world), ...beyond(world, "effect") },
    { ...wholeContext(world), ...beyond(world, "whole") },
  ]);
