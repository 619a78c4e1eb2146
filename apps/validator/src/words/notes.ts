/** Words and numbers that ask for nothing: list markers, invoice numbers, reasons, memos. Taken out before the grammar reads. */
import { figureAt } from "./amounts.ts";
import { isOne, itemAt, kinds, type Item } from "./items.ts";

export const leaveOut = (item: Item | undefined, slot: string | null): void => {
  if (item === undefined) return;
  item.skip = true;
  if (slot !== null) item.slot ??= slot;
};

const ENDS = kinds("end,stop,line,then,but");

export const endsClause = (item: Item): boolean => isOne(item, ENDS) || item.v === ";";

/** Whether a new request begins after a comma or an "and" here. */
const isLink = (item: Item): boolean => item.k === "and" || item.v === "," || item.low === "so";

export const opensRequest = (items: readonly Item[], at: number): boolean => {
  if (!isLink(itemAt(items, at))) return false;
  let next = at + 1;
  while (next < at + 5 && (itemAt(items, next).k === "noise" || isLink(itemAt(items, next)))) next += 1;
  return itemAt(items, next).k === "verb";
};

const isWholeNumber = (item: Item): boolean => item.k === "num" && item.read?.plain === true;

/** "1." "2)" "(3)" "Step 4:" at the start of a line, and "1️⃣". */
const listMarker = (items: readonly Item[], at: number): void => {
  const item = itemAt(items, at);
  if (!item.first) return;
  const titled = item.k === "noteword";
  const from = titled || /^[([]$/.test(item.v) ? at + 1 : at;
  const number = itemAt(items, from);
  if (!isWholeNumber(number) || number.text.length > 2) return;
  if (!titled && !/^[).:\]-]$/.test(itemAt(items, from + 1).v)) return;
  for (let index = at; index <= from + 1; index += 1) leaveOut(items[index], "note");
};

/** "(2)" in its turn. */
const isBracketed = (items: readonly Item[], at: number, turn: number): boolean =>
  itemAt(items, at).v === "(" &&
  itemAt(items, at + 1).text === String(turn) &&
  itemAt(items, at + 2).v === ")" &&
  !itemAt(items, at).skip;

/** "(1) … (2) …" on one line. */
const bracketMarkers = (items: readonly Item[]): void => {
  let turn = 1;
  for (let at = 0; at < items.length; at += 1) {
    if (!isBracketed(items, at, turn)) continue;
    turn += 1;
    for (const one of items.slice(at, at + 3)) leaveOut(one, "note");
    if (at > 0) Object.assign(itemAt(items, at + 1), { k: "line", skip: false });
  }
};

/** "1) … 2) … 3) …" on one line: each marker in its turn begins a new request. */
const inlineMarkers = (items: readonly Item[]): void => {
  let [depth, turn] = [0, 1];
  for (let at = 0; at < items.length; at += 1) {
    const [item, mark] = [itemAt(items, at), itemAt(items, at + 1)];
    if (item.v === "(") depth += 1;
    if (item.v === ")" && !item.skip) depth = Math.max(0, depth - 1);
    if (depth > 0 || !isWholeNumber(item) || item.text !== String(turn) || mark.v !== ")" || !mark.tight)
      continue;
    turn += 1;
    leaveOut(item, "note");
    if (at > 0) mark.k = "line";
    else leaveOut(mark, null);
    at += 1;
  }
};

/** "1:1": one for one asks for nothing. */
const ratio = (items: readonly Item[], at: number): void => {
  const [one, colon, other] = [itemAt(items, at), itemAt(items, at + 1), itemAt(items, at + 2)];
  if (one.text !== "1" || colon.v !== ":" || other.text !== "1" || !colon.tight || !other.tight) return;
  for (const item of [one, colon, other]) leaveOut(item, "note");
};

/** "collection 0x…": a field without its colon. */
const collectionField = (items: readonly Item[], at: number): void => {
  const item = itemAt(items, at);
  if (item.low !== "collection" || item.k === "key" || itemAt(items, at + 1).k !== "addr") return;
  item.k = "key";
  item.v = "nft";
};

/** "across to cold storage": without "via" before it or a chain to go to it is only a direction. */
const THROUGH =
  /^(?:via|through|using|thru|by|with|on|over|use|protocol|bridge|con|por|com|mit|uber|avec|par)$/;

const directions = (items: readonly Item[]): void => {
  if (items.some((item) => item.k === "chain")) return;
  for (const [at, item] of items.entries()) {
    if (item.k === "venue" && item.text === "across" && !THROUGH.test(itemAt(items, at - 1).low))
      item.k = "noise";
  }
};

/** "I keep 120 USDC on Optimism; get it over to Base": where it is, said first, and nothing to be left over. */
const heldFirst = (items: readonly Item[], at: number): void => {
  const [who, item] = [itemAt(items, at - 1), itemAt(items, at)];
  if (item.k !== "keep" || who.k !== "self" || !who.first) return;
  if (items.slice(at, at + 24).some((one) => one.k === "pronoun")) leaveOut(item, "note");
};

/** "invoice #4411", "order no. 12", "March 2025", "v3", "ERC-20". */
const reference = (items: readonly Item[], at: number): void => {
  const item = itemAt(items, at);
  if (item.k !== "noteword") return;
  let next = at + 1;
  while (
    next < at + 4 &&
    (/^(?:#|:|-|\.)$/.test(itemAt(items, next).v) || itemAt(items, next).k === "noteword")
  )
    next += 1;
  const number = itemAt(items, next);
  if (number.k !== "num" && number.k !== "id") return;
  if (followedByAsset(items, next)) return;
  for (let index = at; index <= next; index += 1) leaveOut(items[index], "note");
};

const followedByAsset = (items: readonly Item[], at: number): boolean => {
  const figure = figureAt(items, at);
  if (figure === null) return false;
  return figure.unit !== "none" || itemAt(items, figure.next).k === "asset";
};

/** "ERC-20", "COVID-19": a number hung on a word; "1st", "2nd": an order. */
const hungNumber = (items: readonly Item[], at: number): void => {
  const [word, dash, number] = [itemAt(items, at), itemAt(items, at + 1), itemAt(items, at + 2)];
  const hung = number.k === "num" && dash.v === "-" && dash.tight && number.tight && word.k === "word";
  if (hung) leaveOut(number, "note");
  const ordinal =
    word.k === "num" && dash.k === "word" && dash.tight && /^(?:st|nd|rd|th|fa|x|er|eme)$/.test(dash.low);
  if (ordinal) leaveOut(word, "note");
  if (hung || ordinal) leaveOut(dash, null);
};

/** "#123" is an id; what it identifies is found later. */
const idMark = (items: readonly Item[], at: number): void => {
  const [hash, number] = [itemAt(items, at), itemAt(items, at + 1)];
  if (hash.v !== "#" || number.k !== "num" || !number.tight) return;
  number.k = "id";
  number.v = number.text.replace(/[,._ ]/g, "");
  hash.skip = true;
};

const CALENDAR = /^(?:19|20)[0-9]{2}$/;

/** From a reason to the end of its clause nothing is asked for; addresses and names stay, for they may be the party meant. */
const PARTIES = kinds("addr,hex,name");

const reason = (items: readonly Item[], at: number): number => {
  let next = at;
  for (; next < items.length; next += 1) {
    const item = itemAt(items, next);
    const excepts = item.k === "but" && itemAt(items, next - 1).k === "all";
    const ends = endsClause(item) && !excepts;
    if (next > at && (ends || item.v === "," || opensRequest(items, next))) break;
    if (!isOne(item, PARTIES)) leaveOut(item, item.k === "neg" ? null : "note");
  }
  return next;
};

/** "sign a permit so that Uniswap can spend 100 USDC": here the reason is the request. */
const grantsAfter = (items: readonly Item[], at: number): boolean => {
  if (!/^(?:so|para que|damit|pour que)/.test(itemAt(items, at).low)) return false;
  const before = items.slice(Math.max(0, at - 12), at);
  const after = items.slice(at, at + 8);
  return (
    before.some((item) => item.mark?.acts[0] === "approve") &&
    after.some((item) => /^(?:spend|use|move|pull|gast|ausg|depens)/.test(item.low))
  );
};

/** "memo: rent (that is 300 USDT)": an amount in brackets is not part of the memo. */
const holdsAmount = (items: readonly Item[], at: number): boolean => {
  for (let next = at + 1; next < at + 8; next += 1) {
    if (itemAt(items, next).k === "num") return followedByAsset(items, next);
  }
  return false;
};

const memoKey = (items: readonly Item[], at: number): number => {
  let next = at;
  for (; next < items.length; next += 1) {
    const item = itemAt(items, next);
    const ends = item.k === "line" || item.v === ";" || (next > at && item.k === "key");
    if (ends || (item.v === "," && itemAt(items, next + 1).k === "key")) break;
    if (item.v === "(" && holdsAmount(items, next)) break;
    leaveOut(item, "note");
  }
  return Math.max(next, at + 1);
};

const isYear = (items: readonly Item[], at: number): boolean =>
  itemAt(items, at).k === "num" &&
  CALENDAR.test(itemAt(items, at).text) &&
  itemAt(items, at - 1).k === "word" &&
  !followedByAsset(items, at);

const MEASURED = kinds("num,fiat,punct,share,all,noise,scale");

/** "just the 5 USDC" measures; "just a plain transfer" does not. */
const isMeasured = (items: readonly Item[], at: number): boolean => {
  let next = at;
  while (next < at + 3 && itemAt(items, next).k === "noise") next += 1;
  return isOne(items[next], MEASURED);
};

/** "I read about Rocket Pool": nothing is measured here. */
const isTopic = (items: readonly Item[], at: number): boolean =>
  (itemAt(items, at).low === "about" && !isOne(itemAt(items, at + 1), MEASURED)) ||
  (/^(?:just|only)$/.test(itemAt(items, at).low) &&
    /^(?:verb|noise)$/.test(itemAt(items, at + 1).k) &&
    !isMeasured(items, at + 1));

/** "everything I have in ARB": in mid-sentence it only says whose. */
const isRemark = (items: readonly Item[], at: number): boolean =>
  /^(?:i|we) /.test(itemAt(items, at).low) && !itemAt(items, at).first && itemAt(items, at - 1).v !== ",";

/** "before I trade": a later intention, not a time. */
const isBeforeDoing = (items: readonly Item[], at: number): boolean =>
  itemAt(items, at).low === "before" &&
  /^(?:i|we|he|she|they)$/.test(itemAt(items, at + 1).low) &&
  /^(?:verb|word)$/.test(itemAt(items, at + 2).k);

/** Steps over a reason or memo that begins here; gives back where reading goes on. */
const noteAt = (items: readonly Item[], at: number, reasons: boolean): number => {
  const item = itemAt(items, at);
  if (item.k === "key" && item.v === "note") return memoKey(items, at);
  if (isBeforeDoing(items, at)) {
    for (let index = at; index < at + 3; index += 1) leaveOut(items[index], "note");
    return at + 3;
  }
  if (item.k !== "purpose") return at + 1;
  if (reasons && !isRemark(items, at) && !grantsAfter(items, at)) return reason(items, at);
  leaveOut(item, null);
  return at + 1;
};

/** `reasons` false: read what follows "because" and "I owe" as part of the request. */
export const takeNotes = (items: readonly Item[], reasons: boolean): void => {
  for (let at = 0; at < items.length; at += 1) {
    idMark(items, at);
    listMarker(items, at);
    ratio(items, at);
    collectionField(items, at);
    heldFirst(items, at);
  }
  directions(items);
  bracketMarkers(items);
  inlineMarkers(items);
  let at = 0;
  while (at < items.length) {
    if (itemAt(items, at).skip) {
      at += 1;
      continue;
    }
    reference(items, at);
    hungNumber(items, at);
    if (isYear(items, at) || isTopic(items, at)) leaveOut(items[at], "note");
    at = noteAt(items, at, reasons);
  }
};
