/** LI.FI: swaps through whatever exchange it chooses, and bridges behind one face. Limits and receivers are arguments. */
import { atLeast, exactly, type Asset } from "../effects.ts";
import type { Address } from "../proposal.ts";
import {
  defineProtocol,
  fn,
  type CallView,
  type Draft,
  type DraftFlow,
  type ProtocolFunction,
} from "../protocol.ts";
import { assetAt, flow, lower, onChains, partyAt, swapDraft } from "./shared/swap-draft.ts";

const SWAP =
  "(address callTo, address approveTo, address sendingAssetId, address receivingAssetId, uint256 fromAmount, bytes callData, bool requiresDeposit)";
const HEAD = "bytes32 _transactionId, string _integrator, string _referrer, address _receiver";
const BRIDGE =
  "(bytes32 transactionId, string bridge, string integrator, address referrer, address sendingAssetId, address receiver, uint256 minAmount, uint256 destinationChainId, bool hasSourceSwaps, bool hasDestinationCall) _bridgeData";

const here = ["diamond"];

type Swap = {
  readonly sendingAssetId: string;
  readonly receivingAssetId: string;
  readonly fromAmount: bigint;
  readonly requiresDeposit: boolean;
};

/** The first step always takes its input from the caller; a later one only where it says so. */
const deposits = (steps: readonly Swap[]): readonly DraftFlow[] =>
  steps.flatMap((step, i) =>
    i === 0 || step.requiresDeposit
      ? [flow(assetAt(step.sendingAssetId), exactly(step.fromAmount), `_swapData[${i}].fromAmount`)]
      : [],
  );

const outputOf = (steps: readonly Swap[]): Asset => {
  const last = steps.at(-1);
  if (last === undefined) throw new Error("there is no step");
  return assetAt(last.receivingAssetId);
};

const swap = (steps: readonly Swap[], to: string, least: bigint, call: CallView): Draft => ({
  act: "swap",
  gives: deposits(steps),
  gets: [flow(outputOf(steps), atLeast(least), "_minAmountOut")],
  receiver: partyAt(to, call),
  places: { receiver: "_receiver", minimum: "_minAmountOut", amount: "_swapData" },
});

const swaps: readonly ProtocolFunction[] = [
  ...(
    [
      "swapTokensSingleV3ERC20ToERC20",
      "swapTokensSingleV3ERC20ToNative",
      "swapTokensSingleV3NativeToERC20",
    ] as const
  ).map((name) =>
    fn(
      `function ${name}(${HEAD}, uint256 _minAmountOut, ${SWAP} _swapData) payable`,
      here,
      ([, , , to, least, step], call) =>
        swapDraft({
          gives: flow(assetAt(step.sendingAssetId), exactly(step.fromAmount), "_swapData.fromAmount"),
          gets: flow(assetAt(step.receivingAssetId), atLeast(least), "_minAmountOut"),
          receiver: partyAt(to, call),
          receiverAt: "_receiver",
        }),
    ),
  ),
  ...(
    [
      "swapTokensMultipleV3ERC20ToERC20",
      "swapTokensMultipleV3ERC20ToNative",
      "swapTokensMultipleV3NativeToERC20",
    ] as const
  ).map((name) =>
    fn(
      `function ${name}(${HEAD}, uint256 _minAmountOut, ${SWAP}[] _swapData) payable`,
      here,
      ([, , , to, least, steps], call) => swap(steps, to, least, call),
    ),
  ),
  fn(
    `function swapTokensGeneric(${HEAD}, uint256 _minAmount, ${SWAP}[] _swapData) payable`,
    here,
    ([, , , to, least, steps], call) => swap(steps, to, least, call),
  ),
];

type Bridge = {
  readonly sendingAssetId: string;
  readonly receiver: string;
  readonly minAmount: bigint;
  readonly destinationChainId: bigint;
  readonly hasDestinationCall: boolean;
};
/** What the bridge itself is told, where it says more than the common part. */
type Told = { readonly receiver?: Address; readonly arrives?: DraftFlow; readonly deadline?: bigint };

/** LI.FI's word for "the receiver is not an EVM address, look elsewhere". */
const ELSEWHERE = "0x11f111f111f111f111f111f111f111f111f111f1";

const bridge = (b: Bridge, steps: readonly Swap[], told: Told, call: CallView): Draft => {
  if (lower(b.receiver) === ELSEWHERE) throw new Error("the receiver is not written as an address");
  const faults = [
    ...(b.hasDestinationCall ? ["something is called on the other chain"] : []),
    ...(told.receiver !== undefined && told.receiver !== lower(b.receiver)
      ? ["the bridge is told another receiver than the one named first"]
      : []),
  ];
  const given = flow(assetAt(b.sendingAssetId), exactly(b.minAmount), "_bridgeData.minAmount");
  return {
    act: "bridge",
    gives: steps.length > 0 ? deposits(steps) : [given],
    ...(told.arrives === undefined ? {} : { gets: [told.arrives] }),
    receiver: partyAt(told.receiver ?? b.receiver, call),
    toChain: Number(b.destinationChainId),
    ...(told.deadline === undefined ? {} : { deadline: told.deadline }),
    ...(faults.length > 0 ? { terms: { faults } } : {}),
    places: {
      receiver: "_bridgeData.receiver",
      toChain: "_bridgeData.destinationChainId",
      amount: "_bridgeData.minAmount",
    },
  };
};

const addressOf = (word: string): Address => {
  if (!word.startsWith(`0x${"00".repeat(12)}`)) throw new Error("an address is not written as one");
  return `0x${word.slice(26)}`.toLowerCase() as Address;
};

const ACROSS =
  "(bytes32 receiverAddress, bytes32 refundAddress, bytes32 sendingAssetId, bytes32 receivingAssetId, uint256 outputAmount, uint128 outputAmountMultiplier, bytes32 exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message) _acrossData";

type Across = {
  readonly receiverAddress: string;
  readonly receivingAssetId: string;
  readonly outputAmount: bigint;
  readonly fillDeadline: number;
};

const toldAcross = (data: Across): Told => ({
  receiver: addressOf(data.receiverAddress),
  arrives: flow(
    assetAt(addressOf(data.receivingAssetId)),
    atLeast(data.outputAmount),
    "_acrossData.outputAmount",
  ),
  deadline: BigInt(data.fillDeadline),
});

const STARGATE =
  "(uint16 assetId, (uint32 dstEid, bytes32 to, uint256 amountLD, uint256 minAmountLD, bytes extraOptions, bytes composeMsg, bytes oftCmd) sendParams, (uint256 nativeFee, uint256 lzTokenFee) fee, address refundAddress) _stargateData";
const CIRCLE = "(uint256 maxFee, uint32 minFinalityThreshold) _celerCircleData";
const RELAY = "(bytes32 orderId, address depositorAddress) _relayDepositoryData";

const bridges: readonly ProtocolFunction[] = [
  fn(`function startBridgeTokensViaAcrossV4(${BRIDGE}, ${ACROSS}) payable`, here, ([b, data], call) =>
    bridge(b, [], toldAcross(data), call),
  ),
  fn(
    `function swapAndStartBridgeTokensViaAcrossV4(${BRIDGE}, ${SWAP}[] _swapData, ${ACROSS}) payable`,
    here,
    ([b, steps, data], call) => bridge(b, steps, toldAcross(data), call),
  ),
  fn(`function startBridgeTokensViaStargate(${BRIDGE}, ${STARGATE}) payable`, here, ([b, data], call) =>
    bridge(b, [], { receiver: addressOf(data.sendParams.to) }, call),
  ),
  fn(
    `function swapAndStartBridgeTokensViaStargate(${BRIDGE}, ${SWAP}[] _swapData, ${STARGATE}) payable`,
    here,
    ([b, steps, data], call) => bridge(b, steps, { receiver: addressOf(data.sendParams.to) }, call),
  ),
  fn(`function startBridgeTokensViaCelerCircleBridge(${BRIDGE}, ${CIRCLE})`, here, ([b], call) =>
    bridge(b, [], {}, call),
  ),
  fn(
    `function swapAndStartBridgeTokensViaCelerCircleBridge(${BRIDGE}, ${SWAP}[] _swapData, ${CIRCLE}) payable`,
    here,
    ([b, steps], call) => bridge(b, steps, {}, call),
  ),
  fn(`function startBridgeTokensViaRelayDepository(${BRIDGE}, ${RELAY}) payable`, here, ([b], call) =>
    bridge(b, [], {}, call),
  ),
  fn(
    `function swapAndStartBridgeTokensViaRelayDepository(${BRIDGE}, ${SWAP}[] _swapData, ${RELAY}) payable`,
    here,
    ([b, steps], call) => bridge(b, steps, {}, call),
  ),
];

export default defineProtocol({
  title: "LI.FI",
  names: ["lifi", "li.fi", "li fi", "jumper", "jumper exchange", "li-fi"],
  family: "lifi",
  contracts: {
    diamond: {
      324: "0x341e94069f53234fe6dabef707ad424830525715",
      59144: "0xde1e598b81620773454588b85d6b5d4eec32573e",
      ...onChains(
        "0x1231deb6f5749ef6ce6943a275a1d3e7486f4eae",
        [1, 10, 56, 100, 137, 250, 5000, 8453, 42161, 42220, 43114, 534352],
      ),
    },
  },
  functions: [...swaps, ...bridges],
});
