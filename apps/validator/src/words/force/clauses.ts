/** Splits a text into clauses: each holds a request, a label, a reason or an aside. */
import type { Item } from "../items.ts";

/** A word, a mark, a value that the grammar reads, or an act that a step asks for. */
export type Bit = {
  readonly kind: "value" | "act" | "word" | "mark";
  readonly low: string;
  /** As written. Of a phrase of several words in lower case. */
  readonly text: string;
  readonly item: Item;
};

export type Clause = {
  readonly bits: readonly Bit[];
  /** The mark or word right before it and right after it: "." for the end of a sentence. */
  readonly start: string;
  readonly end: string;
};

/** Kinds whose meaning depends on their place. The grammar reads all others as part of a step, or reports them as unread. */
const WORDS = new Set("word noise noteword correct".split(" "));

const hasActs = ({ k, mark }: Item): boolean => k === "verb" && (mark?.acts.length ?? 0) > 0;

/** A verb that the grammar did not set aside as a note or as part of a limit. */
const isAct = (item: Item): boolean => hasActs(item) && item.slot !== "note" && item.slot !== "bound";

/** "Never send more than 5 ETH": the limit of an act. */
export const isLimited = (item: Item): boolean => hasActs(item) && item.slot === "bound";

const isWord = ({ k, slot }: Item): boolean => WORDS.has(k) || (k === "verb" && slot !== "bound");

function bitsOf(item: Item): readonly Bit[] {
  const { low, text } = item;
  if (item.k === "punct") return [{ kind: "mark", low, text, item }];
  if (isAct(item)) return [{ kind: "act", low, text, item }];
  if (!isWord(item)) return [{ kind: "value", low, text, item }];
  const words = low.split(" ");
  return words.map((word) => ({ kind: "word", low: word, text: words.length === 1 ? text : word, item }));
}

const isEnd = ({ k }: Item): boolean => k === "stop" || k === "line" || k === "end";
/** A hyphen between words joins them; between spaces it separates. */
const isBreak = ({ kind, low, item }: Bit): boolean =>
  (kind === "mark" && (/^[:;—–|]$/.test(low) || (low === "-" && !item.tight))) ||
  (kind === "word" && (low === "so" || low === "therefore"));

export function clausesOf(items: readonly Item[]): readonly Clause[] {
  const clauses: Clause[] = [];
  let bits: Bit[] = [];
  let start = ".";
  const close = (end: string): void => {
    if (bits.some(({ kind }) => kind !== "mark")) clauses.push({ bits, start, end });
    bits = [];
    start = end;
  };
  for (const item of items) {
    if (isEnd(item)) close(".");
    for (const bit of isEnd(item) ? [] : bitsOf(item)) {
      if (isBreak(bit)) close(bit.low);
      else bits.push(bit);
    }
  }
  close(".");
  return clauses;
}

const ANCHORS = new Set("num asset addr name venue collection all share contact".split(" "));

/** An amount, an asset, a party or a venue. */
export const isValue = ({ kind, item }: Bit): boolean => kind === "value" && ANCHORS.has(item.k);
/** An act, or a value that a step uses. */
export const isAnchor = (bit: Bit): boolean =>
  bit.kind === "act" || (isValue(bit) && bit.item.slot !== null && bit.item.slot !== "note");
export const hasAct = ({ bits }: Clause): boolean => bits.some(({ kind }) => kind === "act");
export const isRequest = ({ bits }: Clause): boolean => bits.some(isAnchor);
