/** A holding after a share or "all": "… of my USDC balance", "… of the ETH in my wallet". */
import type { AssetRef } from "../intent.ts";
import { assetAt } from "./assets.ts";
import { itemAt, type Item } from "./items.ts";

/** Words after a figure or a share, and where they end. */
export type Rest = { asset: AssetRef | null; next: number; worth: boolean };

export const isSkippable = (item: Item | undefined): boolean =>
  item !== undefined &&
  ((item.k === "noise" && !/^(?:or|either|you|out|over|order|orders|price|rate)$/.test(item.low)) ||
    item.k === "my" ||
    (item.k === "prep" && item.v === "of"));

export const skipSmall = (items: readonly Item[], at: number): number => {
  let next = at;
  while (next < at + 6 && isSkippable(items[next])) next += 1;
  return next;
};

export const holdings = (
  items: readonly Item[],
  from: number,
  to: number,
): "balance" | "position" | "debt" => {
  for (let at = from; at < to; at += 1) {
    if (itemAt(items, at).v === "debt") return "debt";
    if (itemAt(items, at).v === "position") return "position";
  }
  return "balance";
};

/** "… of my USDC balance", "… of the ETH in my wallet". */
export const held = (items: readonly Item[], at: number): Rest => {
  const from = skipSmall(items, at);
  const direct = assetAt(items, from);
  if (direct !== null) {
    let { next } = direct;
    while (
      next < direct.next + 3 &&
      (itemAt(items, next).k === "balance" ||
        (itemAt(items, next).k === "class" && direct.asset.kind === "symbol"))
    )
      next += 1;
    return { asset: direct.asset, next, worth: false };
  }
  if (itemAt(items, from).k === "balance") {
    const of = skipSmall(items, from + 1);
    const after =
      of > from + 1 || itemAt(items, from + 1).v === "in"
        ? assetAt(items, of === from + 1 ? of + 1 : of)
        : null;
    return after === null ? { asset: null, next: from + 1, worth: false } : { ...after, worth: false };
  }
  return { asset: null, next: at, worth: false };
};
