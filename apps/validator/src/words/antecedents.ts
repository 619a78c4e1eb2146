/** Whom "her", "him" and "it" mean: a payee named in another clause. Settled before reasons are taken out. */
import { isName, isTitle, titlesEnd, join } from "./contacts.ts";
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";
import { isLabel } from "./labels.ts";

const THEM = /^(?:her|him|them)$/;
const EXACT = kinds("addr,name");
const AMOUNTS = kinds(
  "num,all,share,scale,bound,pronoun,vague,my,end,stop,line,punct,noise,collection,class,asset",
);

type Label = { readonly from: number; readonly to: number };

const isPay = (item: Item): boolean => item.k === "verb" && item.mark?.acts.includes("transfer") === true;

/** Whether a small word is where a payee is expected: "send her 5 USDC", "to him". */
const isPayee = (items: readonly Item[], at: number): boolean => {
  if (!THEM.test(itemAt(items, at).low)) return false;
  const before = itemAt(items, at - 1);
  if (isPrep(before, /^to$/)) return true;
  return isPay(before) && isOne(itemAt(items, at + 1), AMOUNTS);
};

/** "to him at 0x…", "send her (0x…) 5 USDC": the address says who it is. */
const isTold = (items: readonly Item[], at: number): boolean => {
  for (let next = at + 1; next < at + 4; next += 1) {
    if (isOne(items[next], EXACT)) return true;
    if (!isPrep(itemAt(items, next), /^(?:on|at|to)$/) && !/^[(:,]$/.test(itemAt(items, next).v))
      return false;
  }
  return false;
};

const namesBefore = (items: readonly Item[], end: number): Label[] => {
  const out: Label[] = [];
  let at = 0;
  while (at < end) {
    if (isLabel(itemAt(items, at))) out.push({ from: at, to: at + 1 });
    const to = isTitle(itemAt(items, at)) ? Math.min(titlesEnd(items, at), end) : at;
    if (to > at && items.slice(at, to).some((item) => isName(item, true))) out.push({ from: at, to });
    at = Math.max(to, at + 1);
  }
  return out;
};

const ownedBefore = (items: readonly Item[], end: number): Label[] => {
  const out: Label[] = [];
  for (let at = 0; at < end; at += 1) {
    const [my, word] = [itemAt(items, at), itemAt(items, at + 1)];
    if (my.k === "my" && word.k === "word" && word.symbol === null) out.push({ from: at, to: at + 2 });
  }
  return out;
};

const saidOf = (items: readonly Item[], { from, to }: Label, text: string): string =>
  text.slice(itemAt(items, from).start, itemAt(items, to - 1).end).replace(/['’]s$/, "");

/** "Dinner with Kofi was great": a word that opens a sentence and has a preposition after it is not a party. */
const isTopic = (items: readonly Item[], { from, to }: Label): boolean =>
  itemAt(items, from).first && itemAt(items, to).k === "prep";

/** The only party that can be meant; of two, none is chosen. */
const onlyOne = (items: readonly Item[], labels: readonly Label[], text: string): string | null => {
  const people = labels.filter((label) => !isTopic(items, label));
  const said = new Set(people.map((label) => saidOf(items, label, text)));
  return said.size === 1 ? ([...said][0] ?? null) : null;
};

const meant = (items: readonly Item[], at: number, text: string): string | null => {
  const named = namesBefore(items, at);
  return named.length > 0 ? onlyOne(items, named, text) : onlyOne(items, ownedBefore(items, at), text);
};

const settle = (items: Item[], at: number, text: string): void => {
  if (isTold(items, at)) {
    itemAt(items, at).skip = true;
    const place = itemAt(items, at + 1);
    if (isPrep(place, /^(?:on|at|to)$/) && isPrep(itemAt(items, at - 1), /^to$/)) place.skip = true;
    return;
  }
  const said = meant(items, at, text);
  if (said !== null) items[at] = { ...itemAt(items, at), k: "contact", v: said, text: said, symbol: null };
};

const BILLS = /^(?:invoice|inv|bill|receipt|rechnung|factura|fatura|facture)$/;
const BILL_REACH = 7;

/** "Invoice #4471 from Blue Kite Ltd is due. Pay it.": the sender of the bill is paid. */
const billed = (items: Item[], at: number, text: string): void => {
  if (!BILLS.test(itemAt(items, at).low.split(" ")[0] ?? "")) return;
  for (let next = at + 1; next < at + BILL_REACH; next += 1) {
    const item = itemAt(items, next);
    if (item.k === "stop" || item.k === "line" || item.k === "verb") return;
    if (!isPrep(item, /^from$/)) continue;
    if (isLabel(itemAt(items, next + 1))) {
      items[next] = { ...item, v: "to" };
      return;
    }
    const to = titlesEnd(items, next + 1);
    if (to === next + 1 || !items.slice(next + 1, to).some((one) => isName(one, true))) return;
    items[next] = { ...item, v: "to" };
    join(items, { from: next + 1, to }, text);
    return;
  }
};

const PRONOUNS_MAX = 16;

export const takeAntecedents = (items: Item[], text: string): void => {
  const exact = items.some((item) => isOne(item, EXACT));
  let settled = 0;
  for (let at = 0; at < items.length && settled < PRONOUNS_MAX; at += 1) {
    if (isPayee(items, at)) {
      settle(items, at, text);
      settled += 1;
    } else if (!exact) billed(items, at, text);
  }
};
