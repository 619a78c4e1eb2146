/** The state in which a group is read, and how a thing said is noted down with the preposition before it. */
import type { PartyRef, Span } from "../intent.ts";
import type { Group } from "./clauses.ts";
import { itemAt, type Item } from "./items.ts";
import type { Said } from "./portions.ts";

export type Event = {
  /** Role of the preposition or key before it; null: none. */
  readonly prep: string | null;
  /** The word itself, where one role has several ("on", "via", "at"). */
  readonly word: string;
  /** It follows "and" or a comma: part of a list. */
  readonly listed: boolean;
  /** The connection to the item before: a comma, "and", or nothing. */
  readonly link: string;
  /** It comes before the verb. */
  readonly early: boolean;
  readonly items: readonly Item[];
  readonly at: number;
} & (
  | { readonly k: "portion"; readonly said: Said }
  | { readonly k: "party"; readonly party: PartyRef; readonly aside: boolean }
  | { readonly k: "venue"; readonly venue: string }
  | { readonly k: "chain"; readonly chain: number }
);

export type Reader = {
  readonly items: readonly Item[];
  readonly group: Group;
  readonly events: Event[];
  prep: string | null;
  word: string;
  used: boolean;
  listed: boolean;
  link: string;
  early: boolean;
  aside: boolean;
  /** An asset is named. */
  object: boolean;
  chainId: (phrase: string) => number | null;
};

export const spanOf = (item: Item): Span => [item.start, item.end];

type Body =
  | { readonly k: "portion"; readonly said: Said }
  | { readonly k: "party"; readonly party: PartyRef; readonly aside: boolean }
  | { readonly k: "venue"; readonly venue: string }
  | { readonly k: "chain"; readonly chain: number };

export const emit = (reader: Reader, body: Body, from: number, to: number): void => {
  const keepsPrep = body.k === "party" || reader.listed || !reader.used;
  reader.events.push({
    ...body,
    prep: keepsPrep ? reader.prep : null,
    word: keepsPrep ? reader.word : "",
    listed: reader.listed,
    link: reader.link,
    early: reader.early,
    items: reader.items.slice(from, to),
    at: itemAt(reader.items, from).start,
  });
  reader.used = true;
  reader.listed = false;
  reader.link = "";
  if (body.k === "portion" && body.said.asset !== null) reader.object = true;
};
