/**
 * The names that people use for protocols. A name that several versions share means the family, and any version
 * satisfies it.
 */
import type { Protocol } from "../../protocol.ts";

export type Names = {
  /** Lower-case phrase → ids of the protocols it may mean. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** Every phrase that names a venue, longest first, for the lexicon. */
  readonly venuePhrases: readonly string[];
  /** The id, or the family if the phrase means several; null if it names nothing. */
  readonly venueNamed: (phrase: string) => string | null;
  /** Whether acting on `protocol` satisfies a request that names `said` (an id or a family). */
  readonly satisfies: (said: string, protocol: string) => boolean;
};

const plain = (phrase: string): string => phrase.trim().toLowerCase().replaceAll("_", " ");

const gather = (all: ReadonlyMap<string, Protocol>): Map<string, string[]> => {
  const names = new Map<string, string[]>();
  const add = (phrase: string, id: string): void => {
    const ids = names.get(plain(phrase)) ?? [];
    if (!ids.includes(id)) names.set(plain(phrase), [...ids, id]);
  };
  for (const [id, { names: said, family }] of all) {
    if (said.length === 0) continue;
    for (const phrase of [id, ...said]) add(phrase, id);
    if (family !== undefined) add(family, id);
  }
  return names;
};

/** Several ids without a common family get a name of their own: the phrase itself. */
const oneName = (all: ReadonlyMap<string, Protocol>, phrase: string, ids: readonly string[]): string => {
  const [first] = ids;
  if (ids.length === 1 && first !== undefined && all.get(first)?.family !== phrase) return first;
  return phrase;
};

export const makeNames = (all: ReadonlyMap<string, Protocol>): Names => {
  const names = gather(all);
  const meaning = new Map([...names].map(([phrase, ids]) => [phrase, oneName(all, phrase, ids)]));
  return {
    names,
    venuePhrases: [...names.keys()].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)),
    venueNamed: (phrase) => meaning.get(plain(phrase)) ?? null,
    satisfies: (said, protocol) =>
      said === protocol ||
      all.get(protocol)?.family === said ||
      (names.get(plain(said))?.includes(protocol) ?? false) ||
      (all.get(protocol)?.standsFor?.includes(said) ?? false),
  };
};
