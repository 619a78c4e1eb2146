/** LayerZero's ids of chains, and the one message that its tokens are sent with. */
import { exactly, unsaid, nativeFault, type Asset, type Fault } from "../../effects.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView, Draft, DraftFlow } from "../../protocol.ts";
import { packed } from "../../bytes/openings.ts";
import { compared, feeds, inert, openedBy } from "../../uses.ts";
import { addressInWord } from "./address-words.ts";
import { code } from "./admin-drafts.ts";
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
  readonly extraOptions: Hex;
  readonly composeMsg: Hex;
  readonly oftCmd: Hex;
};
type MessagingFee = { readonly nativeFee: bigint; readonly lzTokenFee: bigint };

/** The four values of a send, under LayerZero's names. */
export type Sending = { readonly param: SendParam; readonly fee: MessagingFee; readonly refund: Address };

export const SEND_PARAM =
  "(uint32 dstEid, bytes32 to, uint256 amountLD, uint256 minAmountLD, bytes extraOptions, bytes composeMsg, bytes oftCmd)";
export const FEE = "(uint256 nativeFee, uint256 lzTokenFee)";
export const sendParam = `${SEND_PARAM} sendParam, ${FEE} fee, address refundAddress` as const;

/**
 * Options of the third type that only raise the gas on arrival. Others send native value to any account, or pay for
 * further calls.
 */
const gasOptions = packed("gas for the message on arrival", {
  head: [{ name: "form", bytes: 2, use: compared("equal", "3") }],
  repeat: [
    { name: "worker", bytes: 1, use: compared("equal", "1, the executor") },
    { name: "size", bytes: 2, use: compared("equal", "17") },
    { name: "kind", bytes: 1, use: compared("equal", "1, gas to receive the message") },
    // Paid in advance out of the native value, which is compared.
    { name: "gas", bytes: 16, use: inert.bounded },
  ],
});

/** Stargate's modes of transport: at once, or batched with others. Both pay out the same. */
export const travels: readonly Hex[] = ["0x", "0x00", "0x01"];

export const sendParamUses = {
  dstEid: feeds.toChain,
  to: feeds.receiver,
  amountLD: feeds.amount,
  minAmountLD: feeds.minimum,
  extraOptions: openedBy(gasOptions),
  composeMsg: feeds.choice,
  oftCmd: compared("one_of", "the transport modes"),
};
export const feeUses = {
  nativeFee: compared("at_most", "the native token sent"),
  lzTokenFee: compared("equal", "zero"),
};
export const sendUses = { sendParam: sendParamUses, fee: feeUses, refundAddress: feeds.choice };

export const chainOfEndpoint = (id: number): number => {
  const chain = chains[id];
  if (chain === undefined) throw new Error(`no chain has LayerZero's id ${id}`);
  return chain;
};

/** Throws if the options do more than raise the gas on arrival. */
export const checkOptions = (options: Hex, at: string, call: CallView): void => {
  if (options === "0x") return;
  const { head, items } = call.open(gasOptions, options, at);
  const isGas = items.every(
    ({ worker, size, kind }) => worker === "0x01" && size === "0x0011" && kind === "0x01",
  );
  if (head["form"] !== "0x0003" || !isGas)
    throw new Error("the message carries options other than gas to receive it");
};

/** Returns the faults of the native value. Throws if the fee is paid in LayerZero's own token. */
export const feeFaults = (fee: MessagingFee, bridged: bigint, call: CallView): readonly Fault[] => {
  if (fee.lzTokenFee !== 0n) throw new Error("the fee is paid in LayerZero's own token");
  return fee.nativeFee + bridged <= call.value
    ? []
    : [nativeFault("less native token is sent than the message costs")];
};

/** The asset that a contract takes, its output on a chain for an amount, and the transport modes it supports. */
export type Carrier = {
  readonly asset: Asset;
  readonly paysOut?: (least: bigint, chain: number) => Pick<DraftFlow, "asset" | "amount">;
  readonly commands: readonly Hex[];
};

const unnamed = (amount: bigint) => ({
  asset: unsaid("the same token on the other chain"),
  amount: least(amount),
});

export const sendByLayerZero = (
  { param, fee, refund }: Sending,
  { asset, paysOut = unnamed, commands }: Carrier,
  call: CallView,
): Draft => {
  const toChain = chainOfEndpoint(param.dstEid);
  const bridged = asset.kind === "native" ? param.amountLD : 0n;
  const faults = feeFaults(fee, bridged, call);
  checkOptions(param.extraOptions, "sendParam.extraOptions", call);
  if (!commands.includes(param.oftCmd)) throw new Error("the transport mode of the message is not known");
  const message = messageFee(call, bridged, [{ to: refund, at: "refundAddress" }]);
  return cross({
    gives: { asset, amount: exactly(param.amountLD), at: "sendParam.amountLD" },
    gets: { ...paysOut(param.minAmountLD, toChain), at: "sendParam.minAmountLD" },
    toChain,
    receiver: addressInWord(param.to),
    receiverAt: "sendParam.to",
    fees: message.fees,
    // A message that runs on arrival gets the funds first.
    choices: [...message.choices, ...code(param.composeMsg, "sendParam.composeMsg")],
    terms: faults.length === 0 ? {} : { faults },
  });
};
