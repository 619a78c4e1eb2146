/** Limit prices: "at 2500 USDC per ETH", "limit price 2500", "@ 2500". */
import type { AssetRef } from "../intent.ts";
import { figureAt, type Figure } from "./amounts.ts";
import { assetAt } from "./assets.ts";
import { isPrep, itemAt, type Item } from "./items.ts";
import { leaveOut } from "./notes.ts";
import type { Bounding } from "./portions.ts";
import { smallBetween, type Term } from "./term.ts";

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

export const price = (items: readonly Item[], at: number): Term | null => {
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
