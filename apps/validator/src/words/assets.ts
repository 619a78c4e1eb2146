/** Assets in running text: symbols, aliases, classes, and addresses said to be tokens. */
import type { AssetRef, Span } from "../intent.ts";
import type { Address } from "../proposal.ts";
import { isOne, itemAt, kinds, type Item } from "./items.ts";

/** A word that also names a venue or chain is the token after a number, a share or "my": "100 UNI", "half of my OP". */
const COUNTING = kinds("num,my,scale,all,share,vague,unlimited,worth");
const PLACES = kinds("venue,chain");

/** "my Aave loan", "my Compound position": the place where something is held. */
export const isHoldingAt = (items: readonly Item[], at: number): boolean => {
  const [item, next] = [itemAt(items, at), itemAt(items, at + 1)];
  return item.k === "venue" && next.k === "class" && /^(?:debt|position)$/.test(next.v);
};

const isTokenHere = (items: readonly Item[], at: number): boolean => {
  const [item, before] = [itemAt(items, at), itemAt(items, at - 1)];
  if (item.symbol === null || !isOne(item, PLACES) || isHoldingAt(items, at)) return false;
  if (before.v === "of") return item.text === item.text.toUpperCase() || isOne(items[at - 2], COUNTING);
  return isOne(before, COUNTING) || before.v === "%";
};

/** The asset at an item: a symbol, an alias, a class, or an address said to be a token. */
export const assetAt = (items: readonly Item[], at: number): { asset: AssetRef; next: number } | null => {
  const item = itemAt(items, at);
  const span: Span = [item.start, item.end];
  if (isTokenHere(items, at)) {
    item.k = "asset";
    item.v = item.symbol ?? item.v;
  }
  if (item.k === "asset") {
    const tail = /^(?:token|coin|tokens|coins)$/.test(itemAt(items, at + 1).low) ? 1 : 0;
    return (
      bracketed(items, at + 1 + tail) ?? {
        asset: { kind: "symbol", symbol: item.v.toUpperCase(), span },
        next: at + 1 + tail,
      }
    );
  }
  if (item.k !== "class") return null;
  const address = item.v === "token" ? tokenAddress(items, at + 1) : null;
  return address ?? { asset: { kind: "class", name: item.v, span }, next: at + 1 };
};

const isBeforeAddress = (item: Item): boolean =>
  item.k === "noise" || item.k === "class" || /^(?::|at|of)$/.test(item.v);

const addressAt = (items: readonly Item[], at: number): { asset: AssetRef; next: number } | null => {
  const item = itemAt(items, at);
  if (item.k !== "addr") return null;
  return {
    asset: { kind: "address", address: item.v.toLowerCase() as Address, span: [item.start, item.end] },
    next: at + 1,
  };
};

export const tokenAddress = (
  items: readonly Item[],
  at: number,
): { asset: AssetRef; next: number } | null => {
  let next = at;
  while (next < at + 3 && isBeforeAddress(itemAt(items, next))) next += 1;
  return addressAt(items, next);
};

/** `USDC (0xa0b8…)`: the address says which USDC. */
const bracketed = (items: readonly Item[], at: number): { asset: AssetRef; next: number } | null => {
  if (itemAt(items, at).v !== "(") return null;
  const found = tokenAddress(items, at + 1);
  if (found === null || itemAt(items, found.next).v !== ")") return null;
  // The name before the bracket is part of the mention.
  const span: Span = [itemAt(items, at - 1).start, found.asset.span[1]];
  return { asset: { ...found.asset, span }, next: found.next + 1 };
};
