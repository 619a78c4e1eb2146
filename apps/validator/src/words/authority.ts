/** Permissions said with everyday verbs: "kill its access", "strip 0x… of the allowance", "need to OK the relayer". Settled before the grammar reads. */
import type { Act } from "../intent.ts";
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";
import type { Mark } from "./phrases.ts";

const REACH = 16;
const ENDS = kinds("stop,line,then,but,end");

/** Verbs of taking away, without their endings. */
const REMOVES = new Set(
  "cancel kill remov drop nuk withdraw disabl pull strip end terminat delet eras yank void lift retract reclaim deny deni cut shut turn switch tak get rid ditch scrap wip clear annul eliminat purg ax clos unset invalidat dismiss fir kick expel detach unlink deauthoriz unauthoriz sever".split(
    " ",
  ),
);

const stemOf = (low: string): string =>
  (low.split(" ")[0] ?? "").replace(/(?:ing|ed|es|s|e)$/, "").replace(/([lptd])\1$/, "$1");

const stems = new Set([...REMOVES].map((word) => word.replace(/([lptd])\1$/, "$1")));

/** "turn on", "get" and "switch to" take nothing away. */
const isRemoval = (items: readonly Item[], at: number): boolean => {
  const item = itemAt(items, at);
  if (!stems.has(stemOf(item.low)) || /^(?:the|of|an?)$/.test(itemAt(items, at - 1).low)) return false;
  if (!/^(?:get|turn|switch|shut)/.test(item.low)) return true;
  return / (?:rid|off|down)/.test(item.low) || /^(?:rid|off|down)/.test(itemAt(items, at + 1).low);
};

const PERMISSION =
  /^(?:(?:spending |token |operator |spender )?(?:approvals?|allowances?|permissions?|authori[sz]ations?|rights|privileges?)(?: of| for)?|access(?: to my)?|operators?|spenders?|spending (?:cap|limit|power))$/;
const FRESH = /^(?:new|fresh|another)$/;

const markOf = (act: Act): Mark => ({ k: "verb", v: act, acts: [act], flags: [] });

const closes = (item: Item): boolean => isOne(item, ENDS) || item.v === ";";

const isOtherVerb = (item: Item): boolean =>
  item.k === "verb" && (item.mark?.acts.length ?? 0) > 0 && !PERMISSION.test(item.low);

/** Where the permission stands that a verb of removal takes away, or -1. */
const permissionAfter = (items: readonly Item[], at: number): number => {
  for (let next = at + 1; next < at + REACH; next += 1) {
    const item = itemAt(items, next);
    if (closes(item) || item.k === "num" || isOtherVerb(item) || FRESH.test(item.low)) return -1;
    if (item.k === "and" && itemAt(items, next + 1).k === "verb") return -1;
    if (PERMISSION.test(item.low)) return next;
  }
  return -1;
};

const asNoise = (items: Item[], at: number): void => {
  items[at] = { ...itemAt(items, at), k: "noise", v: "", mark: null, symbol: null, slot: "note" };
};

const asVerb = (items: Item[], at: number, act: Act): void => {
  items[at] = { ...itemAt(items, at), k: "verb", v: act, mark: markOf(act), symbol: null };
};

const REMOVABLE = kinds("verb,word,noise,asset,fee");

const removal = (items: Item[], at: number): void => {
  const item = itemAt(items, at);
  if (!isOne(item, REMOVABLE) || !isRemoval(items, at)) return;
  const noun = permissionAfter(items, at);
  if (noun < 0) return;
  asVerb(items, at, "revoke");
  if (/^(?:rid of|off|off of|down)$/.test(itemAt(items, at + 1).low)) asNoise(items, at + 1);
  roundNoun(items, noun);
};

/** The words beside the permission: "as an operator", "access to my DAI", "the permission of 0x…". */
const roundNoun = (items: Item[], noun: number): void => {
  const said = itemAt(items, noun);
  asNoise(items, noun);
  const before = itemAt(items, noun - 1);
  if (isPrep(before, /^as$/)) asNoise(items, noun - 1);
  else if (isPrep(itemAt(items, noun - 2), /^as$/) && before.k === "noise") asNoise(items, noun - 2);
  const over = itemAt(items, noun + 1);
  if (said.low.endsWith(" of") || isPrep(over, /^of$/)) holder(items, noun + 1);
  else if (over.low === "over" || (said.low === "access" && isPrep(over, /^to$/))) asNoise(items, noun + 1);
};

/** "the permission of 0x… over my USDC": whose it is, and over what. */
const holder = (items: Item[], at: number): void => {
  const from = isPrep(itemAt(items, at), /^of$/) ? at : at - 1;
  for (let next = from + 1; next < from + 6; next += 1) {
    const item = itemAt(items, next);
    if (item.k === "asset" || closes(item)) return;
    if (item.k !== "addr" && item.k !== "name" && item.k !== "venue") continue;
    items[from] = { ...itemAt(items, from), k: "prep", v: "to", low: "to", mark: null };
    const over = itemAt(items, next + 1);
    if (over.low === "over" || isPrep(over, /^on$/)) asNoise(items, next + 1);
    return;
  }
};

const AGREES = /^(?:ok|okay|fine|happy|comfortable|cool|good|alright)$/;
const TAKES =
  /^(?:pulling|taking|spending|using|moving|drawing|withdrawing|debiting|to (?:pull|take|spend|use|move|draw))$/;
const GRANTEES = kinds("addr,name,venue,contact");

/** "I'm okay with the router pulling 990 USDC". */
const agreement = (items: Item[], at: number): void => {
  const item = itemAt(items, at);
  const link = itemAt(items, at + 1);
  if (!AGREES.test(item.low) || !(isPrep(link, /^(?:with|for)$/) || link.low === "if")) return;
  for (let next = at + 2; next < at + REACH; next += 1) {
    const said = itemAt(items, next);
    if (closes(said) || said.v === "," || said.k === "num") return;
    if (!TAKES.test(said.low)) continue;
    asVerb(items, at, "approve");
    asNoise(items, at + 1);
    asNoise(items, next);
    return;
  }
};

/** "need to OK the relayer 0x… for 0.5 WETH": followed at once by whoever may spend. */
const okay = (items: Item[], at: number): void => {
  const item = itemAt(items, at);
  if (item.k === "verb" || !/^(?:ok|okay)$/.test(item.low)) return;
  const asked = /(?:^| )to$|^please$|^pls$/.test(itemAt(items, at - 1).low);
  let next = at + 1;
  while (next < at + 5 && isOne(items[next], kinds("noise,my"))) next += 1;
  if (asked && isOne(items[next], GRANTEES)) asVerb(items, at, "approve");
};

/** "token USDC spender 0x… max 60": a field without its colon. */
const spenderField = (items: Item[], at: number): void => {
  const item = itemAt(items, at);
  const next = itemAt(items, itemAt(items, at + 1).k === "noise" ? at + 2 : at + 1);
  if (item.low !== "spender" || item.k !== "word" || !isOne(next, GRANTEES)) return;
  items[at] = { ...item, k: "key", v: "spender" };
};

export const takeAuthority = (items: Item[]): void => {
  for (let at = 0; at < items.length; at += 1) {
    removal(items, at);
    agreement(items, at);
    okay(items, at);
    spenderField(items, at);
  }
};
