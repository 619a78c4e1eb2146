/** Where one request ends and the next begins. A group is one verb with everything said about it. */
import type { Act } from "../intent.ts";
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";
import { isHan } from "./phrases.ts";

export type Group = {
  verb: Item | null;
  acts: readonly Act[];
  items: Item[];
  /** Its verb follows "and" directly after another verb: "approve and supply 100 USDC". */
  joined: boolean;
};

export const GROUPS_MAX = 64;

type Splitter = {
  readonly groups: Group[];
  current: Group;
  /** Index in the current group's items after the last sentence end, and after the last "and" or comma. */
  broke: number;
  joint: number;
  /** Whether the current group, and what came after its last joint, holds anything but verbs. */
  filled: boolean;
  filledSinceJoint: boolean;
  readonly verbLast: boolean;
};

const isLight = (item: Item | null): boolean => item?.mark?.flags.includes("light") === true;
const getsObject = (item: Item): boolean => item.mark?.flags.includes("gets") === true;

const CONTENT = kinds(
  "num,asset,addr,name,contact,venue,chain,all,share,id,pronoun,class,hex,unlimited,collection",
);

export const isContent = (item: Item): boolean => isOne(item, CONTENT);

const hasContent = (items: readonly Item[]): boolean => items.some((item) => isContent(item));

const open = (splitter: Splitter, verb: Item, from: number): void => {
  const moved = splitter.current.items.splice(from);
  splitter.groups.push(splitter.current);
  splitter.current = { verb, acts: verb.mark?.acts ?? [], items: [...moved, verb], joined: false };
  splitter.broke = 0;
  splitter.joint = -1;
  splitter.filled = hasContent(moved);
  splitter.filledSinceJoint = false;
};

const nominal = (splitter: Splitter, verb: Item): void => {
  verb.k = "word";
  verb.slot = "note";
  splitter.current.items.push(verb);
};

const asPreposition = (splitter: Splitter, verb: Item, v: string): void => {
  verb.k = "prep";
  verb.v = v;
  splitter.current.items.push(verb);
};

/** "cancel the approval", "remove the allowance" take authority away. */
const combined = (first: Item, second: Item): readonly Act[] => {
  const acts = second.mark?.acts ?? [];
  if (first.mark?.acts[0] === "revoke") return first.mark.acts;
  if (
    acts.includes("approve") &&
    /^(?:cancel|remove|clear|zero|withdraw|take|drop|kill|disable|undo)/.test(first.low)
  )
    return ["revoke"];
  // A smaller allowance is still one.
  if (acts.includes("approve") && /^(?:reset|lower|decrease|reduce)/.test(first.low))
    return ["revoke", "approve"];
  return acts.length > 0 ? acts : (first.mark?.acts ?? []);
};

const absorb = (splitter: Splitter, first: Item, verb: Item): void => {
  const { current } = splitter;
  current.acts = combined(first, verb);
  first.slot = first.mark?.acts.length === 0 || isLight(first) ? "note" : "verb";
  current.verb = verb.mark !== null && verb.mark.acts.length > 0 ? verb : first;
  current.items.push(verb);
};

const AUTHORITY_NOUN = /allowance|approval|permission|access|spending|operator/;

/** "authorize a transfer of 64 USDC to Ann": the transfer is what is asked for, signing it only how. */
const signsPayment = (first: Item, verb: Item): boolean =>
  first.mark?.acts[0] === "approve" &&
  /^(?:authori|approv|okay|greenlight|green light|sign)/.test(first.low) &&
  /^(?:transfers?|transfer of|payments?|payout|remittance|donation)$/.test(verb.low);

const takesNoun = (splitter: Splitter, first: Item, verb: Item): boolean =>
  (isLight(first) && !isNeededFor(splitter, first, verb)) ||
  (AUTHORITY_NOUN.test(verb.low) &&
    /^(?:cancel|remove|take|withdraw|clear|kill|drop|give|grant|disconnect|revoke|rescind)/.test(first.low));

/** A second verb after "to": what the permission is for, the other half of a trade, or a purpose. */
const afterTo = (splitter: Splitter, first: Item, verb: Item): void => {
  const { current } = splitter;
  const acts = verb.mark?.acts ?? [];
  if (current.acts.includes("approve") || current.acts.includes("revoke")) nominal(splitter, verb);
  else if (current.acts.includes("swap") && acts.includes("swap")) {
    asPreposition(splitter, verb, getsObject(verb) ? "into" : "with");
  } else if (!splitter.filled) absorb(splitter, first, verb);
  else {
    verb.k = "purpose";
    current.items.push(verb);
  }
};

const PASSED_OVER = kinds("noise,my");

const trailing = (items: readonly Item[]): Item =>
  itemAt(
    items,
    items.findLastIndex((item) => !isOne(item, PASSED_OVER)),
  );

/** The parts that make a sentence without a verb belong to the next one: "On Base, 5 USDC. Send it to bob.eth". */
const EXACT = kinds("num,addr,name,contact,asset,venue,chain,key");

const CONNECTORS = kinds("and,then");
const isConnector = (item: Item): boolean =>
  isOne(item, CONNECTORS) || item.v === "," || item.v === ":" || item.low === "after";

/** "sign a Permit2 transfer letting Ann take 150 USDC": a permission, carried out as a transfer. */
const letsTake = ({ current, filled }: Splitter, verb: Item): boolean =>
  current.acts[0] === "transfer" &&
  /^(?:letting|allowing|permitting|enabling|authori[sz]ing)$/.test(verb.low) &&
  !current.items.some((item) => item.k === "num" || item.k === "addr") &&
  (filled || current.items.length > 0);

/** Whether a later verb changed what is done to a permission: "the approval … should be revoked". */
const onAuthority = (splitter: Splitter, verb: Item): boolean => {
  const { current } = splitter;
  const acts = verb.mark?.acts ?? [];
  const lets = letsTake(splitter, verb);
  if (!lets && !(current.acts[0] === "approve" && acts[0] === "revoke")) return false;
  if (lets) asPreposition(splitter, verb, "to");
  else nominal(splitter, verb);
  current.acts = lets ? ["approve", "transfer"] : acts;
  return true;
};

/** "I need WETH for bidding": what it is needed for. */
const isNeededFor = ({ filled, current }: Splitter, first: Item, verb: Item): boolean =>
  filled &&
  first.mark?.flags.includes("want") === true &&
  isPrep(trailing(current.items), /^for$/) &&
  verb.low.endsWith("ing");

/** "卖出 1000 USDC 换 WETH": a second verb of trade names what comes. */
const namesOtherSide = ({ filled, current }: Splitter, verb: Item): boolean =>
  filled && isHan(verb.low) && current.acts.includes("swap") && verb.mark?.acts[0] === "swap";

const isAbsorbed = (splitter: Splitter, first: Item, verb: Item): boolean =>
  takesNoun(splitter, first, verb) || (!splitter.filled && signsPayment(first, verb));

/** A later verb of the same sentence, without a connector before it. */
const onLaterVerb = (splitter: Splitter, first: Item, verb: Item): void => {
  const { current, joint } = splitter;
  const before = trailing(current.items);
  if (before.low === "by" && current.acts.includes("swap")) asPreposition(splitter, verb, "with");
  else if (isAbsorbed(splitter, first, verb)) absorb(splitter, first, verb);
  else if (onAuthority(splitter, verb)) return;
  else if (isPrep(before, /^(?:to|for)$/)) afterTo(splitter, first, verb);
  else if (splitter.verbLast && joint > 0 && splitter.filledSinceJoint && !isLight(verb))
    open(splitter, verb, joint);
  else if (namesOtherSide(splitter, verb)) asPreposition(splitter, verb, "into");
  else nominal(splitter, verb);
};

const onVerb = (splitter: Splitter, verb: Item): void => {
  const { current } = splitter;
  const first = current.verb;
  if (first === null) {
    if (splitter.broke > 0 && !current.items.some((item) => isOne(item, EXACT))) current.items.length = 0;
    current.verb = verb;
    current.acts = verb.mark?.acts ?? [];
    current.items.push(verb);
  } else if (splitter.broke >= 0) open(splitter, verb, splitter.broke);
  else if (isConnector(trailing(current.items)) && !(isLight(first) && !splitter.filled)) {
    const joined = current.items.at(-1)?.k === "and" && !splitter.filled;
    open(splitter, verb, current.items.length);
    splitter.current.joined = joined;
  } else onLaterVerb(splitter, first, verb);
};

const isBreak = (item: Item): boolean =>
  item.k === "stop" || item.k === "line" || item.k === "then" || item.k === "but";

const onOther = (splitter: Splitter, item: Item): void => {
  const excepts = item.k === "but" && splitter.current.items.at(-1)?.k === "all";
  splitter.current.items.push(item);
  if (excepts) return;
  if (isContent(item)) splitter.filled = splitter.filledSinceJoint = true;
  if (isBreak(item)) splitter.broke = splitter.current.items.length;
  if (item.k === "and" || item.v === ",") {
    splitter.joint = splitter.current.items.length;
    splitter.filledSinceJoint = false;
  }
};

const PAYMENT_REACH = 10;
const NO_PAYMENT = kinds("verb,end,bound,stop,line,then,but");
const OWN_ROWS = new Set<Act | undefined>(["transfer", "approve", "revoke"]);
const PARTIES = kinds("addr,name,contact");

/** "swap 1 WETH into DAI, then 500 DAI to 0xabc": a payment of its own, without a verb. */
const startsPayment = (splitter: Splitter, items: readonly Item[], from: number): boolean => {
  const { current } = splitter;
  if (current.verb === null || !splitter.filled || OWN_ROWS.has(current.acts[0])) return false;
  let asset = false;
  for (let at = from; at < from + PAYMENT_REACH; at += 1) {
    const item = itemAt(items, at);
    if (isOne(item, NO_PAYMENT)) return false;
    if (asset && isPrep(item, /^(?:to|into|for)$/)) return isOne(items[at + 1], PARTIES);
    asset ||= item.k === "asset" && isOne(items[at - 1], NUMBERS);
  }
  return false;
};
const NUMBERS = kinds("num,scale,all,share");

const openBare = (splitter: Splitter): void => {
  splitter.groups.push(splitter.current);
  splitter.current = { verb: null, acts: [], items: [], joined: false };
  splitter.broke = -1;
  splitter.joint = -1;
  splitter.filled = false;
  splitter.filledSinceJoint = false;
};

/** `verbLast`: the language puts verbs at the end, so words before one belong to it. */
export const toGroups = (items: readonly Item[], verbLast: boolean): { groups: Group[]; cut: boolean } => {
  const splitter: Splitter = {
    groups: [],
    current: { verb: null, acts: [], items: [], joined: false },
    broke: -1,
    joint: -1,
    filled: false,
    filledSinceJoint: false,
    verbLast,
  };
  for (const [at, item] of items.entries()) {
    if (splitter.groups.length >= GROUPS_MAX) return { groups: splitter.groups, cut: true };
    if (item.k === "verb") {
      onVerb(splitter, item);
      if (splitter.current.verb === item) splitter.broke = -1;
    } else {
      onOther(splitter, item);
      if (isBreak(item) && startsPayment(splitter, items, at + 1)) openBare(splitter);
    }
  }
  splitter.groups.push(splitter.current);
  return { groups: splitter.groups, cut: false };
};
