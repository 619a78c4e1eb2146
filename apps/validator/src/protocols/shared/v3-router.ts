/** Swaps of V3 style routers. They differ in the words for "me" and "yourself", in where the deadline stands, and in little else. */
import { atLeast, atMost, everything, exactly, native, token } from "../../effects.ts";
import type { Address, Hex } from "../../proposal.ts";
import { fn, type CallView, type Draft, type DraftFlow, type ProtocolFunction } from "../../protocol.ts";
import { flow, lower, partyAt, swapDraft, ZERO_ADDRESS, type Marks } from "./swap-draft.ts";
import { readV3Path, routeOf, type Route } from "./v3-path.ts";

/** `balanceIsZero`: an amount of zero means all that the router holds, left there by the step before. */
export type Style = { readonly marks: Marks; readonly balanceIsZero: boolean };

export const SENDER_MARK: Address = "0x0000000000000000000000000000000000000001";
export const VENUE_MARK: Address = "0x0000000000000000000000000000000000000002";

/** The first router: zero is the router itself. */
const firstStyle: Style = { marks: { venue: ZERO_ADDRESS }, balanceIsZero: false };
/** The second: one is the caller, two the router, and an amount of zero all that it holds. */
export const secondStyle: Style = { marks: { sender: SENDER_MARK, venue: VENUE_MARK }, balanceIsZero: true };

/** The router wraps the coin sent along where the route starts in its wrapped form and there is enough of it. */
export const paysCoin = (tokenIn: Address, amount: bigint, call: CallView): boolean =>
  call.value > 0n && call.value >= amount && tokenIn === call.registry.chain(call.chain)?.wrapped;

type Trade = {
  readonly route: Route;
  readonly recipient: string;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly deadline?: bigint;
  /** `params.` where the arguments are a struct. */
  readonly at: string;
};

const sold = (trade: Trade, call: CallView): DraftFlow => {
  const coin = paysCoin(trade.route.first, trade.amountIn, call);
  return flow(coin ? native : token(trade.route.first), exactly(trade.amountIn), `${trade.at}amountIn`);
};

const shared = (trade: Trade, style: Style, call: CallView) => ({
  receiver: partyAt(trade.recipient, call, style.marks),
  receiverAt: `${trade.at}${trade.at === "" ? "to" : "recipient"}`,
  ...(trade.deadline === undefined ? {} : { deadline: { until: trade.deadline, at: `${trade.at}deadline` } }),
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

const buyExactly = (trade: Trade, style: Style, call: CallView): Draft => {
  const { path, faults, first, last } = trade.route;
  const limit = `${trade.at}${trade.at === "" ? "amountInMax" : "amountInMaximum"}`;
  const coin = paysCoin(first, 0n, call);
  const most = coin && call.value < trade.amountIn ? call.value : trade.amountIn;
  return swapDraft({
    ...shared(trade, style, call),
    gives: flow(coin ? native : token(first), atMost(most), limit),
    gets: flow(token(last), exactly(trade.amountOut), `${trade.at}amountOut`),
    terms: { path, faults, exactOut: true },
  });
};

/** A route with an exact output is written from its end. */
const forwards = (path: Hex): Route => {
  const { tokens, fees } = readV3Path(path);
  return routeOf(tokens, fees);
};
const backwards = (path: Hex): Route => {
  const { tokens, fees } = readV3Path(path);
  return routeOf(tokens.toReversed(), fees);
};

type Single = { readonly tokenIn: string; readonly tokenOut: string; readonly fee?: number };

const singleRoute = ({ tokenIn, tokenOut, fee }: Single): Route =>
  routeOf([lower(tokenIn), lower(tokenOut)], fee === undefined ? [] : [fee]);

/** With a deadline inside the struct. `pool` names the member that picks the pool: `uint24 fee`, `int24 tickSpacing`. */
export const swapsWithDeadline = (
  on: readonly string[],
  pool: "uint24 fee" | "int24 tickSpacing",
): readonly ProtocolFunction[] => [
  fn(
    `function exactInputSingle((address tokenIn, address tokenOut, ${pool}, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) payable` as "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) payable",
    on,
    ([p], call) =>
      sellExactly(
        { ...p, route: singleRoute(p), amountOut: p.amountOutMinimum, at: "params." },
        firstStyle,
        call,
      ),
  ),
  fn(
    "function exactInput((bytes path, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum) params) payable",
    on,
    ([p], call) =>
      sellExactly(
        { ...p, route: forwards(p.path), amountOut: p.amountOutMinimum, at: "params." },
        firstStyle,
        call,
      ),
  ),
  fn(
    `function exactOutputSingle((address tokenIn, address tokenOut, ${pool}, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) params) payable` as "function exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) params) payable",
    on,
    ([p], call) =>
      buyExactly(
        { ...p, route: singleRoute(p), amountIn: p.amountInMaximum, at: "params." },
        firstStyle,
        call,
      ),
  ),
  fn(
    "function exactOutput((bytes path, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum) params) payable",
    on,
    ([p], call) =>
      buyExactly(
        { ...p, route: backwards(p.path), amountIn: p.amountInMaximum, at: "params." },
        firstStyle,
        call,
      ),
  ),
];

/** Without one: the deadline, if any, is the multicall's. */
export const swapsWithoutDeadline = (on: readonly string[]): readonly ProtocolFunction[] => [
  fn(
    "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) payable",
    on,
    ([p], call) =>
      sellExactly(
        { ...p, route: singleRoute(p), amountOut: p.amountOutMinimum, at: "params." },
        secondStyle,
        call,
      ),
  ),
  fn(
    "function exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum) params) payable",
    on,
    ([p], call) =>
      sellExactly(
        { ...p, route: forwards(p.path), amountOut: p.amountOutMinimum, at: "params." },
        secondStyle,
        call,
      ),
  ),
  fn(
    "function exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) params) payable",
    on,
    ([p], call) =>
      buyExactly(
        { ...p, route: singleRoute(p), amountIn: p.amountInMaximum, at: "params." },
        secondStyle,
        call,
      ),
  ),
  fn(
    "function exactOutput((bytes path, address recipient, uint256 amountOut, uint256 amountInMaximum) params) payable",
    on,
    ([p], call) =>
      buyExactly(
        { ...p, route: backwards(p.path), amountIn: p.amountInMaximum, at: "params." },
        secondStyle,
        call,
      ),
  ),
];

/** V2 routes of the same router. */
export const listedSwaps = (on: readonly string[]): readonly ProtocolFunction[] => [
  fn(
    "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to) payable",
    on,
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
    ([amountOut, amountIn, path, recipient], call) =>
      buyExactly(
        { route: routeOf(path.map(lower)), recipient, amountIn, amountOut, at: "" },
        secondStyle,
        call,
      ),
  ),
];
