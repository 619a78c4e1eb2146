/** LayerZero's own numbers for chains, and the one message its tokens are sent with. */
import { exactly, type Asset } from "../../effects.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView, Draft } from "../../protocol.ts";
import { addressInWord } from "./address-words.ts";
import { cross, least, messageFee } from "./bridging.ts";

const chains: Readonly<Record<number, number>> = {
  30101: 1,
  30102: 56,
  30106: 43114,
  30109: 137,
  30110: 42161,
  30111: 10,
  30125: 42220,
  30145: 100,
  30151: 1088,
  30165: 324,
  30177: 2222,
  30181: 5000,
  30183: 59144,
  30184: 8453,
  30214: 534352,
  30243: 81457,
  30260: 34443,
  30319: 480,
  30320: 130,
  30332: 146,
  30339: 57073,
  30340: 1868,
  30362: 80094,
  40161: 11155111,
  40231: 421614,
  40232: 11155420,
  40245: 84532,
};

type SendParam = {
  readonly dstEid: number;
  readonly to: Hex;
  readonly amountLD: bigint;
  readonly minAmountLD: bigint;
  readonly composeMsg: Hex;
};

export const sendParam =
  "(uint32 dstEid, bytes32 to, uint256 amountLD, uint256 minAmountLD, bytes extraOptions, bytes composeMsg, bytes oftCmd) sendParam, (uint256 nativeFee, uint256 lzTokenFee) fee, address refundAddress";

/** `asset`: what leaves. A message to be run on arrival is foreign code that gets the money first. */
export const sendByLayerZero = (param: SendParam, asset: Asset, call: CallView, refund: Address): Draft => {
  const toChain = chains[param.dstEid];
  if (toChain === undefined) throw new Error(`no chain is known by LayerZero's number ${param.dstEid}`);
  const bridged = asset.kind === "native" ? param.amountLD : 0n;
  return cross({
    gives: { asset, amount: exactly(param.amountLD), at: "sendParam.amountLD" },
    gets: {
      asset: asset.kind === "native" ? asset : { kind: "unsaid", why: "the same token on the other chain" },
      amount: least(param.minAmountLD),
      at: "sendParam.minAmountLD",
    },
    toChain,
    receiver: addressInWord(param.to),
    receiverAt: "sendParam.to",
    fees: messageFee(call, bridged, refund),
    terms:
      param.composeMsg === "0x" ? {} : { faults: ["runs a message on arrival that gets the money first"] },
  });
};
