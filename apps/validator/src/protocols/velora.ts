/**
 * Velora, formerly ParaSwap: routers 5 and 6, orders filled by agents, and orders between traders. A router compares
 * its own balance with the minimum before it pays; executors, pools and adapters can only move the price above it.
 * But it keeps what exceeds the quoted amount, and takes the partner's fee from the rest.
 */
import type { Hex } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft, type ProtocolFunction } from "../protocol.ts";
import { compared, feeds, inert, openedBy } from "../uses.ts";
import { wordOf } from "./shared/address-word.ts";
import { permitForms } from "./shared/router-permits.ts";
import { assetOrCoin, onChains, receiverOrCaller } from "./shared/swap-draft.ts";
import { partnerAndFee } from "./shared/velora-fees.ts";
import { deltaOrder, rfqOrder } from "./shared/velora-orders.ts";
import { trade } from "./shared/velora-trade.ts";
import { v5Functions } from "./shared/velora-v5.ts";

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
const feeUses = { partnerAndFee: openedBy(partnerAndFee), permit: openedBy(...permitForms) };
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
