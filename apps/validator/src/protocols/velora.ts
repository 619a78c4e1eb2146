/** Velora, formerly ParaSwap: routers 5 and 6, orders filled by agents, and orders between traders. */
import { atLeast, atMost, exactly, unsaid, type Asset } from "../effects.ts";
import { defineProtocol, fn, type CallView, type Draft, type ProtocolFunction } from "../protocol.ts";
import {
  addressIn,
  assetAt,
  flow,
  lower,
  onChains,
  partyAt,
  swapDraft,
  ZERO_ADDRESS,
} from "./shared/swap-draft.ts";
import { deltaOrder, rfqOrder } from "./shared/velora-orders.ts";
import { routeOf } from "./shared/v3-path.ts";

type Trade = {
  readonly from: Asset;
  readonly into: Asset;
  readonly fromAmount: bigint;
  readonly toAmount: bigint;
  readonly beneficiary: string;
  readonly at: string;
  readonly fees?: Draft["fees"];
  readonly deadline?: bigint;
};

const trade = (t: Trade, exactOut: boolean, call: CallView): Draft =>
  swapDraft({
    gives: flow(t.from, exactOut ? atMost(t.fromAmount) : exactly(t.fromAmount), `${t.at}fromAmount`),
    gets: flow(t.into, exactOut ? exactly(t.toAmount) : atLeast(t.toAmount), `${t.at}toAmount`),
    receiver: partyAt(t.beneficiary, call, { sender: ZERO_ADDRESS }),
    receiverAt: `${t.at}beneficiary`,
    ...(t.fees === undefined ? {} : { fees: t.fees }),
    ...(t.deadline === undefined ? {} : { deadline: { until: t.deadline, at: `${t.at}deadline` } }),
    terms: exactOut ? { exactOut: true } : {},
  });

const FEE_BITS = 0x3fffn;

/** The partner's address in the high bits, their share in basis points in the lowest. */
const partnerFee = (word: bigint, asset: Asset): NonNullable<Draft["fees"]> => {
  const bps = word & FEE_BITS;
  const to = addressIn(word >> 96n);
  return bps === 0n || to === ZERO_ADDRESS ? [] : [{ to, asset, share: { bps }, at: "partnerAndFee" }];
};

type Data = {
  readonly srcToken: string;
  readonly destToken: string;
  readonly fromAmount: bigint;
  readonly toAmount: bigint;
  readonly beneficiary: string;
};

type Told = {
  readonly data: Data;
  readonly partner: bigint;
  readonly at: string;
  readonly exactOut?: boolean;
};

const v6 = ({ data, partner, at, exactOut = false }: Told, call: CallView): Draft => {
  const into = assetAt(data.destToken);
  const { fromAmount, toAmount, beneficiary } = data;
  const fees = partnerFee(partner, into);
  return trade(
    { from: assetAt(data.srcToken), into, fromAmount, toAmount, beneficiary, at, fees },
    exactOut,
    call,
  );
};

const DATA =
  "address srcToken, address destToken, uint256 fromAmount, uint256 toAmount, uint256 quotedAmount, bytes32 metadata, address beneficiary";
const here = ["router_v6"];

const v6Functions: readonly ProtocolFunction[] = [
  ...(
    ["swapExactAmountIn", "swapExactAmountOut", "swapExactAmountInPro", "swapExactAmountOutPro"] as const
  ).map((name) =>
    fn(
      `function ${name}(address executor, (${DATA}) swapData, uint256 partnerAndFee, bytes permit, bytes executorData) payable`,
      here,
      ([, data, partner], call) =>
        v6({ data, partner, at: "swapData.", exactOut: name.includes("Out") }, call),
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
      ([data, partner], call) => v6({ data, partner, at: "uniData.", exactOut: name.includes("Out") }, call),
    ),
  ),
  fn(
    `function swapExactAmountInOnCurveV1((uint256 curveData, uint256 curveAssets, ${DATA}) curveV1Data, uint256 partnerAndFee, bytes permit) payable`,
    here,
    ([data, partner], call) => v6({ data, partner, at: "curveV1Data." }, call),
  ),
  fn(
    `function swapExactAmountInOnCurveV2((uint256 curveData, uint256 i, uint256 j, address poolAddress, ${DATA}) curveV2Data, uint256 partnerAndFee, bytes permit) payable`,
    here,
    ([data, partner], call) => v6({ data, partner, at: "curveV2Data." }, call),
  ),
];

const V5_TAIL = "address partner, uint256 feePercent, bytes permit, uint256 deadline, bytes16 uuid";

type Partner = { readonly partner: string; readonly feePercent: bigint };

const v5Fee = ({ partner, feePercent }: Partner, asset: Asset): NonNullable<Draft["fees"]> => {
  const bps = feePercent & FEE_BITS;
  return lower(partner) === ZERO_ADDRESS || bps === 0n
    ? []
    : [{ to: lower(partner), asset, share: { bps }, at: "data.feePercent" }];
};

type V5 = Partner & {
  readonly fromToken: string;
  readonly fromAmount: bigint;
  readonly toAmount: bigint;
  readonly beneficiary: string;
  readonly deadline: bigint;
};

const v5 = (data: V5, toToken: string, exactOut: boolean, call: CallView): Draft => {
  const into = assetAt(toToken);
  return trade(
    { ...data, from: assetAt(data.fromToken), into, at: "data.", fees: v5Fee(data, into) },
    exactOut,
    call,
  );
};

/** Where the way is a list of steps, the last of them says what comes out. */
const lastStep = (path: readonly { readonly to: string }[]): string => {
  const last = path.at(-1);
  if (last === undefined) throw new Error("the way has no steps");
  return last.to;
};

/** Nested deeper than the types of the signature are followed; the decoder follows them all the way. */
type Stepped = V5 & { readonly path: readonly { readonly to: string }[] };

const SIMPLE =
  `(address fromToken, address toToken, uint256 fromAmount, uint256 toAmount, uint256 expectedAmount, address[] callees, bytes exchangeData, uint256[] startIndexes, uint256[] values, address beneficiary, ${V5_TAIL}) data` as const;
const STEP =
  "(address to, uint256 totalNetworkFee, (address adapter, uint256 percent, uint256 networkFee, (uint256 index, address targetExchange, uint256 percent, bytes payload, uint256 networkFee)[] route)[] adapters)[] path";

/** Pools alone do not say which token comes out. */
const POOL_OUTPUT = unsaid("the token the last pool pays out, which the arguments do not name");

const v5Functions: readonly ProtocolFunction[] = [
  fn(`function simpleSwap(${SIMPLE}) payable`, ["router_v5"], ([data], call) =>
    v5(data, data.toToken, false, call),
  ),
  fn(`function simpleBuy(${SIMPLE}) payable`, ["router_v5"], ([data], call) =>
    v5(data, data.toToken, true, call),
  ),
  fn(
    `function multiSwap((address fromToken, uint256 fromAmount, uint256 toAmount, uint256 expectedAmount, address beneficiary, ${STEP}, ${V5_TAIL}) data) payable`,
    ["router_v5"],
    ([data], call) => {
      const trade = data as Stepped;
      return v5(trade, lastStep(trade.path), false, call);
    },
  ),
  fn(
    `function megaSwap((address fromToken, uint256 fromAmount, uint256 toAmount, uint256 expectedAmount, address beneficiary, (uint256 fromAmountPercent, ${STEP})[] path, ${V5_TAIL}) data) payable`,
    ["router_v5"],
    ([data], call) => {
      const trade = data as V5 & { readonly path: readonly Stepped[] };
      return v5(trade, lastStep(trade.path[0]?.path ?? []), false, call);
    },
  ),
  fn(
    "function directUniV3Swap((address fromToken, address toToken, address exchange, uint256 fromAmount, uint256 toAmount, uint256 expectedAmount, uint256 feePercent, uint256 deadline, address partner, bool isApproved, address beneficiary, bytes path, bytes permit, bytes16 uuid) data) payable",
    ["router_v5"],
    ([data], call) => v5(data, data.toToken, false, call),
  ),
  fn(
    "function swapOnUniswap(uint256 amountIn, uint256 amountOutMin, address[] path) payable",
    ["router_v5"],
    ([amount, least, path], call) => {
      const { first, last } = routeOf(path.map(lower));
      return swapDraft({
        gives: flow(assetAt(first), exactly(amount), "amountIn"),
        gets: flow(assetAt(last), atLeast(least), "amountOutMin"),
        receiver: call.sender,
      });
    },
  ),
  fn(
    "function swapOnUniswapV2Fork(address tokenIn, uint256 amountIn, uint256 amountOutMin, address weth, uint256[] pools) payable",
    ["router_v5"],
    ([tokenIn, amount, least], call) =>
      swapDraft({
        gives: flow(assetAt(tokenIn), exactly(amount), "amountIn"),
        gets: flow(POOL_OUTPUT, atLeast(least), "amountOutMin"),
        receiver: call.sender,
      }),
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
