/** One portion of money as a person says it: how much, of what. Bounds stand before or after; "all", shares and money too. */
import type { AssetRef, Decimal, Portion, Quantity, Span } from "../intent.ts";
import { assetAt, tokenAddress } from "./assets.ts";
import { figureAt, ratioOf, type Figure } from "./amounts.ts";
import { held, holdings, isSkippable, skipSmall, type Rest } from "./held.ts";
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";
import { ratioIn, toShare, toWhole, type Ratio } from "./numbers.ts";

export type Bounding = "most" | "least" | "exact" | "about";

export type Said = Portion & {
  readonly start: number;
  readonly next: number;
  readonly bound: Bounding | null;
  /** "500 USDC worth of ETH": the other asset, of which this portion is the price. */
  readonly worthOf?: AssetRef;
  readonly pronoun?: true;
};

const spanOf = (items: readonly Item[], from: number, to: number): Span => [
  itemAt(items, from).start,
  itemAt(items, Math.max(from, to - 1)).end,
];

const withBound = (figure: Figure, bound: Bounding | null, span: Span): Quantity => {
  const { n, others } = figure;
  if (figure.unit === "fiat")
    return { kind: "fiat", n, currency: figure.currency ?? "USD", bound: bound ?? "exact", span };
  if (figure.unit === "wei") return { kind: "raw", n: (toWhole(n) ?? 0n) * 10n ** figure.factor, span };
  if (bound === "most" || bound === "least" || bound === "about") return { kind: bound, n, span };
  return { kind: "exact", n, others, span };
};

/** "between 1 and 2", "1-2", "1 to 2": the second figure of a range, or null. */
const rangeEnd = (items: readonly Item[], first: Figure, between: boolean): Figure | null => {
  const joint = itemAt(items, first.next);
  const joins = joint.v === "-" || (joint.k === "prep" && joint.v === "to") || (between && joint.k === "and");
  if (!joins) return null;
  const second = figureAt(items, first.next + 1);
  if (second === null || (second.unit !== first.unit && first.unit !== "none")) return null;
  return second;
};

const afterBound = (items: readonly Item[], at: number): Bounding | null => {
  const item = itemAt(items, at);
  const next = itemAt(items, at + 1);
  if (item.k === "after") return item.v as Bounding;
  if (item.k !== "bound" || next.k === "num" || next.k === "asset" || next.v === "$" || next.k === "share")
    return null;
  return item.v as Bounding;
};

/** Words after a figure: "of my USDC", "worth of ETH", "in USDC", "USDC". */
const restAfter = (items: readonly Item[], at: number): Rest => {
  let next = at;
  let worth = false;
  for (let steps = 0; steps < 8; steps += 1) {
    const item = itemAt(items, next);
    const found = assetAt(items, next);
    if (found !== null && !(found.asset.kind === "class" && worth)) return { ...found, worth };
    if (item.k === "worth") worth = true;
    else if (item.k === "prep" && item.v === "in" && assetAt(items, skipSmall(items, next + 1)) !== null)
      worth = true;
    else if (!isSkippable(item) || (item.k === "my" && steps > 3)) break;
    next += 1;
  }
  return { asset: null, next: at, worth: false };
};

/** An address right after "100 of" is a token. */
const ofAddress = (items: readonly Item[], at: number): Rest | null => {
  if (itemAt(items, at).v !== "of") return null;
  const next = skipSmall(items, at);
  const found = tokenAddress(items, next);
  return found === null ? null : { ...found, worth: false };
};

const SHARED = kinds("my,asset,balance");

const isShareOf = (items: readonly Item[], at: number): boolean =>
  isOne(items[at], SHARED) || isPrep(itemAt(items, at), /^of$/);

const sharePortion = (items: readonly Item[], at: number, share: Ratio, from: number): Said => {
  const rest = held(items, from);
  const span = spanOf(items, at, from);
  const quantity: Quantity = {
    kind: "share",
    ...toShare(share),
    of: holdings(items, from, rest.next),
    span,
  };
  return { quantity, asset: rest.asset, start: at, next: Math.max(rest.next, from), bound: null };
};

/** "all but 0.1 ETH", "everything except 5 USDC". */
const exceptAt = (
  items: readonly Item[],
  at: number,
): { n: Decimal; asset: AssetRef | null; next: number } | null => {
  const item = itemAt(items, at);
  const cue =
    item.k === "but" ||
    item.k === "except" ||
    (item.k === "neg" &&
      /^(?:except|except for|excluding|other than|menos|excepto|exceto|sauf|ausser|bis auf|除了)$/.test(
        item.low,
      ));
  if (!cue) return null;
  const from = skipSmall(items, at + 1);
  const figure = figureAt(items, from);
  if (figure?.unit !== "none") return null;
  const rest = restAfter(items, figure.next);
  return { n: figure.n, asset: rest.asset, next: rest.next };
};

const allPortion = (items: readonly Item[], at: number): Said => {
  const early = exceptAt(items, at + 1);
  if (early !== null) {
    const quantity: Quantity = { kind: "all", except: early.n, span: spanOf(items, at, early.next) };
    return { quantity, asset: early.asset, start: at, next: early.next, bound: null };
  }
  let from = at + 1;
  while (itemAt(items, from).k === "all") from += 1;
  const rest = held(items, from);
  const late = exceptAt(items, rest.next);
  const next = late?.next ?? Math.max(rest.next, from);
  const quantity: Quantity = { kind: "all", except: late?.n ?? null, span: spanOf(items, at, from) };
  return { quantity, asset: rest.asset, start: at, next, bound: null };
};

const isPartOf = (items: readonly Item[], at: number): boolean =>
  itemAt(items, at).k === "my" || isPrep(itemAt(items, at), /^(?:of|from)$/);

const isShare = (figure: Figure): boolean => figure.unit === "percent" || figure.unit === "bps";

/** "75 percent of my ETH" and "1/2 of my ETH" are shares of what is held; "1/2 ETH" is a number. */
const shareOf = (items: readonly Item[], at: number, figure: Figure): Ratio | null => {
  if (isShare(figure)) return isShareOf(items, figure.next) ? ratioOf(figure) : null;
  const part = itemAt(items, at).read?.part;
  return part !== undefined && isPartOf(items, figure.next) ? part : null;
};

/** A bound said behind the amount counts unless one stood before it. */
const laterBound = (items: readonly Item[], at: number, bound: Bounding | null): Bounding | null =>
  bound === null || bound === "exact" ? afterBound(items, at) : null;

const figurePortion = (
  items: readonly Item[],
  at: number,
  figure: Figure,
  bound: Bounding | null,
): Said | null => {
  if (figure.absurd || figure.unit === "time") return null;
  const share = shareOf(items, at, figure);
  if (share !== null) return sharePortion(items, at, share, figure.next);
  if (isShare(figure)) return null;
  const second = rangeEnd(items, figure, itemAt(items, at - 1).v === "between");
  const end = second?.next ?? figure.next;
  const rest = ofAddress(items, end) ?? restAfter(items, end);
  const post = laterBound(items, rest.next, bound);
  const side = post ?? bound;
  const span = spanOf(items, at, end);
  const quantity: Quantity =
    second === null
      ? withBound(figure, side, span)
      : { kind: "range", least: figure.n, most: second.n, span };
  const said = {
    quantity,
    asset: rest.asset,
    start: at,
    next: rest.next + Number(post !== null),
    bound: side,
  };
  return pricedIn(items, said, rest) ?? said;
};

/** "500 USDC worth of ETH". */
const pricedIn = (items: readonly Item[], said: Said, rest: Rest): Said | null => {
  if (rest.asset === null || said.quantity?.kind === "fiat" || itemAt(items, said.next).k !== "worth")
    return null;
  const other = restAfter(items, said.next + 1);
  return other.asset === null ? null : { ...said, next: other.next, worthOf: other.asset };
};

const EVERYTHING = /^(?:max|maximum|as much as|maximo|maximal|最大)$/;

/** "max USDC" is all of it; "at most" without a figure bounds nothing. */
const bareAsset = (items: readonly Item[], at: number, bound: Bounding | null): Said | null => {
  const found = assetAt(items, at);
  if (found === null) return null;
  const all = EVERYTHING.test(itemAt(items, at - 1).low);
  const quantity: Quantity | null = all
    ? { kind: "all", except: null, span: spanOf(items, at - 1, at) }
    : null;
  return { quantity, asset: found.asset, start: at, next: found.next, bound: all ? null : bound };
};

const figureBehind = (
  items: readonly Item[],
  at: number,
): { figure: Figure; bound: Bounding | null; from: number } | null => {
  let from = /^[:=]$/.test(itemAt(items, at).v) ? at + 1 : at;
  while (itemAt(items, from).low === "amount") from += 1;
  const inner = itemAt(items, from);
  const bound = inner.k === "bound" ? (inner.v as Bounding) : null;
  if (bound !== null) from += 1;
  const figure = figureAt(items, from);
  // "swap USDC 1 ETH": the number belongs to what comes after it.
  if (figure?.unit !== "none" || figure.absurd || restAfter(items, figure.next).asset !== null) return null;
  return { figure, bound, from };
};

/** "USDC 100", "USDC: 100", "ETH amount 2". */
const assetFirst = (items: readonly Item[], at: number, bound: Bounding | null): Said | null => {
  const alone = bareAsset(items, at, bound);
  if (alone === null || alone.asset?.kind === "class") return alone;
  const behind = figureBehind(items, alone.next);
  if (behind === null) return alone;
  const { figure, from } = behind;
  const side = behind.bound ?? bound;
  return {
    ...alone,
    quantity: withBound(figure, side, spanOf(items, from, figure.next)),
    next: figure.next,
    bound: side,
  };
};

/** "send some to bob" is vague about money; "several people", "part of the gift" are about something else. */
const AFTER_SOME = kinds("end,prep,stop,balance");

const wordPortion = (items: readonly Item[], at: number): Said | null => {
  const item = itemAt(items, at);
  const span: Span = [item.start, item.end];
  if (item.k === "all") return allPortion(items, at);
  if (item.k === "unlimited") {
    const rest = held(items, at + 1);
    return {
      quantity: { kind: "unlimited", span },
      asset: rest.asset,
      start: at,
      next: Math.max(rest.next, at + 1),
      bound: null,
    };
  }
  if (item.k === "vague") {
    const rest = held(items, at + 1);
    if (rest.asset === null && !isOne(itemAt(items, at + 1), AFTER_SOME)) {
      item.slot ??= "note";
      return null;
    }
    return {
      quantity: { kind: "vague", said: item.low, span },
      asset: rest.asset,
      start: at,
      next: Math.max(rest.next, at + 1),
      bound: null,
    };
  }
  if (item.k === "pronoun")
    return { quantity: null, asset: null, start: at, next: at + 1, bound: null, pronoun: true };
  return null;
};

/** "half of my UNI" is a share; "half ETH", "half an ETH" a number. */
const sharePhrase = (items: readonly Item[], at: number): Said | null => {
  const item = itemAt(items, at);
  if (item.k !== "share") return null;
  const next = itemAt(items, at + 1);
  if (item.low === "half" && next.k === "asset") {
    const span: Span = [item.start, item.end];
    const found = assetAt(items, at + 1);
    return {
      quantity: { kind: "exact", n: { digits: 5n, scale: 1 }, others: [], span },
      asset: found?.asset ?? null,
      start: at,
      next: found?.next ?? at + 2,
      bound: null,
    };
  }
  return sharePortion(items, at, ratioIn(item.v), at + 1);
};

const boundAt = (items: readonly Item[], at: number): { bound: Bounding | null; next: number } => {
  const item = itemAt(items, at);
  if (item.k !== "bound") return { bound: null, next: at };
  const second = itemAt(items, at + 1).k === "bound" ? (itemAt(items, at + 1).v as Bounding) : null;
  const first = item.v as Bounding;
  return {
    bound: first === "exact" && second !== null ? second : first,
    next: skipSmall(items, second === null ? at + 1 : at + 2),
  };
};

/** The portion that starts at an item, or null. */
export const portionAt = (items: readonly Item[], at: number): Said | null => {
  const { bound, next } = boundAt(items, at);
  const from = itemAt(items, next).v === "between" ? next + 1 : next;
  const figure = figureAt(items, from);
  const said =
    (figure === null ? null : figurePortion(items, from, figure, bound)) ??
    sharePhrase(items, from) ??
    assetFirst(items, from, bound) ??
    (items[from] === undefined ? null : wordPortion(items, from));
  return said === null ? null : { ...said, start: at };
};
