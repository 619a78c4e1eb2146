/** NFTs in running text: "CryptoPunk #123", "BAYC 4321", "token id 7 of 0x…". */
import type { Portion, Span } from "../intent.ts";
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";
import { emit, type Reader } from "./reader.ts";

const COLLECTION_WORDS_MAX = 3;

/** Words just before "#123" that name the collection. */
const NAMES = kinds("word,asset,collection");
const LABELS = kinds("class,nftid");

const namesCollection = (item: Item): boolean =>
  isOne(item, LABELS) || (isOne(item, NAMES) && !(item.k === "word" && item.slot === "note"));

type Collection = { readonly name: string | null; readonly from: number };

/** "Azuki (0xed5a…) #9764": the contract stands between name and number. */
const contractBefore = (items: readonly Item[], at: number): string | null => {
  const [open, address, close] = [itemAt(items, at - 3), itemAt(items, at - 2), itemAt(items, at - 1)];
  return open.v === "(" && address.k === "addr" && close.v === ")" ? address.v.toLowerCase() : null;
};

/** "the single token BAYC #7090": small letters before a name in capitals are none of it. */
const isLower = ({ k, text }: Item): boolean => k === "word" && /^\p{Ll}/u.test(text);
const isTitled = (names: readonly Item[]): boolean =>
  names.some((item) => isOne(item, NAMES) && /^\p{Lu}/u.test(item.text));

const collectionBefore = (reader: Reader, at: number): Collection => {
  const contract = contractBefore(reader.items, at);
  const end = contract === null ? at : at - 3;
  let from = end;
  while (from > 0 && end - from < COLLECTION_WORDS_MAX && namesCollection(itemAt(reader.items, from - 1))) {
    if (isLower(itemAt(reader.items, from - 1)) && isTitled(reader.items.slice(from, end))) break;
    from -= 1;
    if (itemAt(reader.items, from).k === "collection") break;
  }
  const names = reader.items.slice(from, end).filter((item) => !isOne(item, LABELS));
  const known = names.find((item) => item.k === "collection");
  const text = known === undefined ? names.map((item) => item.text).join(" ") : known.text;
  return { name: contract ?? (text === "" ? null : text), from };
};

/** "#914 (0xbc4c…)": an address in brackets behind the number is the collection's contract, never a recipient. */
const contractAfter = (items: readonly Item[], at: number): { name: string; next: number } | null => {
  if (itemAt(items, at).v !== "(") return null;
  let next = at + 1;
  while (next < at + 4 && isBetween(itemAt(items, next))) next += 1;
  const address = itemAt(items, next);
  if (address.k !== "addr" || itemAt(items, next + 1).v !== ")") return null;
  return { name: address.v.toLowerCase(), next: next + 2 };
};

const NUMBERS = kinds("id,num");
const NUMBERED = kinds("id,nftid");
const IDS_MAX = 200;

const isId = (items: readonly Item[], at: number, start: number): boolean => {
  const item = itemAt(items, at);
  if (item.k === "id") return true;
  const marked = itemAt(items, start - 1).k === "nftid" || itemAt(items, at - 1).k === "nftid";
  return item.k === "num" && item.read?.plain === true && marked;
};

const isIdJoint = (items: readonly Item[], at: number): boolean =>
  (itemAt(items, at).k === "and" || itemAt(items, at).v === ",") &&
  isOne(items[at + 1], NUMBERS) &&
  items[at + 2]?.k !== "asset";

const idsFrom = (items: readonly Item[], at: number): { ids: bigint[]; next: number } => {
  const ids: bigint[] = [];
  let next = at;
  for (; next < at + IDS_MAX; next += 1) {
    if (isId(items, next, at))
      ids.push(
        BigInt(
          itemAt(items, next)
            .text.replace(/[^0-9]/g, "")
            .slice(0, 78),
        ),
      );
    else if (ids.length === 0 || !isIdJoint(items, next)) break;
  }
  return { ids, next };
};

const OF_COLLECTION = /^(?:of|from|in)$/;

/** "of 0xcollection", "from the BAYC collection" after the id. */
const isBetween = (item: Item): boolean =>
  item.k === "noise" ||
  item.k === "class" ||
  item.low === "collection" ||
  item.low === "contract" ||
  item.v === ":";

const collectionAfter = (items: readonly Item[], at: number): { name: string; next: number } | null => {
  if (!isPrep(itemAt(items, at), OF_COLLECTION)) return null;
  let next = at + 1;
  while (next < at + 4 && isBetween(itemAt(items, next))) next += 1;
  const item = itemAt(items, next);
  if (item.k === "addr") return { name: item.v.toLowerCase(), next: next + 1 };
  if (!isOne(item, NAMES)) return null;
  return { name: item.text, next: itemAt(items, next + 1).low === "collection" ? next + 2 : next + 1 };
};

export const onId = (reader: Reader, at: number): number | null => {
  const { items } = reader;
  const { ids, next } = idsFrom(items, itemAt(items, at).k === "nftid" ? at + 1 : at);
  if (ids.length === 0) return null;
  const before = collectionBefore(reader, at);
  const contract = contractAfter(items, next);
  const after = contract ?? (before.name === null ? collectionAfter(items, next) : null);
  const end = after?.next ?? next;
  const span: Span = [itemAt(items, before.from).start, itemAt(items, end - 1).end];
  const portion: Portion = {
    asset: { kind: "nft", collection: contract?.name ?? before.name ?? after?.name ?? null, ids, span },
    quantity: null,
  };
  dropLast(reader, before.from);
  emit(
    reader,
    { k: "portion", said: { ...portion, start: before.from, next: end, bound: null } },
    before.from,
    end,
  );
  return end;
};

/** A contact or asset just before turns out to be the collection's name. */
const dropLast = (reader: Reader, from: number): void => {
  const { start } = itemAt(reader.items, from);
  for (let last = reader.events.at(-1); last !== undefined && last.at >= start; last = reader.events.at(-1)) {
    reader.events.pop();
    reader.prep = last.prep ?? reader.prep;
    reader.used = false;
  }
};

const isCollectible = (item: Item): boolean =>
  item.k === "collection" ||
  (item.k === "word" && item.symbol === null && /^[A-Z]/.test(item.text) && item.slot === null);

const COUNTED = kinds("asset,scale,unit,fiat,class");

const countsNothing = (items: readonly Item[], at: number): boolean => {
  const [number, after] = [itemAt(items, at), itemAt(items, at + 1)];
  return number.k === "num" && number.read?.plain === true && !isOne(after, COUNTED) && after.v !== "%";
};

/** "BAYC 4321": a name that is no token, and a whole number with nothing to count. */
export const onCollectible = (reader: Reader, at: number): number | null => {
  const { items } = reader;
  if (!isCollectible(itemAt(items, at)) || reader.prep === "to" || !countsNothing(items, at + 1)) return null;
  let from = at;
  const known = itemAt(items, at).k === "collection";
  while (!known && from > 0 && at - from < 2 && isCollectible(itemAt(items, from - 1))) from -= 1;
  const number = itemAt(items, at + 1);
  const contract = contractAfter(items, at + 2);
  const next = contract?.next ?? at + 2;
  const span: Span = [itemAt(items, from).start, itemAt(items, next - 1).end];
  const named = items
    .slice(from, at + 1)
    .map((item) => item.text)
    .join(" ");
  const collection = contract?.name ?? named;
  const asset = { kind: "nft", collection, ids: [BigInt(number.text.slice(0, 78))], span } as const;
  dropLast(reader, from);
  emit(reader, { k: "portion", said: { asset, quantity: null, start: from, next, bound: null } }, from, next);
  return next;
};

/** A collection by its name alone: "nft: BAYC", "one of my Azuki". The number may follow elsewhere. */
export const onCollection = (reader: Reader, at: number): number | null => {
  const item = itemAt(reader.items, at);
  if (item.k !== "collection" || isOne(reader.items[at + 1], NUMBERED)) return null;
  const contract = contractAfter(reader.items, at + 1);
  const next = contract?.next ?? at + 1;
  // The number behind the brackets takes the whole.
  if (isOne(reader.items[next], NUMBERED)) return next;
  const span: Span = [item.start, itemAt(reader.items, next - 1).end];
  const asset = { kind: "nft", collection: contract?.name ?? item.text, ids: [], span } as const;
  emit(reader, { k: "portion", said: { asset, quantity: null, start: at, next, bound: null } }, at, next);
  return next;
};
