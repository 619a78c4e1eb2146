/**
 * Velora, formerly ParaSwap: routers 5 and 6, orders filled by agents, and orders between traders. A router measures its own balance
 * against the minimum before it pays; executors, pools and adapters can only move the price above it. But it keeps what is above the
 * quoted amount, and takes the partner's fee from the rest.
 */
import { atLeast, atMost, exactly, unsaid } from "../effects.ts";
import type { Hex } from "../proposal.ts";
import {
  defineProtocol,
  describeFunction,
  fn,
  type CallView,
  type Draft,
  type ProtocolFunction,
} from "../protocol.ts";
import { compared, feeds, feedsAll, feedsWhen, inert, openedBy } from "../uses.ts";
import { wordOf } from "./shared/address-word.ts";
import { permitForms, readPermit } from "./shared/router-permits.ts";
import {
  assetAt,
  assetOrCoin,
  flow,
  lower,
  onChains,
  partyAt,
  receiverOrCaller,
  swapDraft,
  ZERO_ADDRESS,
} from "./shared/swap-draft.ts";
import { feePercent, partnerAndFee, partnerFee, type PartnerFee } from "./shared/velora-fees.ts";
import { deltaOrder, rfqOrder } from "./shared/velora-orders.ts";
import { routeOf } from "./shared/v3-path.ts";

type Trade = {
  readonly from: string;
  readonly into: string;
  readonly fromAmount: bigint;
  readonly toAmount: bigint;
  readonly quoted: bigint;
  readonly beneficiary: string;
  readonly permit: Hex;
  readonly at: string;
  readonly permitAt: string;
  readonly fee: PartnerFee;
  readonly deadline?: bigint;
  readonly path?: readonly string[];
  readonly exactOut: boolean;
};

const BPS = 10_000n;

const quoteFaults = (t: Trade): readonly string[] =>
  (t.exactOut ? t.quoted <= t.fromAmount : t.quoted >= t.toAmount)
    ? []
    : ["the quoted amount, above which the router keeps everything, is worse than the limit"];

const trade = (t: Trade, call: CallView): readonly Draft[] => {
  const [from, into] = [assetAt(t.from), assetAt(t.into)];
  const fees = partnerFee(t.fee, t.exactOut ? from : into);
  const kept = fees.reduce((sum, { bps }) => (sum + bps > BPS ? BPS : sum + bps), 0n);
  // The fee of an exact input is taken after the minimum is checked.
  const least = (t.toAmount * (BPS - kept)) / BPS;
  return [
    ...readPermit(t.permit, { token: lower(t.from), at: t.permitAt }, call),
    swapDraft({
      gives: flow(from, t.exactOut ? atMost(t.fromAmount) : exactly(t.fromAmount), `${t.at}fromAmount`),
      gets: flow(into, t.exactOut ? exactly(t.toAmount) : atLeast(least), `${t.at}toAmount`),
      receiver: partyAt(t.beneficiary, call, { sender: ZERO_ADDRESS }),
      receiverAt: `${t.at}beneficiary`,
      fees: fees.map(({ fee }) => fee),
      ...(t.deadline === undefined ? {} : { deadline: { until: t.deadline, at: `${t.at}deadline` } }),
      terms: {
        ...(t.exactOut ? { exactOut: true } : {}),
        ...(t.path === undefined ? {} : { path: t.path.map(lower) }),
        faults: quoteFaults(t),
      },
    }),
  ];
};

type Data = {
  readonly srcToken: string;
  readonly destToken: string;
  readonly fromAmount: bigint;
  readonly toAmount: bigint;
  readonly quotedAmount: bigint;
  readonly beneficiary: string;
};

type Given = {
  readonly data: Data;
  readonly partner: bigint;
  readonly permit: Hex;
  readonly at: string;
  readonly exactOut?: boolean;
};

const v6 = ({ data, partner, permit, at, exactOut = false }: Given, call: CallView): readonly Draft[] => {
  const opened = call.open(partnerAndFee, wordOf(partner), "partnerAndFee");
  return trade(
    {
      ...data,
      from: data.srcToken,
      into: data.destToken,
      quoted: data.quotedAmount,
      permit,
      permitAt: "permit",
      at,
      fee: { partner: opened.partner, bps: opened.bps, at: "partnerAndFee" },
      exactOut,
    },
    call,
  );
};

const DATA =
  "address srcToken, address destToken, uint256 fromAmount, uint256 toAmount, uint256 quotedAmount, bytes32 metadata, address beneficiary";
const dataUses = {
  srcToken: assetOrCoin,
  destToken: assetOrCoin,
  fromAmount: feeds.amount,
  toAmount: feeds.minimum,
  quotedAmount: compared("at_least", "the minimum, or at most what may be spent"),
  metadata: inert.attribution,
  beneficiary: receiverOrCaller,
};
const permitUse = openedBy(...permitForms);
const feeUses = { partnerAndFee: openedBy(partnerAndFee), permit: permitUse };
const here = ["router_v6"];

const v6Functions: readonly ProtocolFunction[] = [
  ...(
    ["swapExactAmountIn", "swapExactAmountOut", "swapExactAmountInPro", "swapExactAmountOutPro"] as const
  ).map((name) =>
    fn(
      `function ${name}(address executor, (${DATA}) swapData, uint256 partnerAndFee, bytes permit, bytes executorData) payable`,
      here,
      { executor: inert.bounded, swapData: dataUses, ...feeUses, executorData: inert.bounded },
      ([, data, partner, permit], call) =>
        v6({ data, partner, permit, at: "swapData.", exactOut: name.includes("Out") }, call),
    ),
  ),
  ...(
    [
      "swapExactAmountInOnUniswapV2",
      "swapExactAmountInOnUniswapV3",
      "swapExactAmountOutOnUniswapV2",
      "swapExactAmountOutOnUniswapV3",
    ] as const
  ).map((name) =>
    fn(
      `function ${name}((${DATA}, bytes pools) uniData, uint256 partnerAndFee, bytes permit) payable`,
      here,
      { uniData: { ...dataUses, pools: inert.bounded }, ...feeUses },
      ([data, partner, permit], call) =>
        v6({ data, partner, permit, at: "uniData.", exactOut: name.includes("Out") }, call),
    ),
  ),
  fn(
    `function swapExactAmountInOnCurveV1((uint256 curveData, uint256 curveAssets, ${DATA}) curveV1Data, uint256 partnerAndFee, bytes permit) payable`,
    here,
    { curveV1Data: { ...dataUses, curveData: inert.bounded, curveAssets: inert.bounded }, ...feeUses },
    ([data, partner, permit], call) => v6({ data, partner, permit, at: "curveV1Data." }, call),
  ),
  fn(
    `function swapExactAmountInOnCurveV2((uint256 curveData, uint256 i, uint256 j, address poolAddress, ${DATA}) curveV2Data, uint256 partnerAndFee, bytes permit) payable`,
    here,
    {
      curveV2Data: {
        ...dataUses,
        curveData: inert.bounded,
        i: inert.bounded,
        j: inert.bounded,
        poolAddress: inert.bounded,
      },
      ...feeUses,
    },
    ([data, partner, permit], call) => v6({ data, partner, permit, at: "curveV2Data." }, call),
  ),
];

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

/** The last step of a route says what comes out. */
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
  permit: permitUse,
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

/** Pools alone do not say which token comes out. */
const POOL_OUTPUT = unsaid("the token the last pool pays out, which the arguments do not name");

const v5Functions: readonly ProtocolFunction[] = [
  fn(`function simpleSwap(${SIMPLE}) payable`, ["router_v5"], simpleUses, ([data], call) =>
    v5(data, { into: data.toToken }, call),
  ),
  fn(`function simpleBuy(${SIMPLE}) payable`, ["router_v5"], simpleUses, ([data], call) =>
    v5(data, { into: data.toToken, exactOut: true }, call),
  ),
  // Nested deeper than the types of a signature are followed.
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
      weth: compared("one_of", "zero and the wrapped coin"),
      pools: feeds.choice,
    },
    ([tokenIn, amount, least, weth, pools], call) => {
      if (![ZERO_ADDRESS, call.registry.chain(call.chain)?.wrapped].includes(lower(weth)))
        throw new Error("coin is wrapped by a contract that is not known");
      return {
        ...swapDraft({
          gives: flow(assetAt(tokenIn), exactly(amount), "amountIn"),
          gets: flow(POOL_OUTPUT, atLeast(least), "amountOutMin"),
          receiver: call.sender,
        }),
        // The router computes what a pool pays from what the pool says.
        choices: pools.map((pool, i) => ({ what: "pool" as const, value: wordOf(pool), at: `pools[${i}]` })),
      };
    },
  ),
];

export default defineProtocol({
  title: "Velora",
  names: ["velora", "paraswap", "para swap", "velora delta", "paraswap delta", "augustus"],
  family: "paraswap",
  contracts: {
    router_v5: {
      8453: "0x59c7c832e96d2568bea6db468c1aadcbbda08a52",
      ...onChains("0xdef171fe48cf0115b1d80b88dc8eab59176fee57", [1, 10, 56, 137, 250, 42161, 43114]),
    },
    router_v6: onChains(
      "0x6a000f20005980200259b80c5102003040001068",
      [1, 10, 56, 100, 137, 8453, 42161, 43114],
    ),
    delta: onChains("0x0000000000bbf5c5fd284e657f01bd000933c96d", [1, 10, 56, 137, 8453, 42161]),
    rfq: {
      1: "0xe92b586627cca7a83dc919cc7127196d70f55a06",
      10: "0x0927fd43a7a87e3e8b81df2c44b03c4756849f6d",
      56: "0x8dcdfe88ef0351f27437284d0710cd65b20288bb",
      137: "0xf3cd476c3c4d3ac5ca2724767f269070ca09a043",
      42161: "0x0927fd43a7a87e3e8b81df2c44b03c4756849f6d",
    },
  },
  functions: [...v6Functions, ...v5Functions],
  typedData: [deltaOrder, rfqOrder],
});
