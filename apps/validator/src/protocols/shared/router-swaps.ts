/** Swap commands of universal routers. */
import { blob } from "../../bytes/openings.ts";
import { atLeast, atMost, everything, exactly, token } from "../../effects.ts";
import type { Hex } from "../../proposal.ts";
import type { CallView } from "../../protocol.ts";
import { feeds, feedsAll, feedsWhen, inert, openedBy, type Opening } from "../../uses.ts";
import type { Step } from "./permit-steps.ts";
import { flow, lower, swapDraft } from "./swap-draft.ts";
import { feeChoices, readV3Path, routeOf, v3Path, type PackedPath, type Route } from "./v3-path.ts";
import { CONTRACT_BALANCE, openEither, v4Party } from "./v4-plan.ts";

const sellUses = {
  recipient: feeds.receiver,
  amountIn: feedsWhen("amount", "it is not more than the router holds, if the router pays"),
  amountOutMin: feedsWhen("minimum", "no later step of the same plan asks for more"),
  payerIsUser: feedsWhen("payer", "the amount is not what the router already holds"),
};
const buyUses = {
  recipient: feeds.receiver,
  amountOut: feeds.minimum,
  amountInMax: feeds.amount,
  payerIsUser: feeds.payer,
};
const packedUse = { path: openedBy(v3Path) };
const listedUse = { path: feedsAll("asset", "path") };
/** Later routers append a price limit for each hop. */
const priceUse = { minHopPriceX36: inert.restricts };

const SELL = "address recipient, uint256 amountIn, uint256 amountOutMin";
const BUY = "address recipient, uint256 amountOut, uint256 amountInMax";
const PRICES = "uint256[] minHopPriceX36";

const sellPacked = [
  blob(`${SELL}, bytes path, bool payerIsUser` as const, { ...sellUses, ...packedUse }),
  blob(`${SELL}, bytes path, bool payerIsUser, ${PRICES}` as const, {
    ...sellUses,
    ...packedUse,
    ...priceUse,
  }),
] as const;
const sellListed = [
  blob(`${SELL}, address[] path, bool payerIsUser` as const, { ...sellUses, ...listedUse }),
  blob(`${SELL}, address[] path, bool payerIsUser, ${PRICES}` as const, {
    ...sellUses,
    ...listedUse,
    ...priceUse,
  }),
] as const;
const buyPacked = [
  blob(`${BUY}, bytes path, bool payerIsUser` as const, { ...buyUses, ...packedUse }),
  blob(`${BUY}, bytes path, bool payerIsUser, ${PRICES}` as const, {
    ...buyUses,
    ...packedUse,
    ...priceUse,
  }),
] as const;
const buyListed = [
  blob(`${BUY}, address[] path, bool payerIsUser` as const, { ...buyUses, ...listedUse }),
  blob(`${BUY}, address[] path, bool payerIsUser, ${PRICES}` as const, {
    ...buyUses,
    ...listedUse,
    ...priceUse,
  }),
] as const;

/** A packed V3 path, or a V2 list of addresses. */
type PathData = Hex | readonly string[];

/** Only the packed form shows fees. */
const pathOf = (path: PathData, call: CallView, at: string): PackedPath => {
  if (typeof path !== "string") return { tokens: path.map(lower), fees: [] };
  call.open(v3Path, path, `${at}.path`);
  return readV3Path(path);
};

const sellRoute = (path: PathData, call: CallView, at: string): Route => {
  const { tokens, fees } = pathOf(path, call, at);
  return routeOf(tokens, fees);
};

type SwapInput = readonly [
  recipient: string,
  first: bigint,
  second: bigint,
  path: PathData,
  payerIsUser: boolean,
  ...unknown[],
];

const sell = (forms: readonly [Opening<SwapInput>, Opening<SwapInput>]): Step => ({
  opens: forms,
  read: (input, call, at) => {
    const [recipient, amountIn, least, path, payerIsUser] = openEither(forms, input, call, at);
    const route = sellRoute(path, call, at);
    const { first, last, faults } = route;
    if (payerIsUser && amountIn === CONTRACT_BALANCE)
      throw new Error("the caller pays the amount that the router holds");
    // Zero means that an earlier step has already paid the pool.
    const paid = amountIn === 0n || amountIn === CONTRACT_BALANCE ? everything : exactly(amountIn);
    const fromUser = payerIsUser && paid.everything !== true;
    return swapDraft({
      gives: flow(token(first), paid, `${at}.amountIn`),
      gets: flow(token(last), atLeast(least), `${at}.amountOutMin`),
      receiver: v4Party(recipient, call),
      receiverAt: `${at}.recipient`,
      payer: fromUser ? call.sender : "venue",
      choices: feeChoices(route, `${at}.path`),
      terms: { path: route.path, faults },
    });
  },
});

/** Only the packed form writes the route of an exact output backwards. */
const buyRoute = (path: PathData, call: CallView, at: string): Route => {
  const { tokens, fees } = pathOf(path, call, at);
  return routeOf(typeof path === "string" ? tokens.toReversed() : tokens, fees);
};

const buy = (forms: readonly [Opening<SwapInput>, Opening<SwapInput>]): Step => ({
  opens: forms,
  read: (input, call, at) => {
    const [recipient, out, most, path, payerIsUser] = openEither(forms, input, call, at);
    const route = buyRoute(path, call, at);
    const { first, last, faults } = route;
    return swapDraft({
      gives: flow(token(first), atMost(most), `${at}.amountInMax`),
      gets: flow(token(last), exactly(out), `${at}.amountOut`),
      receiver: v4Party(recipient, call),
      receiverAt: `${at}.recipient`,
      payer: payerIsUser ? call.sender : "venue",
      choices: feeChoices(route, `${at}.path`),
      terms: { path: route.path, faults, exactOut: true },
    });
  },
});

/** Swap commands by command byte. */
export const swapSteps: Readonly<Record<number, Step>> = {
  0x00: sell(sellPacked),
  0x01: buy(buyPacked),
  0x08: sell(sellListed),
  0x09: buy(buyListed),
};
