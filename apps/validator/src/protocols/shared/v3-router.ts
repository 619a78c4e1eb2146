/**
 * Swaps of routers like Uniswap V3's. They differ in the markers for the caller and the router, in the place of the
 * deadline, and in little else.
 */
import {
  atLeast,
  atMost,
  everything,
  exactly,
  native,
  token,
  nativeFault,
  type Amount,
} from "../../effects.ts";
import type { Address, Hex } from "../../proposal.ts";
import { fn, type CallView, type Draft, type DraftFlow, type ProtocolFunction } from "../../protocol.ts";
import { feeds, feedsAll, feedsWhen, inert, openedBy } from "../../uses.ts";
import { flow, lower, partyAt, swapDraft, ZERO_ADDRESS, type Marks } from "./swap-draft.ts";
import { feeChoices, readV3Path, routeOf, v3Path, type Route } from "./v3-path.ts";

/** `balanceIsZero`: an amount of zero means all that the router holds, left there by the previous step. */
export type Style = { readonly marks: Marks; readonly balanceIsZero: boolean };

export const SENDER_MARK: Address = "0x0000000000000000000000000000000000000001";
export const VENUE_MARK: Address = "0x0000000000000000000000000000000000000002";

/** The first router: zero is the router itself. */
const firstStyle: Style = { marks: { venue: ZERO_ADDRESS }, balanceIsZero: false };
/** The second: one is the caller, two the router, and an amount of zero is all that it holds. */
export const secondStyle: Style = { marks: { sender: SENDER_MARK, venue: VENUE_MARK }, balanceIsZero: true };

/** The router wraps the native value if the route starts in its wrapped form and the value is enough. */
export const paysCoin = (tokenIn: Address, amount: bigint, call: CallView): boolean =>
  call.value > 0n && call.value >= amount && tokenIn === call.registry.chain(call.chain)?.wrapped;

type Trade = {
  readonly route: Route;
  readonly recipient: string;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** The price at which the swap stops. Zero: no limit. */
  readonly sqrtPriceLimitX96?: bigint;
  readonly deadline?: bigint;
  /** The argument that picks the pool, unless the path does. */
  readonly poolAt?: string;
  /** `params.` if the arguments are a struct. */
  readonly at: string;
};

/** With a price limit, the router accepts a partial swap even for an exact amount. */
const isLimited = ({ sqrtPriceLimitX96 = 0n }: Trade): boolean => sqrtPriceLimitX96 !== 0n;

const exact = (amount: bigint, trade: Trade): Amount => (isLimited(trade) ? atMost(amount) : exactly(amount));

const sold = (trade: Trade, call: CallView): DraftFlow => {
  const coin = paysCoin(trade.route.first, trade.amountIn, call);
  return flow(coin ? native : token(trade.route.first), exact(trade.amountIn, trade), `${trade.at}amountIn`);
};

const shared = (trade: Trade, style: Style, call: CallView) => ({
  receiver: partyAt(trade.recipient, call, style.marks),
  receiverAt: `${trade.at}${trade.at === "" ? "to" : "recipient"}`,
  ...(trade.deadline === undefined ? {} : { deadline: { until: trade.deadline, at: `${trade.at}deadline` } }),
  choices: feeChoices(trade.route, `${trade.at}${trade.poolAt ?? "path"}`),
});

const minimumName = (trade: Trade): string =>
  `${trade.at}${trade.at === "" ? "amountOutMin" : "amountOutMinimum"}`;

const sellExactly = (trade: Trade, style: Style, call: CallView): Draft => {
  const { path, faults, first, last } = trade.route;
  const fromVenue = style.balanceIsZero && trade.amountIn === 0n;
  return swapDraft({
    ...shared(trade, style, call),
    gives: fromVenue ? flow(token(first), everything, `${trade.at}amountIn`) : sold(trade, call),
    gets: flow(token(last), atLeast(trade.amountOut), minimumName(trade)),
    ...(fromVenue ? { payer: "venue" } : {}),
    terms: { path, faults },
  });
};

/** The router pays with the native value only if that covers the whole amount. Otherwise it pulls the wrapped token. */
const MORE_THAN_SENT = nativeFault(
  "the maximum exceeds the native token sent: the router can pull the wrapped token and keep the native one",
);

const buyExactly = (trade: Trade, style: Style, call: CallView): Draft => {
  const { path, faults, first, last } = trade.route;
  const limit = `${trade.at}${trade.at === "" ? "amountInMax" : "amountInMaximum"}`;
  const coin = paysCoin(first, 0n, call);
  const tooMuch = coin && call.value < trade.amountIn ? [MORE_THAN_SENT] : [];
  return swapDraft({
    ...shared(trade, style, call),
    gives: flow(coin ? native : token(first), atMost(trade.amountIn), limit),
    gets: flow(token(last), exact(trade.amountOut, trade), `${trade.at}amountOut`),
    terms: { path, faults: [...faults, ...tooMuch], exactOut: true },
  });
};

/** A route with an exact output is written from its end. */
const forwards = (path: Hex, call: CallView): Route => {
  call.open(v3Path, path, "params.path");
  const { tokens, fees } = readV3Path(path);
  return routeOf(tokens, fees);
};
const backwards = (path: Hex, call: CallView): Route => {
  call.open(v3Path, path, "params.path");
  const { tokens, fees } = readV3Path(path);
  return routeOf(tokens.toReversed(), fees);
};

type Single = { readonly tokenIn: string; readonly tokenOut: string; readonly fee?: number };

const singleRoute = ({ tokenIn, tokenOut, fee }: Single): Route =>
  routeOf([lower(tokenIn), lower(tokenOut)], fee === undefined ? [] : [fee]);

const limitUse = (slot: "amount" | "minimum") => ({
  sqrtPriceLimitX96: feedsWhen(slot, "it is not zero: the pool may then stop before everything is exchanged"),
});

/** The router derives pools from its own factory, and the minimum or maximum of the swap bounds the price. */
const single = {
  tokenIn: feedsAll("asset", "path"),
  tokenOut: feedsAll("asset", "path"),
  fee: feeds.choice,
};
const packed = { path: openedBy(v3Path) };
const sells = {
  recipient: feeds.receiver,
  amountIn: feeds.amount,
  amountOutMinimum: feedsWhen("minimum", "no later step of the same program asks for more"),
};
const buys = { recipient: feeds.receiver, amountOut: feeds.minimum, amountInMaximum: feeds.amount };
const dated = { deadline: feeds.deadline };

/** Forks select the pool by tick spacing. */
const singleBy = (pool: "uint24 fee" | "int24 tickSpacing") =>
  (pool === "uint24 fee"
    ? single
    : {
        tokenIn: single.tokenIn,
        tokenOut: single.tokenOut,
        tickSpacing: inert.bounded,
      }) as typeof single;

/** With a deadline inside the struct. `pool` names the field that selects the pool: `uint24 fee`, `int24 tickSpacing`. */
export const swapsWithDeadline = (
  on: readonly string[],
  pool: "uint24 fee" | "int24 tickSpacing",
): readonly ProtocolFunction[] => [
  fn(
    `function exactInputSingle((address tokenIn, address tokenOut, ${pool}, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) payable` as "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) payable",
    on,
    { params: { ...singleBy(pool), ...sells, ...dated, ...limitUse("amount") } },
    ([p], call) =>
      sellExactly(
        { ...p, route: singleRoute(p), poolAt: "fee", amountOut: p.amountOutMinimum, at: "params." },
        firstStyle,
        call,
      ),
  ),
  fn(
    "function exactInput((bytes path, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum) params) payable",
    on,
    { params: { ...packed, ...sells, ...dated } },
    ([p], call) =>
      sellExactly(
        { ...p, route: forwards(p.path, call), amountOut: p.amountOutMinimum, at: "params." },
        firstStyle,
        call,
      ),
  ),
  fn(
    `function exactOutputSingle((address tokenIn, address tokenOut, ${pool}, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) params) payable` as "function exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) params) payable",
    on,
    { params: { ...singleBy(pool), ...buys, ...dated, ...limitUse("minimum") } },
    ([p], call) =>
      buyExactly(
        { ...p, route: singleRoute(p), poolAt: "fee", amountIn: p.amountInMaximum, at: "params." },
        firstStyle,
        call,
      ),
  ),
  fn(
    "function exactOutput((bytes path, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum) params) payable",
    on,
    { params: { ...packed, ...buys, ...dated } },
    ([p], call) =>
      buyExactly(
        { ...p, route: backwards(p.path, call), amountIn: p.amountInMaximum, at: "params." },
        firstStyle,
        call,
      ),
  ),
];

/** Without a deadline in the struct. The multicall may have one. */
export const swapsWithoutDeadline = (on: readonly string[]): readonly ProtocolFunction[] => [
  fn(
    "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) payable",
    on,
    { params: { ...single, ...sells, ...limitUse("amount") } },
    ([p], call) =>
      sellExactly(
        { ...p, route: singleRoute(p), poolAt: "fee", amountOut: p.amountOutMinimum, at: "params." },
        secondStyle,
        call,
      ),
  ),
  fn(
    "function exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum) params) payable",
    on,
    { params: { ...packed, ...sells } },
    ([p], call) =>
      sellExactly(
        { ...p, route: forwards(p.path, call), amountOut: p.amountOutMinimum, at: "params." },
        secondStyle,
        call,
      ),
  ),
  fn(
    "function exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) params) payable",
    on,
    { params: { ...single, ...buys, ...limitUse("minimum") } },
    ([p], call) =>
      buyExactly(
        { ...p, route: singleRoute(p), poolAt: "fee", amountIn: p.amountInMaximum, at: "params." },
        secondStyle,
        call,
      ),
  ),
  fn(
    "function exactOutput((bytes path, address recipient, uint256 amountOut, uint256 amountInMaximum) params) payable",
    on,
    { params: { ...packed, ...buys } },
    ([p], call) =>
      buyExactly(
        { ...p, route: backwards(p.path, call), amountIn: p.amountInMaximum, at: "params." },
        secondStyle,
        call,
      ),
  ),
];

const listed = { path: feedsAll("asset", "path"), to: feeds.receiver };

/** V2 routes of the same router. */
export const listedSwaps = (on: readonly string[]): readonly ProtocolFunction[] => [
  fn(
    "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to) payable",
    on,
    { ...listed, amountIn: feeds.amount, amountOutMin: feeds.minimum },
    ([amountIn, amountOut, path, recipient], call) =>
      sellExactly(
        { route: routeOf(path.map(lower)), recipient, amountIn, amountOut, at: "" },
        secondStyle,
        call,
      ),
  ),
  fn(
    "function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to) payable",
    on,
    { ...listed, amountOut: feeds.minimum, amountInMax: feeds.amount },
    ([amountOut, amountIn, path, recipient], call) =>
      buyExactly(
        { route: routeOf(path.map(lower)), recipient, amountIn, amountOut, at: "" },
        secondStyle,
        call,
      ),
  ),
];
