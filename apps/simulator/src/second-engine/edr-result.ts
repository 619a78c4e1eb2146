// Reads EDR's answers into the form in which engines are compared.
import { keccak256 } from "viem/utils";
import type { EngineResult } from "@countersign/evm";
import type { Hex } from "@countersign/wire";

/** As in packages/evm, which is not imported: it would load the first engine. */
export const noCode = keccak256("0x");

type Ran = Extract<EngineResult, { kind: "ran" }>;

export type Receipt = {
  readonly status: Hex;
  readonly gasUsed: Hex;
  readonly blockNumber: Hex;
  readonly logs: readonly { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }[];
};

type Part = {
  readonly balance?: Hex;
  readonly code?: Hex;
  readonly storage?: Readonly<Record<Hex, Hex>>;
};
/** Of the prestate tracer: only what the transaction changed. `post` lacks what became empty. */
export type Diff = { readonly pre: Readonly<Record<Hex, Part>>; readonly post: Readonly<Record<Hex, Part>> };

const lower = (hex: Hex): Hex => hex.toLowerCase() as Hex;

/** The transactions of one block, in their order. */
export const readReceipts = (receipts: readonly Receipt[]): Pick<Ran, "succeeded" | "gasUsed" | "logs"> => ({
  succeeded: receipts.every(({ status }) => status === "0x1"),
  gasUsed: receipts.reduce((sum, { gasUsed }) => sum + BigInt(gasUsed), 0n),
  logs: receipts
    .flatMap(({ logs }) => logs)
    .map(({ address, topics, data }) => ({
      address: lower(address),
      topics: topics.map(lower),
      data: lower(data),
    })),
});

type Change<T> = { readonly before: T; readonly after: T };

/** The changes of several transactions together: what was there before the first, and is there after the last. */
export function readDiffs(diffs: readonly Diff[]): Pick<Ran, "balances" | "slots" | "codes"> {
  const changed = diffs.flatMap(listChanged);
  const balances = merge(changed.filter(says("balance")).map((one) => [one.address, balancesOf(one)]));
  const slots = merge(changed.flatMap(slotsOf));
  const codes = merge(changed.filter(says("code")).map((one) => [one.address, codesOf(one)]));
  return {
    balances: balances.map(([address, { before, after }]) => ({ address, change: after - before })),
    slots: slots.map(([id, { after }]) => {
      const [address, slot] = id.split(" ") as [Hex, Hex];
      return { address, slot, after };
    }),
    codes: codes.map(([address, { after }]) => ({ address, after })),
  };
}

/** By key, in the order of the keys, without what ends as it began. */
function merge<K extends string, T>(
  changes: readonly (readonly [K, Change<T>])[],
): readonly (readonly [K, Change<T>])[] {
  const merged = new Map<K, Change<T>>();
  for (const [key, { before, after }] of changes) {
    const earlier = merged.get(key);
    merged.set(key, { before: earlier === undefined ? before : earlier.before, after });
  }
  return [...merged]
    .filter(([, { before, after }]) => before !== after)
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

/** `after` is undefined for an account that was removed. */
type Changed = { readonly address: Hex; readonly before: Part; readonly after: Part | undefined };

const listChanged = ({ pre, post }: Diff): readonly Changed[] =>
  [...new Set([...Object.keys(pre), ...Object.keys(post)])].map((one) => {
    const address = one as Hex;
    return { address: lower(address), before: pre[address] ?? {}, after: post[address] };
  });

/** A member that is in neither part is not known, and has not changed. */
const says =
  (member: "balance" | "code") =>
  ({ before, after }: Changed): boolean =>
    before[member] !== undefined || after?.[member] !== undefined;

function balancesOf({ before, after }: Changed): Change<bigint> {
  const old = BigInt(before.balance ?? "0x0");
  // An account in `post` without a balance kept its old one.
  const now = after === undefined ? 0n : after.balance === undefined ? old : BigInt(after.balance);
  return { before: old, after: now };
}

function slotsOf({ address, before, after }: Changed): readonly (readonly [string, Change<bigint>])[] {
  const [old, now] = [before.storage ?? {}, after?.storage ?? {}];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].map((one) => {
    const slot = one as Hex;
    return [
      `${address} ${lower(slot)}`,
      { before: BigInt(old[slot] ?? "0x0"), after: BigInt(now[slot] ?? "0x0") },
    ];
  });
}

function codesOf({ before, after }: Changed): Change<Hex> {
  const hashOf = (code: Hex | undefined): Hex =>
    code === undefined || code === "0x" ? noCode : keccak256(code);
  const old = hashOf(before.code);
  const now = after === undefined ? noCode : after.code === undefined ? old : hashOf(after.code);
  return { before: old, after: now };
}
