// Reads members, items and texts of an untrusted value.
import type { Place, Span } from "./types.ts";

export type Members = Readonly<Record<string, unknown>>;

export const membersOf = (value: unknown): Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};

export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]) : [];

export const isThere = (value: unknown): boolean => value !== null && value !== undefined;

export const numberOf = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null;

/** Returns null for an empty text and for anything that is not a string. */
export type TextOf = (value: unknown) => string | null;

export const makeTextOf =
  (shown: (text: string) => string): TextOf =>
  (value) =>
    typeof value === "string" && value !== "" ? shown(value) : null;

const isPosition = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

export function rangeOf(value: unknown): readonly [number, number] | null {
  const [from, to] = listOf(value);
  return isPosition(from) && isPosition(to) && from <= to ? [from, to] : null;
}

export function placeOf(value: unknown, textOf: TextOf): Place | null {
  const { call, field, bytes } = membersOf(value);
  const said = textOf(call);
  return said === null ? null : { call: said, field: textOf(field), bytes: rangeOf(bytes) };
}

export function spanOf(value: unknown, textOf: TextOf): Span | null {
  const { from, to, text } = membersOf(value);
  const range = rangeOf([from, to]);
  return range === null ? null : { from: range[0], to: range[1], text: textOf(text) ?? "" };
}
