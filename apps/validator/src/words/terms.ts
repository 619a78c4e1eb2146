/** Terms of a request that are not its object: slippage, deadlines, gas, fees, partial fills, limit prices. */
import type { Span } from "../intent.ts";
import { bpsOf, figureAt, type Figure } from "./amounts.ts";
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";
import { leaveOut } from "./notes.ts";
import { toWhole } from "./numbers.ts";
import { assetAt } from "./assets.ts";
import { price } from "./price-terms.ts";
import { consume, nearFigure, smallBetween, type Term } from "./term.ts";

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

const CUES = kinds("within,until");
const CUES_MAX = 3;

/** "deadline no later than 1 hour", "expiration within a day": one limit, said with two words. */
const pastCues = (items: readonly Item[], at: number): number => {
  let next = smallBetween(items, at + 1);
  for (let more = 0; more < CUES_MAX && isOne(items[next], CUES); more += 1)
    next = smallBetween(items, next + 1);
  return next;
};

const deadline = (items: readonly Item[], at: number): Term | null => {
  const next = pastCues(items, at);
  const dated = until(items, at, next) ?? lonely(items, at, next);
  if (dated !== null) return dated;
  const figure = figureAt(items, next);
  const found = figure === null ? null : (deadlineOf(figure) ?? null);
  if (figure === null || found === null) return null;
  for (let index = at; index < figure.next; index += 1) leaveOut(items[index], "deadline");
  return { at: itemAt(items, at).start, deadline: found };
};

/**
 * "for 30 days" limits a permission; "in 20 minutes" asks for something to happen later. "30 minute deadline" has its
 * cue after it.
 */
const spanOfTime = (items: readonly Item[], at: number): { figure: Figure; seconds: bigint } | null => {
  const figure = figureAt(items, at);
  const seconds = figure?.unit === "time" ? secondsOf(figure) : null;
  return figure === null || seconds === null ? null : { figure, seconds };
};

const ENDING =
  /^(?:die|dies|ends?|ending|closes|closing|termina\p{L}*|acaba|encerra\p{L}*|se termine|endet|endend|结 束|截 止|expir\p{L}*|caduc\p{L}*|venc\p{L}*|valid\p{L}*|valable|valables|gultig\p{L}*|ablauf\p{L}*|ablauft|lauft|有 效|有 效 期|过 期|失 效|到 期|期|效)$/u;
const LATER_BEFORE =
  /^(?:in|after|over|across|timelock|em|en|过|every|each|wait|waiting|nach|jede[nrs]?|alle|cada|tras|despues de|depois de|apos|apres|toutes les|chaque|dans|每|每 隔|等)$/;
const LATER_AFTER =
  /^(?:later|after|before|delay|timelock|hence|from now|spater|danach|despues|mas tarde|depois|mais tarde|apres|plus tard|后|之 后|以 后|from)$/;
const LASTS = /^(?:por|for|pour|fur|durante|pendant)$/;
const BYGONE = /^(?:ago|earlier|past|last|letzten|hace|ha|il y a|depuis|前|之 前)$/;
const ENDING_REACH = 4;

const ENDS = kinds("end,stop,line,punct");

/** The text around a duration, up to the next mark. */
const beside = (items: readonly Item[], from: number, step: 1 | -1): readonly Item[] => {
  const out: Item[] = [];
  for (let at = from; out.length < ENDING_REACH && !isOne(itemAt(items, at), ENDS); at += step)
    out.push(itemAt(items, at));
  return out;
};

/** Whether a word near it says that something ends then: "the order must die after 30 minutes", "一小时后过期". */
const isEnding = (items: readonly Item[], from: number, to: number): boolean =>
  [...beside(items, from - 1, -1), ...beside(items, to, 1)].some(({ low }) => ENDING.test(low));

/**
 * The meaning of a duration without a cue of its own: a limit, a later time, or a service that is paid for ("3 hours
 * of work").
 */
const timeRole = (before: Item, after: Item): "deadline" | "condition" | "note" => {
  if (isPrep(after, /^of$/) || BYGONE.test(before.low) || BYGONE.test(after.low)) return "note";
  const waits = !LASTS.test(before.low) && (isPrep(before, /^(?:in|into)$/) || LATER_BEFORE.test(before.low));
  return waits || LATER_AFTER.test(after.low) ? "condition" : "deadline";
};

/** "in an hour", "dans une heure": one of a length of time, said of when it should begin. */
const oneLater = (items: readonly Item[], at: number): Term | null => {
  const unit = itemAt(items, at);
  const article = itemAt(items, at - 1).k === "noise" ? 1 : 0;
  const [before, after] = [itemAt(items, at - 1 - article), itemAt(items, at + 1)];
  const waits = /^(?:en|em)$/.test(before.low) || timeRole(before, after) === "condition";
  if (oneUnit(unit) === null || !waits) return null;
  for (let index = at - article; index <= at; index += 1) leaveOut(items[index], "condition");
  const span: Span = [unit.start, unit.end];
  return { at: unit.start, condition: { said: `in ${unit.text}`, kind: "time", span } };
};

/** "con caducidad de una hora". */
const oneEnding = (items: readonly Item[], at: number): Term | null =>
  isEnding(items, at, at + 1) ? lonely(items, at, at) : oneLater(items, at);

/** No word next to it makes it a limit. */
const isLoose = (items: readonly Item[], at: number, next: number): boolean => {
  const before = itemAt(items, itemAt(items, at - 1).k === "bound" ? at - 2 : at - 1);
  return !LASTS.test(before.low) && !isEnding(items, at, next) && itemAt(items, next).k !== "within";
};

const looseTime = (items: readonly Item[], at: number): Term | null => {
  if (itemAt(items, at).k === "unit") return oneEnding(items, at);
  const found = spanOfTime(items, at);
  if (found === null) return null;
  const { figure, seconds } = found;
  const before = itemAt(items, itemAt(items, at - 1).k === "bound" ? at - 2 : at - 1);
  const after = itemAt(items, figure.next);
  const role = isEnding(items, at, figure.next) ? "deadline" : timeRole(before, after);
  for (let index = at; index < figure.next; index += 1) leaveOut(items[index], role);
  if (after.k === "within") leaveOut(after, role);
  if (before.k === "prep" && role !== "note") leaveOut(before, null);
  const { start, text } = itemAt(items, at);
  if (role === "deadline") {
    const loose = isLoose(items, at, figure.next);
    return { at: start, deadline: { kind: "within", seconds, span: figure.span }, loose };
  }
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
  if (isAdjective(items, at) || /^(?:like|as|wie|como|comme|像)$/.test(itemAt(items, at - 1).low)) {
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

/** "reduce my debt by 500 USDC" says how much; of an allowance it would say how much more, which nothing here can check. */
const isMeasure = (items: readonly Item[], at: number): boolean => {
  const figure = figureAt(items, at + 1);
  const verb = items.findLast((one, index) => index < at && one.k === "verb");
  const grants = verb?.mark?.acts.some((act) => act === "approve" || act === "revoke") === true;
  if (figure?.unit !== "none" || figure.absurd || grants || !/^(?:by|um|par)$/.test(itemAt(items, at).low))
    return false;
  return verb !== undefined && assetAt(items, figure.next) !== null;
};

const TIMES = kinds("date,later,num,noise");
const LOOSE = kinds("num,punct,unit");

const termAt = (items: readonly Item[], at: number): Term | null => {
  const item = itemAt(items, at);
  const found = handlerOf(item)?.(items, at) ?? null;
  if (found !== null) return found;
  // "by" without a time is only a preposition.
  if (item.k === "until" && (!isOne(items[at + 1], TIMES) || isMeasure(items, at))) {
    item.k = "prep";
    item.v = "by";
  }
  return isOne(item, LOOSE) ? looseTime(items, at) : null;
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
  if (terms.some((term) => term.deadline !== undefined)) nameLimits(items);
  return terms;
};

/** "expiration", "validity": next to a stated limit they only name it. */
const nameLimits = (items: readonly Item[]): void => {
  for (const item of items) if (item.k === "within" && !item.skip) leaveOut(item, "deadline");
};
