/**
 * Loans, settled before anything else is read: "take a 500 USDC loan" makes a debt and "put 500 USDC toward my loan" pays one back.
 * Taking either for a withdrawal or a deposit moves the money the wrong way.
 */
import type { Act } from "../intent.ts";
import { isOne, itemAt, kinds, type Item } from "./items.ts";

const LOAN =
  /^(?:loans?|debt|debts|credit line|borrow|prestamo|emprestimo|pret|kredit|darlehen|schulden|deuda|divida|dette)$/;
const ENDS = kinds("stop,line,then,but,end");
const REACH = 12;

const isLoan = (item: Item): boolean =>
  !item.skip && (item.k === "verb" ? /^(?:a )?loan of$/.test(item.low) : LOAN.test(item.low));

const OWNERS =
  /^(?:the|this|that|his|her|their|outstanding|existing|current|el|la|le|o|a minha|der|die|den|dem|das)$/;
const BETWEEN = kinds("num,asset,scale,noise,venue,bound,fiat,punct");

const RATES =
  /^(?:variable|stable|fixed|floating|rate|interest|whole|entire|full|remaining|variablen?|variabel)$/;

/** "my loan" and "the loan" are there already; "a loan" is yet to be taken. */
const isOwed = (items: readonly Item[], at: number): boolean => {
  for (let back = at - 1; back > at - 6; back -= 1) {
    const item = itemAt(items, back);
    if (item.k === "my" || OWNERS.test(item.low)) return true;
    if (!isOne(item, BETWEEN) && !RATES.test(item.low)) return false;
  }
  return false;
};

/** The verb a noun depends on: the last before it in its sentence. */
const verbBefore = (items: readonly Item[], at: number): number => {
  for (let back = at - 1; back >= Math.max(0, at - REACH); back -= 1) {
    const item = itemAt(items, back);
    if (isOne(item, ENDS)) return -1;
    if (item.k === "verb") return back;
  }
  return -1;
};

const TAKES =
  /^(?:take|takes|taking|get|gets|getting|receive|open|opening|request|requesting|go|goes|going|draw|make|making|do|create|start|arrange|issue|initiate|execute|set up|need|want|i need|i want|we need|we want|i'd like|i would like|we'd like)\b/;
const GIVES = /^(?:give|grant|hand|extend)/;
const ONESELF = /^(?:me|us|myself)$/;

const takesLoan = (items: readonly Item[], verb: number): boolean => {
  const { low } = itemAt(items, verb);
  return TAKES.test(low) || (GIVES.test(low) && ONESELF.test(itemAt(items, verb + 1).low));
};

const PAYS =
  /^(?:put|puts|putting|cover|reduce|reducing|lower|lowering|decrease|decreasing|shrink|cut|close|closing|close out|clear|throw|direct|apply|use|allocate|bring|bring down|knock|take|trim)\b/;

const asVerb = (items: Item[], at: number, act: Act, flags: readonly string[]): void => {
  items[at] = { ...itemAt(items, at), k: "verb", v: act, mark: { k: "verb", v: act, acts: [act], flags } };
};

const asNote = (items: Item[], at: number): void => {
  items[at] = { ...itemAt(items, at), k: "noise", v: "", mark: null, symbol: null, slot: "note" };
};

/** "cover", "trim", "cut" are ordinary words elsewhere: only before one's own debt are they verbs. */
const plainVerbBefore = (items: readonly Item[], at: number): number => {
  for (let back = at - 1; back >= Math.max(0, at - REACH); back -= 1) {
    const item = itemAt(items, back);
    if (isOne(item, ENDS)) return -1;
    if (item.first && PAYS.test(item.low)) return back;
  }
  return -1;
};

/** "put 500 USDC toward my loan", "reduce my debt by 500 USDC": a share of what is owed goes back. */
const payBack = (items: Item[], noun: number): void => {
  const known = verbBefore(items, noun);
  const verb = known < 0 ? plainVerbBefore(items, noun) : known;
  if (verb >= 0 && PAYS.test(itemAt(items, verb).low)) asVerb(items, verb, "repay", []);
};

const takeOne = (items: Item[], noun: number): void => {
  const verb = verbBefore(items, noun);
  if (verb < 0 || !takesLoan(items, verb)) return;
  asVerb(items, verb, "borrow", ["gets"]);
  asNote(items, noun);
  const small = itemAt(items, verb + 1);
  if (ONESELF.test(small.low) || /^(?:on|into|for)$/.test(small.low)) asNote(items, verb + 1);
  const link = itemAt(items, noun + 1);
  if (/^(?:of|for|uber|von|de|over)$/.test(link.low)) asNote(items, noun + 1);
};

/** "against my ETH": taking a loan does not move its collateral. */
const collateral = (items: Item[], at: number): void => {
  if (!/^(?:against|backed by|using as collateral)$/.test(itemAt(items, at).low)) return;
  const own = itemAt(items, at + 1).k === "my" ? at + 2 : at + 1;
  if (itemAt(items, own).k !== "asset") return;
  const verb = verbBefore(items, at);
  if (verb < 0 || itemAt(items, verb).mark?.acts[0] !== "borrow") return;
  for (let next = at; next <= own; next += 1) asNote(items, next);
};

export const takeLoans = (items: Item[]): void => {
  for (let at = 0; at < items.length; at += 1) {
    if (isLoan(itemAt(items, at))) {
      if (isOwed(items, at)) payBack(items, at);
      else takeOne(items, at);
    }
    collateral(items, at);
  }
};
