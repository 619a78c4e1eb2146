/** The packed routes of pools like Uniswap V3: token, three bytes of fee (or tick spacing), token, and so on. */
import { routeFault, type Fault } from "../../effects.ts";
import { packed } from "../../bytes/openings.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { DraftChoice } from "../../protocol.ts";
import { feeds, feedsAll } from "../../uses.ts";
import { showFee } from "./pool-choices.ts";

const ADDRESS_DIGITS = 40;
const HOP_DIGITS = ADDRESS_DIGITS + 6;

export type PackedPath = { readonly tokens: readonly Address[]; readonly fees: readonly number[] };

/** In the order in which they are written: the first token is the input, except if the output is exact. */
export const readV3Path = (path: Hex): PackedPath => {
  const digits = path.slice(2).toLowerCase();
  const hops = (digits.length - ADDRESS_DIGITS) / HOP_DIGITS;
  if (!Number.isInteger(hops) || hops < 1) throw new Error("the route is not a list of tokens and fees");
  const tokens: Address[] = [];
  const fees: number[] = [];
  for (let at = 0; at < digits.length; at += HOP_DIGITS) {
    tokens.push(`0x${digits.slice(at, at + ADDRESS_DIGITS)}`);
    if (at + ADDRESS_DIGITS < digits.length) {
      fees.push(Number.parseInt(digits.slice(at + ADDRESS_DIGITS, at + HOP_DIGITS), 16));
    }
  }
  return { tokens, fees };
};

/** The router derives pools from its own factory, and the minimum or maximum of the swap bounds the price. */
export const v3Path = packed("tokens and pool fees", {
  head: [{ name: "token", bytes: 20, use: feedsAll("asset", "path") }],
  repeat: [
    { name: "fee", bytes: 3, use: feeds.choice },
    { name: "token", bytes: 20, use: feedsAll("asset", "path") },
  ],
});

/** First and last token of a route, and its faults. */
export type Route = {
  readonly first: Address;
  readonly last: Address;
  readonly path: readonly Address[];
  /** The fee of each pool. Empty if the route does not show them. */
  readonly fees: readonly number[];
  readonly faults: readonly Fault[];
};

/** 100 % in millionths. No pool has such a fee. */
const WHOLE_FEE = 1_000_000;

/** `fees`: of the pools along the way, or their tick spacings, which are smaller still. */
export const routeOf = (tokens: readonly Address[], fees: readonly number[] = []): Route => {
  const first = tokens[0];
  const last = tokens.at(-1);
  if (first === undefined || last === undefined || tokens.length < 2)
    throw new Error("the route has fewer than two tokens");
  const stutters = tokens.some((address, i) => i > 0 && address === tokens[i - 1]);
  const faults = [
    ...(stutters ? [routeFault("the route goes from a token to itself")] : []),
    ...(fees.some((fee) => fee >= WHOLE_FEE)
      ? [routeFault("the route names a pool fee that no pool has")]
      : []),
  ];
  return { first, last, path: tokens, fees, faults };
};

/** The pools of a route, by fee. The minimum or maximum of the swap bounds the price, so any of them is safe. */
export const feeChoices = ({ fees }: Route, at: string): readonly DraftChoice[] =>
  fees.length === 0 ? [] : [{ what: "pool", value: fees.map(showFee).join(", "), at, known: true }];
