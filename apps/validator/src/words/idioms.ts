/** Turns of phrase settled before the grammar reads: venues' names used as verbs, holdings, fields without a colon, arrivals. */
import type { Act } from "../intent.ts";
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";
import type { Mark } from "./phrases.ts";

const markOf = (act: Act): Mark => ({ k: "verb", v: act, acts: [act], flags: [] });

const OPENERS = kinds("noise,then,and,stop,line,punct,but,self,end");
const OBJECTS = kinds("num,all,share,my,asset,bound,pronoun,unlimited");

/** Names of venues that are verbs too. */
const VERBS: Readonly<Record<string, Act>> = { hop: "bridge" };

const isOpening = (items: readonly Item[], at: number): boolean => {
  const before = itemAt(items, at - 1);
  return at === 0 || itemAt(items, at).first || isOne(before, OPENERS) || before.low === "to";
};

const PASSES = /^(?:pass|slip|advance)$/;
const NAMED = kinds("addr,name,num");

/** "pass Tom 45 USDC", "slip 45 USDC to Tom": words that are verbs only right before what or whom they are about. */
const passing = (items: Item[], at: number): void => {
  const item = itemAt(items, at);
  const next = itemAt(items, at + 1);
  if (!PASSES.test(item.low) || item.k === "verb" || !isOpening(items, at)) return;
  if (item.text === item.text.toUpperCase() || !(isOne(next, NAMED) || /^\p{Lu}\p{Ll}/u.test(next.text)))
    return;
  items[at] = { ...item, k: "verb", v: "transfer", mark: markOf("transfer"), symbol: null };
};

/** "hop 1 ETH to Linea" names no bridge. */
const nameAsVerb = (items: Item[], at: number): void => {
  const item = itemAt(items, at);
  const act = item.k === "venue" ? VERBS[item.low] : undefined;
  if (act === undefined || !isOpening(items, at) || !isOne(items[at + 1], OBJECTS)) return;
  // "to Across 1 ETH": behind a place it is still a name.
  if (/^\p{Lu}/u.test(item.text) && !item.first) return;
  items[at] = { ...item, k: "verb", v: act, mark: markOf(act), symbol: null };
};

/** "port 1 ETH across to Linea": a way, no bridge of that name. */
const adverb = (items: Item[], at: number): void => {
  const item = itemAt(items, at);
  const led = isPrep(itemAt(items, at - 1), /^(?:on|with|in|by|from|to)$/);
  if (item.k !== "venue" || item.text !== "across" || led || !isPrep(itemAt(items, at + 1), /^(?:to|into)$/))
    return;
  items[at] = { ...item, k: "noise", v: "", mark: null, slot: "note" };
};

const KEPT = /^(?:deposits?|supply|stake|staking|lending|savings|vault|position|einlage|deposito|depot)$/;

/** "my Aave deposit": something held there, not a request to deposit. */
const holding = (items: Item[], at: number): void => {
  const item = itemAt(items, at);
  if (item.k !== "verb" || !KEPT.test(item.low) || itemAt(items, at - 1).k !== "venue") return;
  const owner = itemAt(items, at - 2);
  if (owner.k !== "my" && !isPrep(owner, /^(?:from|of)$/)) return;
  items[at] = { ...item, k: "class", v: "position", mark: null, slot: "note" };
  const verb = items.findLastIndex((one, index) => index < at && one.k === "verb");
  // Drawing on a holding is not a loan.
  if (verb >= 0 && itemAt(items, verb).mark?.acts[0] === "borrow")
    items[verb] = { ...itemAt(items, verb), v: "withdraw", mark: { ...markOf("withdraw"), flags: ["gets"] } };
};

const FIELDS: readonly (readonly [RegExp, string, ReadonlySet<string>])[] = [
  [/^(?:recipient|beneficiary|payee|receiver)$/, "to", kinds("addr,name")],
  [/^(?:amount|qty|quantity)$/, "amount", kinds("num")],
];
const FIELD_OPENERS = kinds("punct,stop,line,end");

/** "…; amount 1000", "recipient 0x…": a field without its colon, at the start of its part of the sentence. */
const field = (items: Item[], at: number): void => {
  const item = itemAt(items, at);
  if (item.k === "key" || item.k === "verb" || !isOne(itemAt(items, at - 1), FIELD_OPENERS)) return;
  const found = FIELDS.find(([words, , wanted]) => words.test(item.low) && isOne(items[at + 1], wanted));
  if (found !== undefined) items[at] = { ...item, k: "key", v: found[1], mark: null, symbol: null };
};

const CAUSES = /^(?:make|makes|making|have|having|let|get|i want|i need|we want|we need|i'd like|want|need)$/;

/** "make 0.5 ETH arrive on Base", "I want 0.5 ETH to show up on Base": where it arrives is where it goes. */
const arrival = (items: Item[], at: number): void => {
  const item = itemAt(items, at);
  if (item.mark?.flags.includes("arrives") !== true) return;
  const place = itemAt(items, at + 1);
  const where = itemAt(items, isOne(items[at + 2], kinds("noise,my")) ? at + 3 : at + 2);
  const arrives = isPrep(place, /^(?:on|in|to|into|with)$/) && isOne(where, kinds("chain,addr,name,contact"));
  if (!arrives) {
    items[at] = { ...item, k: "word", mark: null };
    return;
  }
  items[at + 1] = { ...place, v: "to" };
  const acts: readonly Act[] = where.k === "chain" ? ["bridge"] : ["transfer"];
  items[at] = { ...item, mark: { ...item.mark, acts, flags: [] } };
  if (isPrep(itemAt(items, at - 1), /^to$/)) itemAt(items, at - 1).skip = true;
  for (let back = at - 1; back > at - 10 && back >= 0; back -= 1) {
    const cause = itemAt(items, back);
    if (!CAUSES.test(cause.low)) continue;
    items[back] = { ...cause, k: "noise", v: "", mark: null, slot: "note" };
    return;
  }
};

/** "send 45 USDC Tom's way": whose way it goes is who receives it. */
const way = (items: Item[], at: number): void => {
  const [owner, noun] = [itemAt(items, at), itemAt(items, at + 1)];
  if (!owner.possessive || noun.low !== "way" || itemAt(items, at - 1).k !== "asset") return;
  items[at + 1] = { ...noun, k: "noise", symbol: null, slot: "note" };
  items.splice(at, 0, {
    ...owner,
    k: "prep",
    v: "to",
    text: "",
    low: "to",
    end: owner.start,
    mark: null,
    symbol: null,
    slot: "note",
  });
};

export const takeIdioms = (items: Item[]): void => {
  for (let at = 0; at < items.length; at += 1) {
    nameAsVerb(items, at);
    passing(items, at);
    adverb(items, at);
    holding(items, at);
    field(items, at);
    arrival(items, at);
    way(items, at);
  }
};
