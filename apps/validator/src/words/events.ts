/** Reads a group in order: portions, parties, venues and chains. */
import type { Group } from "./clauses.ts";
import { isAuthority } from "./drafts.ts";
import { isHoldingAt } from "./assets.ts";
import { onCollectible, onCollection, onId } from "./collectibles.ts";
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";
import { onParty, onWord } from "./people.ts";
import { portionAt } from "./portions.ts";
import { emit, type Event, type Reader } from "./reader.ts";

export type { Event } from "./reader.ts";

/** A listed portion that has its own "for" or "to" after it starts over: "1 ETH for USDC and 2 ETH for DAI". */
const startsOver = (reader: Reader, next: number): boolean => {
  const after = itemAt(reader.items, next);
  return reader.listed && reader.used && after.k === "prep" && /^(?:for|to|into)$/.test(after.v);
};

/** A bare number before an address or after a list comma is still an amount; one with nothing around it is left alone. */
const onPortion = (reader: Reader, at: number): number | null => {
  const said = portionAt(reader.items, at);
  if (said === null) return null;
  if (startsOver(reader, said.next)) reader.prep = null;
  emit(reader, { k: "portion", said }, at, said.next);
  return said.next;
};

const isVenuePlace = (reader: Reader): boolean =>
  reader.prep !== null && !reader.used && /^(?:on|into|in|to|from|with|key:on|at)$/.test(reader.prep);

/** A word that names both a token and a venue or chain: after a number or "my" it is the token, after "on" the place. */
const OWNED = kinds("num,my,all,unit,scale,share");
const isCapital = (item: Item): boolean => item.text === item.text.toUpperCase();

/** "swap 1 ETH into AAVE": capitals on the receiving side of a trade. */
const isTradedName = (reader: Reader, item: Item): boolean =>
  reader.group.acts[0] === "swap" &&
  (/^(?:into|to|with)$/.test(reader.prep ?? "") || isSpentOn(reader)) &&
  (item.k === "venue" || isCapital(item));

/** "spend 250 USDC on WETH". */
const isSpentOn = (reader: Reader): boolean =>
  reader.word === "on" && /^(?:spend|gast|depens|ausg)/.test(reader.group.verb?.low ?? "");

const isCrossed = (reader: Reader, item: Item): boolean =>
  item.k === "chain" &&
  (reader.group.acts.includes("bridge") || reader.group.acts[0] === "transfer") &&
  reader.prep !== null &&
  !reader.used;

/**
 * "swap OP for ETH", "send ARB to bob.eth": a chain's name is its token only as an object, never as an aside or after
 * a party.
 */
const isChainToken = (reader: Reader, item: Item): boolean => {
  if (isTakenBack(reader) || (isCapital(item) && lacksBought(reader))) return true;
  if (reader.aside || reader.events.at(-1)?.k === "party") return false;
  const object = reader.prep === null && (!reader.object || isBought(reader));
  return isReceivingSide(reader) || (object && isCapital(item));
};

/** "revoke 0x… for OP". */
const isTakenBack = ({ group, prep, used }: Reader): boolean =>
  isAuthority(group.acts) && prep === "for" && !used;

/** "use 5 DAI to buy OP": right behind the verb. */
const isBought = ({ used, group }: Reader): boolean =>
  !used && group.verb?.mark?.flags.includes("gets") === true;

/** "Kauf mir für 150 USDC ARB": the verb's object is still to come. */
const lacksBought = ({ group, events, early, aside }: Reader): boolean =>
  group.acts[0] === "swap" &&
  !early &&
  !aside &&
  group.verb?.mark?.flags.includes("gets") === true &&
  !events.some((event) => event.k === "portion" && event.prep === null && event.said.asset !== null);

const isReceivingSide = (reader: Reader): boolean =>
  reader.group.acts[0] === "swap" && !reader.used && /^(?:for|into|to|with)$/.test(reader.prep ?? "");

const isElsewhereToken = (reader: Reader, item: Item): boolean => {
  const { acts } = reader.group;
  if (item.k === "chain") return isChainToken(reader, item);
  if (acts[0] === "swap") return true;
  return reader.prep === "for" ? !isAuthority(acts) : isCapital(item);
};

/** "stop 0x… from being able to spend OP": what a permission is over. */
const isSpendable = (reader: Reader, item: Item, before: Item): boolean =>
  isAuthority(reader.group.acts) &&
  isCapital(item) &&
  /\b(?:spend|spending|move|moving|pull|take|use)$/.test(before.low);

/** "1inch: 9,000 USDC into DAI": a heading says where. */
const isHeading = (items: readonly Item[], at: number): boolean =>
  itemAt(items, at).k === "venue" && itemAt(items, at).first && itemAt(items, at + 1).v === ":";

/** "Con 1inch, convierte 3000 USDT": a place said before the verb, with nothing counted. */
const isPlaceFirst = ({ items, early, prep }: Reader, at: number): boolean =>
  itemAt(items, at).k === "venue" && early && prep === "with" && !isOne(items[at - 1], OWNED);

const isNamedPlace = (reader: Reader, at: number): boolean =>
  isHoldingAt(reader.items, at) || isHeading(reader.items, at) || isPlaceFirst(reader, at);

const isToken = (reader: Reader, at: number): boolean => {
  const item = itemAt(reader.items, at);
  if (item.symbol === null) return false;
  const before = itemAt(reader.items, at - 1);
  if (isNamedPlace(reader, at)) return false;
  if (/^(?:governance|votes?|voting|tokens?|coins?)$/.test(itemAt(reader.items, at + 1).low)) return true;
  if (isOne(before, OWNED) || isPrep(before, /^of$/) || isSpendable(reader, item, before)) return true;
  if (isVenuePlace(reader) && !isTradedName(reader, item)) return item.k === "chain" && reader.prep === "in";
  return !isCrossed(reader, item) && isElsewhereToken(reader, item);
};

/** "from Base, to Optimism": two chains in one list. */
const isCrossing = (reader: Reader): boolean => reader.events.at(-1)?.k === "chain";

const POOLS = /^(?:vaults?|pool|market|reserve|farm|strategy|gauge|boveda|cofre|coffre|tresor)(?: [:=])?$/;
const isPool = (item: Item): boolean => POOLS.test(item.low);

/** "Steakhouse USDC vault": the token behind a place, where the object is already said, only says which of its vaults. */
const placeEnd = (reader: Reader, at: number): number => {
  const [token, pool] = [itemAt(reader.items, at), itemAt(reader.items, at + 1)];
  if (token.k !== "asset") return at;
  if (isPool(pool)) return at + 2;
  const placed = /^(?:to|into|in|from)$/.test(reader.prep ?? "") && reader.group.acts[0] !== "swap";
  return reader.object && placed && !isOne(pool, FIGURES) ? at + 1 : at;
};

const FIGURES = kinds("num,scale");

const onName = (reader: Reader, at: number): number | null => {
  const item = itemAt(reader.items, at);
  if (item.k !== "venue" && item.k !== "chain") return null;
  if (isToken(reader, at)) {
    item.k = "asset";
    item.v = item.symbol ?? item.v;
    return onPortion(reader, at);
  }
  if (item.k === "venue") {
    const next = placeEnd(reader, at + 1);
    emit(reader, { k: "venue", venue: item.v }, at, next);
    return next;
  }
  const chain = reader.chainId(item.low);
  if (chain === null) return at + 1;
  // A chain after an already used preposition stands for itself: "to 0xabc, Base", "to 0xabc (Base)".
  if (reader.used && reader.prep !== null && (reader.listed || reader.aside) && !isCrossing(reader))
    reader.prep = null;
  emit(reader, { k: "chain", chain }, at, at + 1);
  return at + 1;
};

/** An ordinary word that is also a symbol is the token where only an asset makes sense: "swap 1 eth for link". */
const HELD = kinds("my,all,share");

const hasObject = (reader: Reader): boolean => reader.object;

const mayTrade = (reader: Reader): boolean =>
  reader.group.acts[0] === "swap" &&
  !reader.early &&
  !reader.aside &&
  (/^(?:for|into|to|with)$/.test(reader.prep ?? "") ||
    isSpentOn(reader) ||
    (reader.prep === null && !hasObject(reader))) &&
  (!reader.used || reader.listed);

const mayBeObject = (reader: Reader): boolean => {
  const [act] = reader.group.acts;
  if (act === undefined || act === "transfer" || act === "admin") return false;
  return reader.prep === null && !reader.early && !hasObject(reader);
};

const TELLING = /^(?:is|was|are|were|asked|told|said|says|wants|wanted|needs|needed|has|had|just|due)$/;

/** "My rent is due, so send …": what something is or does before the request is talk. */
const isTalk = (reader: Reader, at: number): boolean =>
  reader.early && TELLING.test(itemAt(reader.items, at + 1).low);

const onMaybeAsset = (reader: Reader, at: number): number | null => {
  const item = itemAt(reader.items, at);
  if (item.k !== "word" || item.symbol === null || item.slot === "note") return null;
  // "at a fair price", "for a friend": an article makes it an ordinary word.
  if (/^(?:a|an|un|una|um|uma|une|ein|eine|einen)$/.test(itemAt(reader.items, at - 1).low)) return null;
  // "keep the rest liquid", "in my own name": behind such words it is only a word.
  const before = itemAt(reader.items, at - 1);
  if (/rest$|^own$|^fair$|^a$|^an$/.test(before.low)) return null;
  // "the CoW vault relayer": part of what a contract is called.
  if (before.k === "venue" && !isCapital(item)) return null;
  if (isTalk(reader, at)) return null;
  if (!isOne(before, HELD) && !mayTrade(reader) && !mayBeObject(reader)) return null;
  item.k = "asset";
  item.v = item.symbol;
  return onPortion(reader, at);
};

/** A memo after "for": words that name nothing, to the end of the clause. Its numbers are notes. */
const MEMO_HEADS = kinds("word,noteword,balance,fee");
const SMALL = kinds("noise,my");

const isMemoHead = (reader: Reader, head: Item): boolean => {
  const pays = reader.group.acts[0] === "transfer" || reader.group.acts[0] === "bridge";
  return isOne(head, MEMO_HEADS) && head.mark?.k !== "verb" && (head.symbol === null || pays);
};

const onMemo = (reader: Reader, at: number): number | null => {
  if (!isPrep(itemAt(reader.items, at), /^for$/)) return null;
  let next = at + 1;
  while (next < at + 5 && isOne(reader.items[next], SMALL)) next += 1;
  if (!isMemoHead(reader, itemAt(reader.items, next))) return null;
  while (next < reader.items.length && !endsMemo(reader.items, next)) {
    itemAt(reader.items, next).slot ??= "note";
    next += 1;
  }
  return next;
};

const MEMO_ENDS = kinds("stop,line,but,key,bound");
const MONEY = kinds("addr,name,venue,chain,self,num,asset");

const endsMemo = (items: readonly Item[], at: number): boolean => {
  const item = itemAt(items, at);
  if (isOne(item, MEMO_ENDS) || item.v === ",") return true;
  return (item.k === "prep" || item.k === "and") && isOne(items[at + 1], MONEY);
};

const afterVerb = (reader: Reader, verb: Item): void => {
  reader.early = false;
  reader.prep = verb.mark?.flags.includes("into") === true ? "into" : null;
  reader.word = "";
  reader.used = false;
};

const ROLE_WORDS = kinds("prep,until,key");
const SENTENCE_ENDS = kinds("stop,line,then");

const onPrep = (reader: Reader, item: Item, before: Item | undefined): void => {
  // A partitive right behind another preposition adds nothing: "contre de l'ETH".
  if (before?.k === "prep" && isPrep(item, /^(?:from|of)$/)) return;
  if (before?.k === "verb" && /^(?:du|des|de l'|de la)$/.test(item.low)) return;
  reader.prep = item.k === "prep" ? item.v : item.k === "key" ? `key:${item.v}` : "by";
  reader.word = item.low;
  reader.used = false;
  reader.listed = false;
};

const onSmall = (reader: Reader, at: number): void => {
  const item = itemAt(reader.items, at);
  if (item === reader.group.verb) afterVerb(reader, item);
  else if (isOne(item, ROLE_WORDS)) onPrep(reader, item, reader.items[at - 1]);
  else if (item.k === "and" || item.v === ",") {
    reader.listed = true;
    reader.link = item.k === "and" ? "and" : ",";
  } else if (/^[()]$/.test(item.v)) reader.aside = item.v === "(";
  else if (isOne(item, SENTENCE_ENDS)) endSentence(reader);
};

const endSentence = (reader: Reader): void => {
  reader.prep = null;
  reader.word = "";
  reader.used = false;
  reader.listed = true;
};

const HAND: readonly ((reader: Reader, at: number) => number | null)[] = [
  onMemo,
  onId,
  onCollectible,
  onCollection,
  onName,
  onParty,
  onPortion,
  onMaybeAsset,
  onWord,
];

const EXACT = kinds("addr,name,hex,num");

/** The purpose of a request binds nothing; its numbers and addresses stay open, so that they are not lost. */
const setAside = (items: readonly Item[]): void => {
  for (const item of items) if (!isOne(item, EXACT)) item.slot ??= "note";
};

const step = (reader: Reader, at: number): number => {
  for (const hand of HAND) {
    const next = hand(reader, at);
    if (next !== null) return next;
  }
  onSmall(reader, at);
  return at + 1;
};

export const eventsOf = (group: Group, chainId: (phrase: string) => number | null): Event[] => {
  const { items } = group;
  const reader: Reader = {
    items,
    group,
    events: [],
    prep: null,
    word: "",
    used: false,
    listed: false,
    link: "",
    early: group.verb !== null,
    aside: false,
    object: false,
    chainId,
  };
  for (let at = 0; at < items.length; at = step(reader, at)) {
    if (itemAt(items, at).k !== "purpose") continue;
    setAside(items.slice(at));
    break;
  }
  return reader.events;
};
