/**
 * A part of the sentence that only says that the output comes to the owner: "I receive the shares", "paid entirely to
 * my wallet", "with the request NFT minted to my address", "que lleguen al menos 298,8 USDC a mi dirección". It asks
 * for no step of its own. Its names keep their role: the owner as the receiver, and a minimum.
 */
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";

const ARRIVES =
  /^(?:i |we )?(?:(?:should|must|shall|will|to|is|are|be|being|get|gets|should be|to be|all) )*(?:receiv\w*|gets?|getting|arriv\w*|com(?:es?|ing)|go(?:es|ing)?|paid|pay out|paid out|payable|mint(?:ed|s)?|credit(?:ed|s)?|deliver(?:ed|s|y)?|land(?:s|ing)?|sent|send|return(?:ed|s)?|end up|ends up|show up|issued|deposited|(?:que )?lleg\w*|recib\w*|cheg\w*|receb\w*|reco\w*|recev\w*|arriv\w*|vers\w*|ankomm\w*|erhalt\w*|gutgeschrieben|gehen|geht|到 ?账|到 ?帐|到 ?达|收 ?到|到)(?: to)?$/u;
const WHOLE =
  /^(?:the )?(?:full|whole|entire|entirely|fully|in full|completely|all|total|all of it|100|todo|toda|integro|completo|tout|toute|ganz|gesamte|vollstandig|全部|全额|全 额)(?: of)?(?: the)?$/;
const FIRST = /^(?:i|we|yo|eu|je|ich|wir|nous|nos|我)$/;

const BREAKS = kinds("stop,line,then,end");
/** Words that such a part may have in addition to its verb. */
const SOFT = kinds("noise,my,word,class,self,balance,prep,all,and,collection,unit");
const HARD = kinds(
  "addr,hex,name,contact,chain,venue,neg,cond,correct,percent,bps,fee,later,date,within,until,share,unlimited,key,id,slippage,gas,pronoun,but,purpose,keep,vague,fiat",
);
const MEASURES = kinds("num,scale,asset,bound,after");

type Part = { readonly from: number; readonly to: number };

const isLink = (item: Item): boolean =>
  item.v === "," || item.v === ";" || item.k === "and" || isPrep(item, /^with$/) || item.v === "(";

const partsOf = (items: readonly Item[]): Part[] => {
  const out: Part[] = [];
  let from = 0;
  for (let at = 0; at <= items.length; at += 1) {
    const item = itemAt(items, at);
    if (!isOne(item, BREAKS) && !isLink(item) && item.v !== ")") continue;
    if (at > from) out.push({ from, to: at });
    from = at + 1;
  }
  return out;
};

const isArrival = (item: Item): boolean => ARRIVES.test(item.low);
const isActing = (item: Item): boolean => item.k === "verb" && (item.mark?.acts.length ?? 0) > 0;

/** Oneself behind "to", or before the verb. */
const isOwn = (said: readonly Item[]): boolean => {
  const verb = said.findIndex(isArrival);
  return said.some(
    (item, at) =>
      item.k === "self" && (at > verb || FIRST.test(item.low) || /^(?:i|we) /.test(itemAt(said, verb).low)),
  );
};

/** The number and asset of a part, as they were written. */
const measuresOf = (said: readonly Item[]): string =>
  said
    .filter((item) => item.k === "num" || item.k === "asset")
    .map(({ low }) => low)
    .join(" ");

const isMinimum = (said: readonly Item[]): boolean =>
  said.some((item) => (item.k === "bound" || item.k === "after") && item.v === "least");

/** Nothing is measured, or a minimum is, or the same quantity occurred before. */
const isMeasured = (said: readonly Item[], before: string): boolean => {
  if (!said.some((item) => isOne(item, MEASURES))) return true;
  const again = measuresOf(said);
  return isMinimum(said) || (again.includes(" ") && ` ${before} `.includes(` ${again} `));
};

const isAllowed = (item: Item): boolean =>
  !isOne(item, HARD) && (isOne(item, SOFT) || isOne(item, MEASURES) || isActing(item) || isArrival(item));

const fits = (said: readonly Item[]): boolean =>
  said.some(isArrival) && said.filter(isActing).every(isArrival) && isOwn(said) && said.every(isAllowed);

const asNote = (items: Item[], at: number): void => {
  items[at] = { ...itemAt(items, at), k: "noise", v: "", mark: null, symbol: null, slot: "note" };
};

/** Only a minimum, and oneself behind "to", are left of it. */
const reduce = (items: Item[], { from, to }: Part): void => {
  const minimum = isMinimum(items.slice(from, to));
  for (let at = from; at < to; at += 1) {
    const item = itemAt(items, at);
    const own = item.k === "self" && !FIRST.test(item.low);
    if (own || (minimum && isOne(item, MEASURES)) || WHOLE_KEPT.has(item.k)) continue;
    if (isPrep(item, /^(?:to|into|in|at|on)$/) && itemAt(items, at + 1).k === "self") {
      items[at] = { ...item, v: "to" };
      continue;
    }
    asNote(items, at);
  }
};
const WHOLE_KEPT = new Set<string>(["punct"]);

/** "the whole price", "entirely": next to an arrival it measures nothing of its own. */
const isWhole = (item: Item): boolean => WHOLE.test(item.low);

export const takeArrivals = (items: Item[]): void => {
  const first = items.findIndex((item) => isActing(item) && !isArrival(item));
  if (first < 0) return;
  for (const part of partsOf(items)) {
    const said = items.slice(part.from, part.to).filter((item) => !item.skip && !isWhole(item));
    if (part.from <= first || said.length > PART_MAX || !fits(said)) continue;
    const before = measuresOf(items.slice(Math.max(0, part.from - REACH), part.from));
    if (isMeasured(said, before)) reduce(items, part);
  }
};

const PART_MAX = 24;
const REACH = 60;
