/**
 * Prepares a body for a worker thread. Structured clone keeps bigints but drops symbols, so a `WrittenNumber` would arrive as an
 * empty object. It is sent as a boxed string instead, which JSON never produces.
 */
import { isWrittenNumber, writtenAs, writtenNumber } from "./lossless-json.ts";

type Cloneable = {
  readonly value: unknown;
  /** Characters plus members, as a measure of how much there is to read. */
  readonly size: number;
};

export function toCloneable(body: unknown): Cloneable {
  let size = 0;
  const value = mapLeaves(body, (leaf) => {
    size += typeof leaf === "string" ? leaf.length + 1 : 1;
    // A String object: JSON cannot produce it, and structured clone keeps it.
    return isWrittenNumber(leaf) ? new String(writtenAs(leaf)) : leaf;
  });
  return { value, size };
}

/** Whether JSON.parse would have read the same values: no integers of more than 53 bits, and no numbers such as `1e18`. */
export function isPlainJson(body: unknown): boolean {
  let isPlain = true;
  mapLeaves(body, (leaf) => {
    if (typeof leaf === "bigint" || isWrittenNumber(leaf)) isPlain = false;
    return leaf;
  });
  return isPlain;
}

export const fromCloneable = (value: unknown): unknown =>
  mapLeaves(value, (leaf) => (leaf instanceof String ? writtenNumber(leaf.toString()) : leaf));

/** Replaces leaves. Objects without a changed leaf are returned as they are. Parsed JSON has at most 64 levels, so recursion is safe. */
function mapLeaves(value: unknown, change: (leaf: unknown) => unknown): unknown {
  if (typeof value !== "object" || value === null || isWrittenNumber(value) || value instanceof String)
    return change(value);
  let copy: Record<string, unknown> | unknown[] | null = null;
  const members = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(members)) {
    const member = members[key];
    const changed = mapLeaves(member, change);
    if (changed === member) continue;
    copy ??= Array.isArray(value) ? [...(value as unknown[])] : { ...members };
    (copy as Record<string, unknown>)[key] = changed;
  }
  return copy ?? value;
}
