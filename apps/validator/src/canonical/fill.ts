/** Fills a pattern with terms. */
import type { Slot, Terms } from "./patterns.ts";

/** Slots that the pattern needs and the terms lack, and terms that the pattern has no slot for. */
export type Gap = { readonly missing: readonly Slot[]; readonly unplaced: readonly Slot[] };

const GROUP = /\[([^\]]*)\]/g;
const SLOT = /\{(\w+)\}/g;

const slotsIn = (text: string): readonly Slot[] => [...text.matchAll(SLOT)].map(([, name]) => name as Slot);

/** The act and the assets already identify the contract, and a deadline only narrows what may happen. */
const droppable: ReadonlySet<Slot> = new Set<Slot>(["venue", "deadline"]);

/** A pattern has no more than one slot in a group, so that a group is written whole or not at all. */
const keepGroups = (pattern: string, terms: Terms): string =>
  pattern.replace(GROUP, (_, group: string) =>
    slotsIn(group).every((slot) => terms[slot] !== undefined) ? group : "",
  );

export function fill(pattern: string, terms: Terms): { readonly sentence: string } | Gap {
  const kept = keepGroups(pattern, terms);
  const wanted = slotsIn(kept);
  const missing = wanted.filter((slot) => terms[slot] === undefined);
  const places = new Set(slotsIn(pattern));
  const given = Object.keys(terms) as readonly Slot[];
  const unplaced = given.filter((slot) => !places.has(slot) && !droppable.has(slot));
  if (missing.length + unplaced.length > 0) return { missing, unplaced };
  return { sentence: kept.replace(SLOT, (_, slot: string) => terms[slot as Slot] ?? "") };
}
