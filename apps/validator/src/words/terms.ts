/** Terms of a request that are not its object: slippage, deadlines, gas, fees, partial fills, limit prices. */
import type { AssetRef, Span, Step } from "../intent.ts";
import { bpsOf, figureAt, type Figure } from "./amounts.ts";
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";
import { leaveOut } from "./notes.ts";
import { toWhole } from "./numbers.ts";
import { assetAt } from "./assets.ts";
import type { Bounding } from "./portions.ts";

/** Something said about a step, with its place: it belongs to the step that stands there. */
export type Term = {
  readonly at: number;
  readonly slippageBps?: NonNullable<Step["slippageBps"]>;
  readonly deadline?: NonNullable<Step["deadline"]>;
  readonly gas?: NonNullable<Step["gas"]>;
  readonly fee?: NonNullable<Step["fee"]>;
  readonly partialFill?: NonNullable<Step["partialFill"]>;
  readonly limitPrice?: Omit<NonNullable<Step["limitPrice"]>, "side"> & { readonly side: Bounding | null };
  readonly condition?: Step["conditions"][number];
  readonly avoid?: { readonly venue: string; readonly span: Span };
  /** "leave 0.1 ETH": taken from an "all". */
  readonly except?: { readonly figure: Figure; readonly asset: AssetRef | null };
};

const FILLERS = kinds("noise,my,bound,gas,slippage,word");

const isFiller = (item: Item): boolean =>
  isOne(item, FILLERS) || /^[:=(]$/.test(item.v) || isPrep(item, /^(?:of|to|on|in|for|by|from|at|with)$/);

const BOUNDARIES = kinds("end,stop,line");

const isBoundary = (item: Item): boolean => isOne(item, BOUNDARIES) || item.v === ",";

/** The nearest figure of a wanted unit after a word, else before it, within a few words of the same clause. */
const freeFigure = (items: readonly Item[], at: number): Figure | null =>
  itemAt(items, at).skip ? null : figureAt(items, at);

type Fits = (figure: Figure) => boolean;

const figureAfter = (items: readonly Item[], at: number, fits: Fits): Figure | null => {
  for (let next = at + 1; next < at + 7 && !isBoundary(itemAt(items, next)); next += 1) {
    const figure = freeFigure(items, next);
    if (figure !== null) return fits(figure) ? figure : null;
    if (!isFiller(itemAt(items, next))) return null;
  }
  return null;
};

const figureBefore = (items: readonly Item[], at: number, fits: Fits): Figure | null => {
  for (let back = at - 1; back > at - 7 && !isBoundary(itemAt(items, back)); back -= 1) {
    const figure = freeFigure(items, back);
    if (figure !== null && figure.next <= at && fits(figure)) return figure;
  }
  return null;
};

const nearFigure = (items: readonly Item[], at: number, fits: Fits): Figure | null =>
  figureAfter(items, at, fits) ?? figureBefore(items, at, fits);

/** Takes a figure out, with the bound before and after it and whatever small words lie between it and its word. */
const consume = (items: readonly Item[], figure: Figure, at: number, slot: string): void => {
  const [from, to] = [Math.min(figure.start, at), Math.max(figure.next, at + 1)];
  for (let index = from; index < to; index += 1) leaveOut(items[index], slot);
  for (let before = from - 1; before > from - 4 && isLink(itemAt(items, before)); before -= 1)
    leaveOut(items[before], slot);
  const after = itemAt(items, to);
  if (after.k === "after" || (after.k === "bound" && figureAt(items, to + 1) === null)) leaveOut(after, slot);
};

const isLink = (item: Item): boolean =>
  isPrep(item, /^(?:with|at|of|on|in)$/) || item.low === "a" || item.k === "bound" || item.v === "(";

const isPercent = (figure: Figure): boolean => figure.unit === "percent" || figure.unit === "bps";

const slippage = (items: readonly Item[], at: number): Term | null => {
  const item = itemAt(items, at);
  const figure = nearFigure(items, at, (one) => isPercent(one) || (one.unit === "none" && !one.absurd));
  if (figure === null) return null;
  const inBps = figure.unit === "bps" || (figure.unit === "none" && /bps|bips/.test(item.low));
  const bps = bpsOf({ ...figure, unit: inBps ? "bps" : "percent" });
  consume(items, figure, at, "slippage");
  return { at: item.start, slippageBps: { value: bps, span: figure.span } };
};

const secondsOf = (figure: Figure): bigint | null => {
  const factor = figure.unit === "time" ? figure.factor : figure.m ? 60n : null;
  if (factor === null) return null;
  const n = figure.m ? { digits: figure.n.digits, scale: figure.n.scale + 6 } : figure.n;
  return toWhole({ digits: n.digits * factor, scale: n.scale });
};

const SMALL = kinds("noise,bound");

const isSmall = (item: Item): boolean =>
  isOne(item, SMALL) || /^[:=]$/.test(item.v) || isPrep(item, /^(?:in|of|to)$/);

const smallBetween = (items: readonly Item[], at: number): number => {
  let next = at;
  while (next < at + 4 && isSmall(itemAt(items, next))) next += 1;
  return next;
};

const until = (items: readonly Item[], at: number, date: number): Term | null => {
  const item = itemAt(items, date);
  if (item.k !== "date" || item.v === "") return null;
  for (let index = at; index <= date; index += 1) leaveOut(items[index], "deadline");
  const span: Span = [item.start, item.end];
  return { at: item.start, deadline: { kind: "until", unix: BigInt(item.v), span } };
};

const EARLIEST_UNIX = 1_000_000_000n;

/** Seconds from now, or an instant written as a unix time. */
const deadlineOf = (figure: Figure): Term["deadline"] | null => {
  const seconds = secondsOf(figure);
  if (seconds !== null) return { kind: "within", seconds, span: figure.span };
  const unix = figure.unit === "none" ? toWhole(figure.n) : null;
  return unix !== null && unix >= EARLIEST_UNIX ? { kind: "until", unix, span: figure.span } : null;
};

const ONE_OF: Readonly<Record<string, bigint>> = {
  "a day": 86_400n,
  "a week": 604_800n,
  "a month": 2_592_000n,
};

/** "an hour", "a day": one of them. */
const oneUnit = (item: Item): bigint | null =>
  item.k === "unit" && /^[0-9]+$/.test(item.v) ? BigInt(item.v) : (ONE_OF[item.low] ?? null);

const lonely = (items: readonly Item[], at: number, next: number): Term | null => {
  const item = itemAt(items, next);
  const seconds = oneUnit(item);
  if (seconds === null) return null;
  for (let index = at; index <= next; index += 1) leaveOut(items[index], "deadline");
  return { at: itemAt(items, at).start, deadline: { kind: "within", seconds, span: [item.start, item.end] } };
};

const deadline = (items: readonly Item[], at: number): Term | null => {
  const next = smallBetween(items, at + 1);
  const dated = until(items, at, next) ?? lonely(items, at, next);
  if (dated !== null) return dated;
  const figure = figureAt(items, next);
  const found = figure === null ? null : (deadlineOf(figure) ?? null);
  if (figure === null || found === null) return null;
  for (let index = at; index < figure.next; index += 1) leaveOut(items[index], "deadline");
  return { at: itemAt(items, at).start, deadline: found };
};

/** "for 30 days" limits a permission; "in 20 minutes" asks for something to happen later. "30 minute deadline" stands behind. */
const spanOfTime = (items: readonly Item[], at: number): { figure: Figure; seconds: bigint } | null => {
  const figure = figureAt(items, at);
  const seconds = figure?.unit === "time" ? secondsOf(figure) : null;
  return figure === null || seconds === null ? null : { figure, seconds };
};

/** What a length of time without a cue of its own is: a limit, something for later, or what is paid for ("3 hours of work"). */
const timeRole = (before: Item, after: Item): "deadline" | "condition" | "note" | null => {
  if (after.k === "within" || before.low === "valid" || /^(?:内|以内)/.test(after.low)) return "deadline";
  if (isPrep(before, /^for$/)) return isPrep(after, /^of$/) ? "note" : "deadline";
  return isPrep(before, /^(?:in|into)$/) ? "condition" : null;
};

const looseTime = (items: readonly Item[], at: number): Term | null => {
  const found = spanOfTime(items, at);
  if (found === null) return null;
  const { figure, seconds } = found;
  const before = itemAt(items, itemAt(items, at - 1).k === "bound" ? at - 2 : at - 1);
  const after = itemAt(items, figure.next);
  const role = timeRole(before, after);
  if (role === null) return null;
  for (let index = at; index < figure.next; index += 1) leaveOut(items[index], role);
  if (after.k === "within") leaveOut(after, role);
  if (before.k === "prep" && role !== "note") leaveOut(before, null);
  const { start, text } = itemAt(items, at);
  if (role === "deadline") return { at: start, deadline: { kind: "within", seconds, span: figure.span } };
  return role === "note"
    ? null
    : { at: start, condition: { said: `in ${text}`, kind: "time", span: figure.span } };
};

/** "monthly payouts" says what kind of payment it is; "pay monthly" asks for something to happen again. */
const isAdjective = (items: readonly Item[], at: number): boolean => {
  const [item, next] = [itemAt(items, at), itemAt(items, at + 1)];
  return /^(?:daily|weekly|monthly|biweekly)$/.test(item.low) && (next.k === "word" || NOUNS.test(next.low));
};
const NOUNS = /^(?:payments?|payouts?|transfers?|donations?|invoice|bill|allowance|contribution|deposit)$/;

const later = (items: readonly Item[], at: number): Term | null => {
  const item = itemAt(items, at);
  if (isAdjective(items, at)) {
    leaveOut(item, "note");
    return null;
  }
  if (isPrep(itemAt(items, at - 1), /^for$/)) {
    const limited = lonely(items, at - 1, at);
    if (limited !== null) return limited;
  }
  leaveOut(item, "condition");
  return { at: item.start, condition: { said: item.low, kind: "time", span: [item.start, item.end] } };
};

const gas = (items: readonly Item[], at: number): Term | null => {
  const item = itemAt(items, at);
  const figure = nearFigure(items, at, (one) => one.unit === "wei" || one.unit === "none");
  if (figure === null) return null;
  const { span, n } = figure;
  const limit = item.k === "gaslimit" ? toWhole(n) : null;
  const isGwei = figure.unit === "wei" && figure.factor === 9n;
  if (limit !== null || isGwei) {
    consume(items, figure, at, "gas");
    return {
      at: item.start,
      gas: limit === null ? { maxFeeGwei: { value: n, span } } : { maxLimit: { value: limit, span } },
    };
  }
  const named = assetAt(items, figure.next);
  if (figure.unit !== "none" || named === null || !spentOn(items, figure, at)) return null;
  consume(items, { ...figure, next: named.next }, at, "gas");
  return { at: item.start, gas: { maxCost: { value: n, span } } };
};

/** "0.01 ETH on gas", "gas under 0.01 ETH", and not "keep 0.01 ETH for gas". */
const spentOn = (items: readonly Item[], figure: Figure, at: number): boolean =>
  figure.start > at || itemAt(items, at - 1).low === "on" || itemAt(items, at - 1).low === "in";

const fee = (items: readonly Item[], at: number): Term | null => {
  const item = itemAt(items, at);
  const figure = nearFigure(items, at, isPercent);
  const span: Span = [item.start, item.end];
  // Fees one collects are earnings, not a cost.
  if (items.slice(Math.max(0, at - 4), at).some((one) => one.mark?.acts[0] === "claim")) {
    item.k = "class";
    item.v = "rewards";
    return null;
  }
  if (item.k === "tier") {
    if (figure !== null) consume(items, figure, at, "note");
    return null;
  }
  if (figure === null) return { at: item.start, fee: { bps: null, to: null, span } };
  if (itemAt(items, figure.next).k === "tier" || itemAt(items, at + 1).k === "tier") {
    consume(items, figure, at, "note");
    return null;
  }
  consume(items, figure, at, "fee");
  return { at: item.start, fee: { bps: bpsOf(figure), to: null, span: figure.span } };
};

const partial = (items: readonly Item[], at: number): Term => {
  const item = itemAt(items, at);
  const denied = /kill|nothing|fok/.test(item.low);
  leaveOut(item, "partialFill");
  return { at: item.start, partialFill: { value: !denied, span: [item.start, item.end] } };
};

const perAt = (items: readonly Item[], at: number): { base: AssetRef | null; next: number } | null => {
  const item = itemAt(items, at);
  const article = item.low === "a" && item.k !== "prep" && itemAt(items, at + 1).k === "asset";
  if (!isPrep(item, /^per$/) && item.v !== "/" && item.k !== "each" && !article) return null;
  const base = assetAt(items, itemAt(items, at + 1).text === "1" ? at + 2 : at + 1);
  return { base: base?.asset ?? null, next: base?.next ?? at + 1 };
};

/** "at 2500 USDC per ETH", "limit price 2500", "@ 2500", "2500 USDC per ETH". */
const isPriceCue = (item: Item): boolean =>
  isPrep(item, /^at$/) ||
  (item.k === "prep" && /^(?:at|@)$/.test(item.low)) ||
  (item.k === "key" && item.v === "price");

type Priced = {
  readonly figure: Figure;
  readonly quote: AssetRef | null;
  readonly base: AssetRef | null;
  readonly end: number;
};

const isMoney = (figure: Figure): boolean =>
  (figure.unit === "none" || figure.unit === "fiat") && !figure.absurd;

const pricedAt = (items: readonly Item[], at: number): Priced | null => {
  const figure = figureAt(items, at);
  if (figure === null || !isMoney(figure)) return null;
  const quote = assetAt(items, figure.next);
  const after = quote?.next ?? figure.next;
  const per = perAt(items, after);
  const dollars: AssetRef | null =
    figure.unit === "fiat" ? { kind: "symbol", symbol: "USD", span: figure.span } : null;
  return { figure, quote: quote?.asset ?? dollars, base: per?.base ?? null, end: per?.next ?? after };
};

const boundOf = (item: Item): Bounding | null =>
  item.k === "bound" && /^(?:most|least)$/.test(item.v) ? (item.v as Bounding) : null;

const price = (items: readonly Item[], at: number): Term | null => {
  const item = itemAt(items, at);
  const cue = isPriceCue(item);
  const next = cue ? smallBetween(items, at + 1) : at;
  const found = pricedAt(items, next);
  if (found === null || (!cue && found.base === null)) return null;
  const better = itemAt(items, found.end).k === "after" ? 1 : 0;
  for (let index = at; index < found.end + better; index += 1) leaveOut(items[index], "limitPrice");
  const near = itemAt(items, next - 1);
  if (near.k === "bound") leaveOut(near, "limitPrice");
  const { figure, base, quote } = found;
  return { at: item.start, limitPrice: { n: figure.n, base, quote, side: boundOf(near), span: figure.span } };
};

const keep = (items: readonly Item[], at: number): Term | null => {
  const figure = figureAt(items, smallBetween(items, at + 1));
  if (figure?.unit !== "none") return null;
  const asset = assetAt(items, figure.next);
  for (let index = at; index < (asset?.next ?? figure.next); index += 1) leaveOut(items[index], "gives");
  return { at: itemAt(items, at).start, except: { figure, asset: asset?.asset ?? null } };
};

const HANDLERS: Readonly<Record<string, (items: readonly Item[], at: number) => Term | null>> = {
  slippage,
  within: deadline,
  until: deadline,
  later,
  gas,
  gaslimit: gas,
  fee,
  tier: fee,
  partial,
  keep,
};

const handlerOf = (item: Item): ((items: readonly Item[], at: number) => Term | null) | undefined => {
  if (item.k === "key") return HANDLERS[item.v === "deadline" ? "within" : item.v];
  return HANDLERS[item.k];
};

const TIMES = kinds("date,later,num,noise");

const termAt = (items: readonly Item[], at: number): Term | null => {
  const item = itemAt(items, at);
  const found = handlerOf(item)?.(items, at) ?? null;
  if (found !== null) return found;
  // "by" without a time is only a preposition.
  if (item.k === "until" && !isOne(items[at + 1], TIMES)) {
    item.k = "prep";
    item.v = "by";
  }
  return item.k === "num" || item.k === "punct" ? looseTime(items, at) : null;
};

const PRICE_STARTS = kinds("prep,key,num");

export const takeTerms = (items: readonly Item[]): Term[] => {
  const terms: Term[] = [];
  for (const pass of [termAt, price]) {
    for (let at = 0; at < items.length; at += 1) {
      const item = itemAt(items, at);
      if (item.skip || (pass === price && !isOne(item, PRICE_STARTS) && item.v !== "$")) continue;
      const found = pass(items, at);
      if (found !== null) terms.push(found);
    }
  }
  return terms;
};
