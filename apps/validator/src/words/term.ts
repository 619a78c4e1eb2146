/** One term of a request, and how the figure next to its word is found and taken. */
import type { AssetRef, Span, Step } from "../intent.ts";
import { figureAt, type Figure } from "./amounts.ts";
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";
import { leaveOut } from "./notes.ts";
import type { Bounding } from "./portions.ts";

/** A term with its place: it belongs to the step there. */
export type Term = {
  readonly at: number;
  readonly slippageBps?: NonNullable<Step["slippageBps"]>;
  readonly deadline?: NonNullable<Step["deadline"]>;
  /** No word says that the deadline is one: it holds only for what can end. */
  readonly loose?: boolean;
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

export const nearFigure = (items: readonly Item[], at: number, fits: Fits): Figure | null =>
  figureAfter(items, at, fits) ?? figureBefore(items, at, fits);

/** Takes a figure out, with the bound before and after it and whatever small words lie between it and its word. */
export const consume = (items: readonly Item[], figure: Figure, at: number, slot: string): void => {
  const [from, to] = [Math.min(figure.start, at), Math.max(figure.next, at + 1)];
  for (let index = from; index < to; index += 1) leaveOut(items[index], slot);
  for (let before = from - 1; before > from - 4 && isLink(itemAt(items, before)); before -= 1)
    leaveOut(items[before], slot);
  const after = itemAt(items, to);
  if (after.k === "after" || (after.k === "bound" && figureAt(items, to + 1) === null)) leaveOut(after, slot);
};

const isLink = (item: Item): boolean =>
  isPrep(item, /^(?:with|at|of|on|in)$/) || item.low === "a" || item.k === "bound" || item.v === "(";

const SMALL = kinds("noise,bound");

const isSmall = (item: Item): boolean =>
  isOne(item, SMALL) || /^[:=]$/.test(item.v) || isPrep(item, /^(?:in|of|to)$/);

export const smallBetween = (items: readonly Item[], at: number): number => {
  let next = at;
  while (next < at + 4 && isSmall(itemAt(items, next))) next += 1;
  return next;
};
