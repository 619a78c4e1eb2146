/**
 * A body on its way to a worker thread. Structured clone keeps bigints and drops symbols, so that a `WrittenNumber` would arrive as an
 * empty object and mean something else. It travels as a boxed string, which no JSON contains.
 */
import { isWrittenNumber, writtenAs, writtenNumber } from "./lossless-json.ts";

type Cloneable = {
  readonly value: unknown;
  /** Characters and members: a measure of how much there is to read. */
  readonly size: number;
};

export function toCloneable(body: unknown): Cloneable {
  let size = 0;
  const value = mapLeaves(body, (leaf) => {
    size += typeof leaf === "string" ? leaf.length + 1 : 1;
    // The one type that JSON cannot produce and a clone keeps.
    return isWrittenNumber(leaf) ? new String(writtenAs(leaf)) : leaf;
  });
  return { value, size };
}

export const fromCloneable = (value: unknown): unknown =>
  mapLeaves(value, (leaf) => (leaf instanceof String ? writtenNumber(leaf.toString()) : leaf));

/** Parsed JSON is at most 64 levels deep, so the recursion ends. Objects without a changed leaf stay the same objects. */
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
