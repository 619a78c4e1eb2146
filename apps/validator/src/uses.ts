/**
 * How an argument of a described function is accounted for. Every argument, tuple member, packed field and message member has
 * exactly one use; `defineProtocol` refuses a description that leaves one out.
 */
import type { AbiParameter } from "abitype";
import type { Hex } from "./proposal.ts";

/** The members of an effect that an argument can set. Each is compared with the request or covered by a check. */
export const fedSlots = {
  act: "decides which act the call is",
  asset: "the asset that leaves, arrives or may be taken",
  amount: "how much leaves or may be taken",
  minimum: "the least that must arrive",
  receiver: "who benefits",
  payer: "whose assets are used",
  spender: "who may take the asset",
  until: "how long an allowance lasts",
  deadline: "how long the call can be executed",
  fee: "the share that a third party keeps, and the party",
  toChain: "the chain it arrives on",
  admin: "a change of control: who, which role, how many",
  path: "the tokens along a route",
  terms: "the terms of an order",
  choice: "something the caller picked that must be known, stated or proven",
} as const;
export type FedSlot = keyof typeof fedSlots;

/** A value that is held against another one of the same call, or against a constant. A mismatch is a fault. */
export type Rule = "equal" | "at_most" | "at_least" | "one_of";

/** Why an argument cannot change what the owner loses, gains or allows. A closed list: adding one is a reviewed decision. */
export const inertReasons = {
  attribution: "Names who built or referred the call. The contract takes nothing from the caller for it.",
  signature: "A signature or proof over values that are read elsewhere. A wrong one makes the call fail.",
  replay: "A nonce or salt. It decides only whether the call is accepted, once.",
  bounded:
    "Moves the price only within the minimum or maximum that the called contract enforces and that is compared.",
  own_item:
    "Selects one of the caller's own items. The contract refuses items of others, and pays to the receiver that is read.",
  hint: "A search hint. A wrong one makes the call fail or cost more gas.",
  label: "Text or data that the contract only stores or emits.",
  unused: "Bits or bytes that the called contract never reads.",
  view: "An argument of a function that changes nothing.",
  gas_limit: "A limit for gas, which is paid only where it is used.",
  restricts: "Can only lower what the call costs, moves or allows.",
} as const;
export type InertReason = keyof typeof inertReasons;

/** One value found inside an argument, with its use and the bits it stands in, counted from the first bit of the data. */
export type OpenedLeaf = {
  readonly path: string;
  readonly value: unknown;
  readonly isAddress: boolean;
  readonly use: Use;
  readonly bits: readonly [number, number];
};

/** How to read what is inside an argument: bytes with an encoding of their own, or the fields packed into one word. */
export type Opening<V = unknown> = {
  /** The content, for the report: `address recipient, uint256 amount`. */
  readonly name: string;
  readonly fields: readonly AccountedField[];
  /** Throws on anything that its encoder would not write. */
  readonly read: (data: Hex) => { readonly values: V; readonly leaves: () => readonly OpenedLeaf[] };
};

export type Use =
  /** `when`: it has a meaning only under this condition, and is ignored by the contract otherwise. */
  | { readonly kind: "feeds"; readonly slots: readonly FedSlot[]; readonly when?: string }
  | { readonly kind: "compared"; readonly rule: Rule; readonly with: string }
  /** Read as calls of their own, or opened by one of these. */
  | { readonly kind: "opened"; readonly as: "calls" | readonly Opening[] }
  | { readonly kind: "inert"; readonly reason: InertReason };

const mapKeys = <K extends string, V>(table: Readonly<Record<K, unknown>>, make: (key: K) => V) =>
  Object.freeze(Object.fromEntries((Object.keys(table) as K[]).map((key) => [key, make(key)]))) as Readonly<
    Record<K, V>
  >;

/** `feeds.amount`: the argument sets that member of the effect. */
export const feeds = mapKeys(fedSlots, (slot): Use => ({ kind: "feeds", slots: [slot] }));
/** For one argument that sets several: `feedsAll("asset", "act")`. */
export const feedsAll = (...slots: readonly FedSlot[]): Use => ({ kind: "feeds", slots });
/** `feedsWhen("fee", "the gas price is not zero")`: otherwise the contract ignores the argument. */
export const feedsWhen = (slot: FedSlot, when: string): Use => ({ kind: "feeds", slots: [slot], when });
/** `compared("equal", "the number of recipients")`. */
export const compared = (rule: Rule, other: string): Use => ({ kind: "compared", rule, with: other });
/** `inert.attribution`. */
export const inert = mapKeys(inertReasons, (reason): Use => ({ kind: "inert", reason }));
/** The bytes, or target, value and data, are calls that the engine reads in turn. */
export const openedAsCalls: Use = { kind: "opened", as: "calls" };
/** The value is opened by one of these (`call.open`). */
export const openedBy = (...openings: readonly Opening[]): Use => ({ kind: "opened", as: openings });

/** A use for each argument, by name; a use at a tuple counts for all its members. */
export type UseTree = { readonly [name: string]: Use | UseTree };

/** The tree that a list of ABI parameters needs, so that a missing argument is a type error. */
export type UsesOf<P> = P extends readonly AbiParameter[]
  ? {
      readonly [I in P[number] as I extends { readonly name: infer N extends string } ? N : never]: UseFor<I>;
    }
  : UseTree;
type UseFor<I> = I extends { readonly components: infer C } ? Use | UsesOf<C> : Use;

const isUse = (tree: Use | UseTree): tree is Use => typeof tree.kind === "string";

/** One accounted value: `params.recipient`, `calls[].data`. */
export type AccountedField = { readonly path: string; readonly type: string; readonly use: Use };

const componentsOf = (parameter: AbiParameter): readonly AbiParameter[] | null =>
  "components" in parameter ? parameter.components : null;

const arraySuffix = (type: string): string => (/\[\d*\]$/.test(type) ? "[]" : "");

/** Every leaf of these parameters with its use. Throws, naming the argument, where one has none or a use has no argument. */
export function accountFor(parameters: readonly AbiParameter[], uses: UseTree): readonly AccountedField[] {
  const names = new Set(parameters.map(({ name }) => name));
  const stray = Object.keys(uses).find((name) => !names.has(name));
  if (stray !== undefined) throw new Error(`accounts for "${stray}", which is no argument`);
  return parameters.flatMap((parameter) => {
    const { name, type } = parameter;
    if (name === undefined || name === "") throw new Error(`has an argument of type ${type} without a name`);
    const use = uses[name];
    if (use === undefined) throw new Error(`does not account for "${name}"`);
    return accountForOne(parameter, name + arraySuffix(type), use);
  });
}

function accountForOne(parameter: AbiParameter, path: string, use: Use | UseTree): readonly AccountedField[] {
  const components = componentsOf(parameter);
  if (components === null) {
    if (!isUse(use)) throw new Error(`accounts for members of "${path}", which has none`);
    return [{ path, type: parameter.type, use }];
  }
  const inner: UseTree = isUse(use)
    ? Object.fromEntries(components.map(({ name }) => [name ?? "", use]))
    : use;
  return accountFor(components, inner).map((field) => ({ ...field, path: `${path}.${field.path}` }));
}

/** The use of a value by its path in a decoded call: indexes in the path are dropped. */
export function useAt(tree: UseTree, path: readonly string[]): Use | null {
  let level: Use | UseTree | undefined = tree;
  for (const part of path) {
    if (level === undefined) return null;
    if (isUse(level)) return level;
    if (/^\d+$/.test(part)) continue;
    level = level[part];
  }
  return level !== undefined && isUse(level) ? level : null;
}
