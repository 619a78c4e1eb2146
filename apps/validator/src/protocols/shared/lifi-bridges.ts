/** The data that LI.FI passes to each bridge. It takes precedence over the shared arguments, which some facets only log. */
import { atLeast, native, unsaid } from "../../effects.ts";
import type { Address, Hex } from "../../proposal.ts";
import { fn, unreadFn, type CallView, type DraftFlow, type ProtocolFunction } from "../../protocol.ts";
import { compared, feeds, inert } from "../../uses.ts";
import { addressInWord } from "./address-words.ts";
import { chainOf, messageFee, refundTo } from "./bridging.ts";
import {
  chainOfEndpoint,
  checkOptions,
  FEE,
  feeFaults,
  feeUses,
  SEND_PARAM,
  sendParamUses,
  travels,
} from "./layerzero.ts";
import { BRIDGE, bridge, bridgeUses, swappedUses, type Bridge, type Told } from "./lifi-common.ts";
import { deposits, stepUses, SWAP, type Swap } from "./lifi-steps.ts";
import { assetAt, flow, lower, ZERO_ADDRESS } from "./swap-draft.ts";

const here = ["diamond"];

const ACROSS =
  "(bytes32 receiverAddress, bytes32 refundAddress, bytes32 sendingAssetId, bytes32 receivingAssetId, uint256 outputAmount, uint128 outputAmountMultiplier, bytes32 exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message) _acrossData";

type Across = {
  readonly receiverAddress: Hex;
  readonly refundAddress: Hex;
  readonly sendingAssetId: Hex;
  readonly receivingAssetId: Hex;
  readonly outputAmount: bigint;
  readonly outputAmountMultiplier: bigint;
  readonly fillDeadline: number;
  readonly message: Hex;
};

const acrossUses = {
  receiverAddress: feeds.receiver,
  refundAddress: feeds.choice,
  sendingAssetId: compared("one_of", "the asset that is bridged, native or wrapped"),
  receivingAssetId: feeds.asset,
  exclusiveRelayer: inert.restricts,
  quoteTimestamp: inert.bounded,
  fillDeadline: feeds.deadline,
  exclusivityParameter: inert.restricts,
  message: feeds.choice,
};

const WHOLE = 10n ** 18n;

/** The amount, and the argument that holds it. */
type Arrives = { readonly least: bigint; readonly at: string };

/** `arrives`: the amount that the relayer must pay out. After swaps it is a share of their output. */
const toldAcross = (b: Bridge, data: Across, arrives: Arrives, call: CallView): Told => {
  const asset = lower(b.sendingAssetId);
  const named = addressInWord(data.sendingAssetId);
  const wrapped = call.registry.chain(call.chain)?.wrapped;
  const isCoin = assetAt(asset).kind === "native";
  if (named !== asset && !(isCoin && [ZERO_ADDRESS, wrapped].includes(named)))
    throw new Error("the bridge data and the shared arguments name different assets");
  return {
    receiver: addressInWord(data.receiverAddress),
    arrives: flow(assetAt(addressInWord(data.receivingAssetId)), atLeast(arrives.least), arrives.at),
    deadline: BigInt(data.fillDeadline),
    choices: [refundTo(addressInWord(data.refundAddress), "_acrossData.refundAddress", call)],
    message: { data: data.message, at: "_acrossData.message" },
  };
};

const STARGATE =
  `(uint16 assetId, ${SEND_PARAM} sendParams, ${FEE} fee, address refundAddress) _stargateData` as const;

type Stargate = {
  readonly sendParams: {
    readonly dstEid: number;
    readonly to: Hex;
    readonly amountLD: bigint;
    readonly minAmountLD: bigint;
    readonly extraOptions: Hex;
    readonly composeMsg: Hex;
    readonly oftCmd: Hex;
  };
  readonly fee: { readonly nativeFee: bigint; readonly lzTokenFee: bigint };
  readonly refundAddress: Address;
};

const stargateUses = {
  // The pool of another token cannot take it from the diamond, so the call fails.
  assetId: inert.hint,
  sendParams: {
    ...sendParamUses,
    dstEid: compared("equal", "destinationChainId"),
    amountLD: compared("equal", "minAmount"),
  },
  fee: feeUses,
  refundAddress: feeds.choice,
};

const coinIn = (flows: readonly DraftFlow[]): bigint =>
  flows.reduce((sum, { asset, amount }) => (asset.kind === "native" ? sum + amount.most : sum), 0n);

const toldStargate = (b: Bridge, steps: readonly Swap[], data: Stargate, call: CallView): Told => {
  const { sendParams, fee, refundAddress } = data;
  if (chainOfEndpoint(sendParams.dstEid) !== chainOf(b.destinationChainId))
    throw new Error("the bridge data and the shared arguments name different chains");
  if (sendParams.amountLD !== b.minAmount)
    throw new Error("the bridge data and the shared arguments name different amounts");
  if (!travels.includes(sendParams.oftCmd)) throw new Error("the transport mode of the message is not known");
  checkOptions(sendParams.extraOptions, "_stargateData.sendParams.extraOptions", call);
  const asset = assetAt(b.sendingAssetId);
  const bridged = steps.length > 0 ? coinIn(deposits(steps)) : asset.kind === "native" ? b.minAmount : 0n;
  return {
    receiver: addressInWord(sendParams.to),
    arrives: flow(
      asset.kind === "native" ? native : unsaid("the same token on the other chain"),
      atLeast(sendParams.minAmountLD),
      "_stargateData.sendParams.minAmountLD",
    ),
    ...messageFee(call, bridged, [{ to: refundAddress, at: "_stargateData.refundAddress" }]),
    faults: feeFaults(fee, bridged, call),
    message: { data: sendParams.composeMsg, at: "_stargateData.sendParams.composeMsg" },
  };
};

const CIRCLE = "(uint256 maxFee, uint32 minFinalityThreshold) _celerCircleData";
const circleUses = { maxFee: feeds.fee, minFinalityThreshold: inert.bounded };

/** The messenger takes a fee that the arguments do not show, so no minimum is known. */
const toldCircle = (b: Bridge, maxFee: bigint): Told => ({
  fees:
    maxFee === 0n
      ? []
      : [
          {
            to: "venue",
            asset: assetAt(b.sendingAssetId),
            share: { least: 0n, most: maxFee },
            at: "_celerCircleData.maxFee",
          },
        ],
});

const RELAY = "(bytes32 orderId, address depositorAddress) _relayDepositoryData";
const relayUses = { orderId: feeds.choice, depositorAddress: feeds.choice };

/** The order is stored off chain and decides the receiver, the chain and the amount. */
const toldRelay = (orderId: Hex, depositor: Address, call: CallView): Told => ({
  choices: [
    { what: "order", value: orderId, at: "_relayDepositoryData.orderId" },
    refundTo(depositor, "_relayDepositoryData.depositorAddress", call),
  ],
});

const direct = { _bridgeData: bridgeUses };
const swapped = { _bridgeData: swappedUses, _swapData: stepUses };

/** Circle and Relay state no minimum after swaps, so both stay unread. */
export const lifiBridges: readonly ProtocolFunction[] = [
  fn(
    `function startBridgeTokensViaAcrossV4(${BRIDGE}, ${ACROSS}) payable`,
    here,
    {
      ...direct,
      _acrossData: { ...acrossUses, outputAmount: feeds.minimum, outputAmountMultiplier: inert.unused },
    },
    ([b, data], call) =>
      bridge(
        b,
        [],
        toldAcross(b, data, { least: data.outputAmount, at: "_acrossData.outputAmount" }, call),
        call,
      ),
  ),
  fn(
    `function swapAndStartBridgeTokensViaAcrossV4(${BRIDGE}, ${SWAP}[] _swapData, ${ACROSS}) payable`,
    here,
    {
      ...swapped,
      _acrossData: { ...acrossUses, outputAmount: inert.unused, outputAmountMultiplier: feeds.minimum },
    },
    ([b, steps, data], call) => {
      const share = (b.minAmount * data.outputAmountMultiplier) / WHOLE;
      const arrives = { least: share, at: "_acrossData.outputAmountMultiplier" };
      return bridge(b, steps, toldAcross(b, data, arrives, call), call);
    },
  ),
  fn(
    `function startBridgeTokensViaStargate(${BRIDGE}, ${STARGATE}) payable`,
    here,
    { ...direct, _stargateData: stargateUses },
    ([b, data], call) => bridge(b, [], toldStargate(b, [], data, call), call),
  ),
  fn(
    `function swapAndStartBridgeTokensViaStargate(${BRIDGE}, ${SWAP}[] _swapData, ${STARGATE}) payable`,
    here,
    { ...swapped, _stargateData: stargateUses },
    ([b, steps, data], call) => bridge(b, steps, toldStargate(b, steps, data, call), call),
  ),
  fn(
    `function startBridgeTokensViaCelerCircleBridge(${BRIDGE}, ${CIRCLE})`,
    here,
    { ...direct, _celerCircleData: circleUses },
    ([b, { maxFee }], call) => bridge(b, [], toldCircle(b, maxFee), call),
  ),
  unreadFn(
    `function swapAndStartBridgeTokensViaCelerCircleBridge(${BRIDGE}, ${SWAP}[] _swapData, ${CIRCLE}) payable`,
    here,
    ([{ receiver }, steps]) => ({ gives: deposits(steps), receiver: lower(receiver) }),
  ),
  fn(
    `function startBridgeTokensViaRelayDepository(${BRIDGE}, ${RELAY}) payable`,
    here,
    { ...direct, _relayDepositoryData: relayUses },
    ([b, { orderId, depositorAddress }], call) =>
      bridge(b, [], toldRelay(orderId, depositorAddress, call), call),
  ),
  unreadFn(
    `function swapAndStartBridgeTokensViaRelayDepository(${BRIDGE}, ${SWAP}[] _swapData, ${RELAY}) payable`,
    here,
    ([{ receiver }, steps]) => ({ gives: deposits(steps), receiver: lower(receiver) }),
  ),
];
