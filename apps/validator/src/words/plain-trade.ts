/**
 * An alternative reading of the same text: one trade and nothing else. Every amount must show its side by its own cue
 * (a minimum comes, a maximum goes, "sell" and "in" go, "buy", "for" and "out" come), each side has one asset and one
 * amount, and every verb is about trading, about permitting what the trade takes, or about its cost. Ordinary words
 * between them demand nothing.
 */
import type { AssetRef, PartyRef, Portion, Span, Step } from "../intent.ts";
import type { Address } from "../proposal.ts";
import { newDraft, sameAsset, type Draft } from "./drafts.ts";
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";
import { portionAt, type Said } from "./portions.ts";

type Side = "gives" | "gets";

/** None of these may be anywhere in the text. */
const NEVER = kinds(
  "neg,cond,correct,later,date,share,all,unlimited,vague,slippage,gas,gaslimit,fee,hex,name,contact,collection,id,nftid,percent,bps,wei,fiat,keep,but,each,evenly,worth,balance,purpose,unit",
);

const actsOf = (item: Item): readonly string[] => (item.k === "verb" ? (item.mark?.acts ?? []) : []);
const hasFlag = (item: Item, flag: string): boolean => item.mark?.flags.includes(flag) === true;

const COSTS =
  /^(?:pay|pays|paying|paid|spend|spending|zahlen|zahle|bezahlen|bezahle|gib|ausgeben|gastar|gasta|gaste|paga|pagar|pagando|pague|depenser|depense|payer|paie|花|花 费|支 付|付)(?: with)?$/;
const FORMS =
  /^(?:exact ?(?:in|input|out|output)(?:put)?|exact(?:in|out)put(?:single)?|v3_swap_exact_(?:in|out)|swapexact\w*)$/;
const APPROVES = /^(?:approve|revoke)$/;
const BARE =
  /^(?:approv\w*|allowances?|permissions?|autoriz\w*|aprob\w*|aprov\w*|autoris\w*|approb\w*|freigab\w*|freigeb\w*|genehmig\w*|授 权|批 准)(?: of| for)?$/;

/** "route 1,740 USDC to LINK", "die WBTC haben und dafür zahlen": without a payee, the input goes for the output. */
const ROUTES = /^(?:route|routes|routed|routing|goes|go|going|dafur|a cambio|em troca|en echange)$/;

const isTrading = (item: Item): boolean =>
  actsOf(item).includes("swap") || FORMS.test(item.low) || ROUTES.test(item.low);

/** A verb that this reading understands: a trade, a cost, a permission, or one without a meaning of its own. */
const isKnown = (item: Item): boolean => {
  const acts = actsOf(item);
  if (acts.length === 0 || acts.includes("swap") || COSTS.test(item.low) || ROUTES.test(item.low))
    return true;
  return APPROVES.test(acts[0] ?? "")
    ? BARE.test(item.low)
    : hasFlag(item, "receives") && acts.includes("swap");
};

const KEY_SIDE: Readonly<Record<string, Side>> = {
  gives: "gives",
  most: "gives",
  gets: "gets",
  least: "gets",
};
const GOES = /^(?:amountin|amount in|input|in|selling|sold|paying|dafur|entrada|verkauf\w*)$/;
const COMES = /^(?:amountout|amount out|output|out|return|received|haben|salida|saida|erhalt\w*)$/;
const HOPS =
  /^(?:via|through|path|hop|hops|uber|durch|pasando por|passando por|en passant par|ruta|rota|经|通 过|经 由)$/;

/** An asset that is sold, spent, paid or permitted goes; one that is bought or received comes. */
const verbCue = (item: Item): Side | null => {
  if (COSTS.test(item.low) || APPROVES.test(actsOf(item)[0] ?? "")) return "gives";
  if (!isTrading(item)) return null;
  return hasFlag(item, "gets") ? "gets" : "gives";
};

const wordCue = ({ low }: Item): Side | null => (GOES.test(low) ? "gives" : COMES.test(low) ? "gets" : null);

/** Which side a word puts the next amount on. */
const cueOf = (item: Item): Side | "hop" | null => {
  if (item.k === "key") return KEY_SIDE[item.v] ?? null;
  if (HOPS.test(item.low)) return "hop";
  if (FORMS.test(item.low)) return item.low.includes("out") ? "gets" : "gives";
  if (item.k === "verb") return verbCue(item);
  if (isPrep(item, /^(?:into|for|as)$/)) return "gets";
  return isPrep(item, /^(?:with|against)$/) ? "gives" : wordCue(item);
};

type Found = { readonly side: Side; readonly portion: Portion };
type Read = {
  readonly found: Found[];
  readonly venues: Step["venues"][number][];
  readonly chains: Set<number>;
  cue: Side | "hop" | "to" | null;
  to: PartyRef | null;
};

const BOUND_SIDE: Readonly<Record<string, Side>> = { least: "gets", most: "gives" };

const WORDS = kinds("prep,word,noise");

const sideBehind = (items: readonly Item[], next: number): Side | null => {
  const item = itemAt(items, next);
  return isOne(item, WORDS) ? wordCue(item) : null;
};

/** The side of an amount, by its bound, the word behind it or the cue before it; null where they disagree. */
const sideOf = (items: readonly Item[], said: Said, read: Read): Side | null => {
  const cue = read.cue === "to" ? "gets" : read.cue === "hop" ? null : read.cue;
  const bound = BOUND_SIDE[said.bound ?? ""] ?? null;
  const behind = sideBehind(items, said.next);
  if (bound !== null) return behind !== null && behind !== bound ? null : bound;
  return behind ?? cue;
};

const take = (items: readonly Item[], from: number, to: number, slot: string): void => {
  for (const item of items.slice(from, to)) item.slot = slot;
};

const isMoney = (asset: AssetRef | null): boolean =>
  asset === null || asset.kind === "symbol" || asset.kind === "address";

/** "the USDC approval": what a permission is over is what goes. */
const isPermitted = (items: readonly Item[], { quantity, next }: Said): boolean =>
  quantity === null && APPROVES.test(actsOf(itemAt(items, next))[0] ?? "");

/** "300 AAVE to USDC": with another asset right behind it an amount goes. */
const isTurned = (items: readonly Item[], { quantity, next }: Said): boolean =>
  quantity?.kind === "exact" &&
  isPrep(itemAt(items, next), /^(?:to|into|for)$/) &&
  itemAt(items, next + 1).k === "asset";

const isCounted = (quantity: Portion["quantity"]): boolean => {
  if (quantity === null) return true;
  return quantity.kind === "exact" ? quantity.others.length === 0 : /^(?:most|least)$/.test(quantity.kind);
};

/** A portion this reading can use: an asset or a number, plainly said. */
const plainAt = (items: readonly Item[], at: number): Said | null => {
  const said = portionAt(items, at);
  if (said === null || said.pronoun === true || said.worthOf !== undefined) return null;
  return isMoney(said.asset) && isCounted(said.quantity) ? said : null;
};

const portionTurn = (items: readonly Item[], at: number, read: Read): number | null => {
  const said = plainAt(items, at);
  if (said === null) return null;
  const { quantity } = said;
  if (quantity === null && read.cue === "hop") {
    take(items, at, said.next, "note");
    return said.next;
  }
  const side =
    sideOf(items, said, read) ?? (isPermitted(items, said) || isTurned(items, said) ? "gives" : null);
  if (side === null) return null;
  read.found.push({ side, portion: { asset: said.asset, quantity } });
  take(items, at, said.next, side);
  // A portion without a cue of its own has none: "25,000 USDC, 7.93 WETH".
  read.cue = null;
  return said.next;
};

const placeTurn = (
  items: readonly Item[],
  at: number,
  read: Read,
  chainId: (phrase: string) => number | null,
): boolean => {
  const item = itemAt(items, at);
  if (item.k === "venue") {
    read.venues.push({ venue: item.v, mode: "on", span: [item.start, item.end] });
    take(items, at, at + 1, "venue");
    return true;
  }
  const id = chainId(item.low);
  if (id === null) return false;
  read.chains.add(id);
  take(items, at, at + 1, "chain");
  return read.chains.size === 1;
};

const partyTurn = (items: readonly Item[], at: number, read: Read): boolean => {
  const item = itemAt(items, at);
  const before = itemAt(items, at - 1);
  const led = isPrep(before, /^(?:to|into|for|behalf)$/) || (before.k === "key" && before.v === "to");
  if (item.k !== "addr") return true;
  if (!led || read.to !== null) return false;
  read.to = { kind: "address", address: item.v.toLowerCase() as Address, span: [item.start, item.end] };
  take(items, at, at + 1, "to");
  return true;
};

const MEASURES = kinds("num,asset,scale,bound");
const PLACES = kinds("venue,chain");
const PARTIES = kinds("addr,self");

const isSymbolChain = (item: Item): boolean => item.k === "chain" && item.symbol !== null;

/** Reads what begins at a place; null where something there cannot be a part of one trade. */
const turnAt = (
  items: readonly Item[],
  at: number,
  read: Read,
  chainId: (phrase: string) => number | null,
): number | null => {
  const item = itemAt(items, at);
  if (isOne(item, PLACES)) return !isSymbolChain(item) && placeTurn(items, at, read, chainId) ? at + 1 : null;
  if (isOne(item, PARTIES)) return partyTurn(items, at, read) ? at + 1 : null;
  if (isOne(item, MEASURES)) {
    if (item.k === "bound" && portionAt(items, at) === null) return at + 1;
    return portionTurn(items, at, read);
  }
  const cue = cueOf(item);
  if (cue !== null) read.cue = cue;
  else if (isPrep(item, /^to$/)) read.cue = "to";
  return at + 1;
};

const readTurns = (items: readonly Item[], chainId: (phrase: string) => number | null): Read | null => {
  const read: Read = { found: [], venues: [], chains: new Set(), cue: null, to: null };
  for (let at = 0; at < items.length;) {
    const next = turnAt(items, at, read, chainId);
    if (next === null) return null;
    at = next;
  }
  return read;
};

const isSameAmount = (a: Portion["quantity"], b: Portion["quantity"]): boolean =>
  a !== null &&
  b !== null &&
  a.kind === b.kind &&
  "n" in a &&
  "n" in b &&
  JSON.stringify(a.n, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value)) ===
    JSON.stringify(b.n, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));

/** The one asset and the one amount of a side, however often they occur; null if there are two. */
const only = (found: readonly Found[], side: Side): Portion | null => {
  let one: Portion = { asset: null, quantity: null };
  for (const { portion } of found.filter((each) => each.side === side)) {
    if (portion.asset !== null && one.asset !== null && !sameAsset(one.asset, portion.asset)) return null;
    if (portion.quantity !== null && one.quantity !== null && !isSameAmount(one.quantity, portion.quantity))
      return null;
    one = { asset: one.asset ?? portion.asset, quantity: one.quantity ?? portion.quantity };
  }
  return one.asset === null ? null : one;
};

/** The input is counted; the output has a minimum, or is counted if the input has a maximum. */
const isWhole = (gives: Portion | null, gets: Portion | null): boolean => {
  if (gives === null || gets === null || sameAsset(gives.asset, gets.asset)) return false;
  if (gives.quantity === null) return false;
  if (gives.quantity.kind === "most") return gets.quantity?.kind === "exact";
  return gives.quantity.kind === "exact" && (gets.quantity === null || gets.quantity.kind === "least");
};

/** The trade a text asks for, or null where it can be read as anything else. */
export const plainTrade = (
  all: readonly Item[],
  chainId: (phrase: string) => number | null,
): Draft[] | null => {
  const items = all.filter((item) => !item.skip);
  if (!items.some(isTrading) || items.some((item) => isOne(item, NEVER) || !isKnown(item))) return null;
  const read = readTurns(items, chainId);
  if (read === null) return null;
  const [gives, gets] = [only(read.found, "gives"), only(read.found, "gets")];
  if (gives === null || gets === null || !isWhole(gives, gets)) return null;
  const span: Span = [itemAt(items, 0).start, itemAt(items, items.length - 1).end];
  const draft = newDraft(["swap"], { word: "trade", span }, span);
  draft.gives = [gives];
  draft.gets = [gets];
  draft.venues = read.venues;
  draft.to = read.to === null ? [] : [read.to];
  const [chain] = read.chains;
  draft.chain = chain === undefined ? null : { value: chain, span };
  return [draft];
};
