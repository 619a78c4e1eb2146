/** Velora's router 5. */
import { atLeast, exactly, unsaid } from "../../effects.ts";
import type { Hex } from "../../proposal.ts";
import { describeFunction, fn, type CallView, type Draft, type ProtocolFunction } from "../../protocol.ts";
import { compared, feeds, feedsAll, feedsWhen, inert, openedBy } from "../../uses.ts";
import { wordOf } from "./address-word.ts";
import { permitForms } from "./router-permits.ts";
import {
  assetAt,
  assetOrCoin,
  flow,
  lower,
  receiverOrCaller,
  swapDraft,
  ZERO_ADDRESS,
} from "./swap-draft.ts";
import { routeOf } from "./v3-path.ts";
import { feePercent } from "./velora-fees.ts";
import { trade } from "./velora-trade.ts";

const V5_TAIL = "address partner, uint256 feePercent, bytes permit, uint256 deadline, bytes16 uuid";

type V5 = {
  readonly fromToken: string;
  readonly fromAmount: bigint;
  readonly toAmount: bigint;
  readonly expectedAmount: bigint;
  readonly beneficiary: string;
  readonly partner: string;
  readonly feePercent: bigint;
  readonly permit: Hex;
  readonly deadline: bigint;
};

type Way = { readonly into: string; readonly exactOut?: boolean; readonly path?: readonly string[] };

const v5 = (data: V5, { into, exactOut = false, path }: Way, call: CallView): readonly Draft[] => {
  const { bps } = call.open(feePercent, wordOf(data.feePercent), "data.feePercent");
  const { fromAmount, toAmount, beneficiary, permit, deadline } = data;
  return trade(
    {
      fromAmount,
      toAmount,
      beneficiary,
      permit,
      deadline,
      from: data.fromToken,
      into,
      quoted: data.expectedAmount,
      permitAt: "data.permit",
      at: "data.",
      fee: { partner: BigInt(data.partner), bps, at: "data.feePercent" },
      exactOut,
      ...(path === undefined ? {} : { path }),
    },
    call,
  );
};

/** The last step of a route determines the output. */
const lastStep = (path: readonly Step[]): string => {
  const last = path.at(-1);
  if (last === undefined) throw new Error("the route has no steps");
  return last.to;
};

type Step = { readonly to: string };
type Multi = V5 & { readonly path: readonly Step[] };
type Mega = V5 & { readonly path: readonly { readonly path: readonly Step[] }[] };

const v5Uses = {
  fromToken: assetOrCoin,
  fromAmount: feeds.amount,
  toAmount: feeds.minimum,
  expectedAmount: compared("at_least", "the minimum, or at most what may be spent"),
  beneficiary: receiverOrCaller,
  partner: feedsWhen("fee", "the fee is not zero"),
  feePercent: openedBy(feePercent),
  permit: openedBy(...permitForms),
  deadline: feeds.deadline,
  uuid: inert.attribution,
};
const SIMPLE =
  `(address fromToken, address toToken, uint256 fromAmount, uint256 toAmount, uint256 expectedAmount, address[] callees, bytes exchangeData, uint256[] startIndexes, uint256[] values, address beneficiary, ${V5_TAIL}) data` as const;
const simpleUses = {
  data: {
    ...v5Uses,
    toToken: assetOrCoin,
    callees: inert.bounded,
    exchangeData: inert.bounded,
    startIndexes: inert.bounded,
    values: inert.bounded,
  },
};
const STEP =
  "(address to, uint256 totalNetworkFee, (address adapter, uint256 percent, uint256 networkFee, (uint256 index, address targetExchange, uint256 percent, bytes payload, uint256 networkFee)[] route)[] adapters)[] path";
const stepUses = {
  to: feedsAll("asset", "path"),
  totalNetworkFee: inert.bounded,
  adapters: {
    adapter: inert.bounded,
    percent: inert.bounded,
    networkFee: inert.bounded,
    route: inert.bounded,
  },
};

/** The pools alone do not show the output token. */
const POOL_OUTPUT = unsaid("the token the last pool pays out, which the arguments do not name");

export const v5Functions: readonly ProtocolFunction[] = [
  fn(`function simpleSwap(${SIMPLE}) payable`, ["router_v5"], simpleUses, ([data], call) =>
    v5(data, { into: data.toToken }, call),
  ),
  fn(`function simpleBuy(${SIMPLE}) payable`, ["router_v5"], simpleUses, ([data], call) =>
    v5(data, { into: data.toToken, exactOut: true }, call),
  ),
  // Nested deeper than the types of a signature reach.
  describeFunction(
    `function multiSwap((address fromToken, uint256 fromAmount, uint256 toAmount, uint256 expectedAmount, address beneficiary, ${STEP}, ${V5_TAIL}) data) payable`,
    ["router_v5"],
    { data: { ...v5Uses, path: stepUses } },
    ([data]: readonly [Multi], call: CallView) =>
      v5(data, { into: lastStep(data.path), path: data.path.map(({ to }) => to) }, call),
  ),
  describeFunction(
    `function megaSwap((address fromToken, uint256 fromAmount, uint256 toAmount, uint256 expectedAmount, address beneficiary, (uint256 fromAmountPercent, ${STEP})[] path, ${V5_TAIL}) data) payable`,
    ["router_v5"],
    { data: { ...v5Uses, path: { fromAmountPercent: inert.bounded, path: stepUses } } },
    ([data]: readonly [Mega], call: CallView) => {
      const path = data.path.flatMap((each) => each.path.map(({ to }) => to));
      return v5(data, { into: lastStep(data.path[0]?.path ?? []), path }, call);
    },
  ),
  fn(
    "function directUniV3Swap((address fromToken, address toToken, address exchange, uint256 fromAmount, uint256 toAmount, uint256 expectedAmount, uint256 feePercent, uint256 deadline, address partner, bool isApproved, address beneficiary, bytes path, bytes permit, bytes16 uuid) data) payable",
    ["router_v5"],
    {
      data: {
        ...v5Uses,
        toToken: assetOrCoin,
        exchange: inert.bounded,
        isApproved: inert.hint,
        path: inert.bounded,
      },
    },
    ([data], call) => v5(data, { into: data.toToken }, call),
  ),
  fn(
    "function swapOnUniswap(uint256 amountIn, uint256 amountOutMin, address[] path) payable",
    ["router_v5"],
    { amountIn: feeds.amount, amountOutMin: feeds.minimum, path: feedsAll("asset", "path") },
    ([amount, least, path], call) => {
      const route = routeOf(path.map(lower));
      return swapDraft({
        gives: flow(assetAt(route.first), exactly(amount), "amountIn"),
        gets: flow(assetAt(route.last), atLeast(least), "amountOutMin"),
        receiver: call.sender,
        terms: { path: route.path, faults: route.faults },
      });
    },
  ),
  fn(
    "function swapOnUniswapV2Fork(address tokenIn, uint256 amountIn, uint256 amountOutMin, address weth, uint256[] pools) payable",
    ["router_v5"],
    {
      tokenIn: assetOrCoin,
      amountIn: feeds.amount,
      amountOutMin: feeds.minimum,
      weth: compared("one_of", "zero and the wrapped native token"),
      pools: feeds.choice,
    },
    ([tokenIn, amount, least, weth, pools], call) => {
      if (![ZERO_ADDRESS, call.registry.chain(call.chain)?.wrapped].includes(lower(weth)))
        throw new Error("the native token is wrapped by an unknown contract");
      return {
        ...swapDraft({
          gives: flow(assetAt(tokenIn), exactly(amount), "amountIn"),
          gets: flow(POOL_OUTPUT, atLeast(least), "amountOutMin"),
          receiver: call.sender,
        }),
        // The router computes a pool's output from what the pool reports.
        choices: pools.map((pool, i) => ({ what: "pool" as const, value: wordOf(pool), at: `pools[${i}]` })),
      };
    },
  ),
];
