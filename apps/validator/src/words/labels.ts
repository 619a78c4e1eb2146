/**
 * Labels the caller gave to addresses ("Cold Storage 2", "Payroll Oct"), kept whole where the words say them. What stands between two
 * names the caller knows is cut where the caller cuts it; whom a label means is settled later, and by the caller's book alone.
 */
import { join } from "./contacts.ts";
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";
import { fold, type Mark } from "./phrases.ts";

const LABELS_MAX = 500;
const LENGTH_MAX = 60;
const ITEMS_MAX = 8;

const squash = (text: string): string => fold(text).replace(/[^\p{L}\p{N}]/gu, "");

/** The book of labels, by their letters and digits alone. One without a letter, or too long to be said, is left out. */
export type Labels = ReadonlySet<string>;
export const labelsOf = (labels: readonly string[]): Labels =>
  new Set(
    labels
      .slice(0, LABELS_MAX)
      .map((label) => squash(label.slice(0, LENGTH_MAX + 1)))
      .filter((label) => label.length > 1 && label.length <= LENGTH_MAX && /\p{L}/u.test(label)),
  );

/** No label may hide these: they change what is asked, or say by themselves who is meant. */
const NEVER = kinds("addr,hex,name,neg,cond,correct,then,self,key,unlimited,line,stop,my,share,pronoun");
/** Made of these alone it is what it says, whatever the book holds: "USDC", "Polygon USDC", "Uniswap V3". */
const PLAIN_MONEY = kinds("asset,num,scale,venue,chain,prep,and,all,fiat,percent,class,unit,punct");
const ORDINARY = kinds("word,balance,wei,noteword,keep,gas");

const ARTICLES =
  /^(?:the|el|la|le|les|los|der|die|das|dem|den|o|os|as|a|l|our|his|her|their|un|una|um|uma|une)$/;
const ARROW = /^(?:->|-->|=>|>>|→|➡|⇒|➔|⟶)$/;

/** Somebody is expected here: behind "to", "from", an arrow, a verb that pays, or an article after them. */
const isCued = (items: readonly Item[], at: number): boolean => {
  const before = itemAt(items, at - 1);
  if (before.k === "my" || (before.k === "noise" && ARTICLES.test(before.low)))
    return at > 1 && isCued(items, at - 1);
  if (before.k === "key") return /^(?:to|from|spender)$/.test(before.v);
  return (
    isPrep(before, /^(?:to|into|in|from|between|behalf|for)$/) ||
    ARROW.test(before.low) ||
    (before.k === "verb" && before.mark?.acts.includes("transfer") === true)
  );
};

/** A name may go on where the label ends: "Alice" is not "Alice Cooper". */
const isPart = (items: readonly Item[], from: number, to: number): boolean => {
  const [before, after] = [itemAt(items, from - 1), itemAt(items, to)];
  const glued = before.k === "punct" && /^[-'’./]$/.test(before.v) && before.tight;
  return before.k === "word" || after.k === "word" || glued;
};

/** "Escrow contract": alone the first word is one's own account; with another behind it, a name. */
const isCompound = (said: readonly Item[]): boolean =>
  said.length > 1 && said[0]?.low === "escrow" && /^\p{Lu}/u.test(said[0].text);

const mayBe = (items: readonly Item[], from: number, to: number): boolean => {
  const said = items.slice(from, to);
  const [first] = said;
  if (said.some((item) => (isOne(item, NEVER) && !(item === first && isCompound(said))) || item.skip))
    return false;
  if (said.every((item) => isOne(item, PLAIN_MONEY))) return false;
  if (isPart(items, from, to)) return false;
  const [only, ...more] = said;
  if (only !== undefined && more.length === 0) {
    const named = /^\p{Lu}/u.test(only.text) && only.k === "word";
    return isOne(only, ORDINARY) && (named || isCued(items, from));
  }
  // "Delegate fund", "swap pool": verbs alone are a request unless somebody is expected there.
  return said.some((item) => item.k !== "verb" && !isOne(item, PLAIN_MONEY)) || isCued(items, from);
};

/** Where the longest label that begins here ends, or `at`. */
const endOf = (items: readonly Item[], at: number, labels: Labels, text: string): number => {
  let end = at;
  if (squash(itemAt(items, at).text) === "") return end;
  for (let to = at + 1; to <= Math.min(items.length, at + ITEMS_MAX); to += 1) {
    const said = squash(
      text.slice(itemAt(items, at).start, itemAt(items, to - 1).end).replace(/['’]s$/u, ""),
    );
    if (said.length > LENGTH_MAX) break;
    if (labels.has(said) && squash(itemAt(items, to - 1).text) !== "" && mayBe(items, at, to)) end = to;
  }
  return end;
};

const LABEL: Mark = { k: "label", v: "", acts: [], flags: [] };

/** Whether a contact was found in the caller's book. */
export const isLabel = (item: Item): boolean => item.k === "contact" && item.mark?.k === "label";

export const takeLabels = (items: Item[], labels: Labels, text: string): void => {
  if (labels.size === 0) return;
  for (let at = 0; at < items.length; at += 1) {
    const to = endOf(items, at, labels, text);
    if (to === at) continue;
    const { possessive } = itemAt(items, to - 1);
    join(items, { from: at, to }, text);
    items[at] = { ...itemAt(items, at), mark: LABEL, possessive };
    at = to - 1;
  }
};
