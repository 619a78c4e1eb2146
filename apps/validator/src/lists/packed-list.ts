/**
 * Lists of one kind, joined, in memory that all threads share, so that a verdict uses the lists that its report names even if they are replaced
 * meanwhile.
 */
import type { AddressList } from "../facts.ts";
import type { Address } from "../proposal.ts";
import { secondsOf, type List } from "./list-file.ts";
import { findText, packTexts, type PackedTexts } from "./packed-texts.ts";

export type PackedList = {
  readonly name: string;
  /** Of the newest complete list, or of the newest if none is complete. */
  readonly asOf: string;
  /** Whether one of them is complete: absence from partial lists clears no address, at any age. */
  readonly isWhole: boolean;
  readonly source: string;
  /** By address, without 0x. An empty text is no note. */
  readonly notes: PackedTexts;
};

export type Now = () => bigint;

const secondsPerDay = 86_400n;
const addressBytes = 20;

export function packLists(lists: readonly List[]): PackedList | null {
  const whole = lists.filter(({ partial }) => !partial);
  const [newest] = (whole.length > 0 ? whole : lists).toSorted((a, b) => (a.asOf < b.asOf ? 1 : -1));
  if (newest === undefined) return null;
  const notes = new Map(lists.flatMap((list) => [...list.notes]));
  return {
    name: lists.map(({ name }) => name).join("; "),
    asOf: newest.asOf,
    isWhole: whole.length > 0,
    source: lists.map(({ source }) => source).join("; "),
    notes: packTexts(
      [...notes].map(([address, note]) => [address.slice(2), note ?? ""] as const),
      addressBytes,
    ),
  };
}

/** Age is computed on each call, because a process outlives its lists. */
export function openList(packed: PackedList, now: Now, maxAgeDays: number): AddressList {
  const { name, asOf, isWhole, source, notes } = packed;
  const age = (): bigint => now() - secondsOf(asOf);
  const textOf = (address: Address): string | null => findText(notes, address.slice(2));
  return {
    ...{ name, asOf, source, size: notes.size },
    get ageDays() {
      return Math.max(0, Number(age() / secondsPerDay));
    },
    get fresh() {
      return isWhole && age() <= BigInt(maxAgeDays) * secondsPerDay;
    },
    has: (address) => textOf(address) !== null,
    note: (address) => {
      const text = textOf(address);
      return text === "" ? null : text;
    },
  };
}

/** Seconds until the list no longer clears; negative afterwards. Null for one that never does. */
export const secondsLeft = ({ isWhole, asOf }: PackedList, now: bigint, maxAgeDays: number): number | null =>
  isWhole ? Number(secondsOf(asOf) + BigInt(maxAgeDays) * secondsPerDay - now) : null;
