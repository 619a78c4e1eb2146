/** The arguments that all of LI.FI's bridges share, checked against the data for each bridge. */
import { exactly, sameAsset, amountFault, type Fault } from "../../effects.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView, Draft, DraftChoice, DraftFlow } from "../../protocol.ts";
import { compared, feeds, feedsWhen, inert } from "../../uses.ts";
import { code } from "./admin-drafts.ts";
import { chainOf } from "./bridging.ts";
import { deposits, outputOf, pathOf, type Swap } from "./lifi-steps.ts";
import { assetAt, flow, lower, partyAt } from "./swap-draft.ts";

export const BRIDGE =
  "(bytes32 transactionId, string bridge, string integrator, address referrer, address sendingAssetId, address receiver, uint256 minAmount, uint256 destinationChainId, bool hasSourceSwaps, bool hasDestinationCall) _bridgeData";

export type Bridge = {
  readonly sendingAssetId: string;
  readonly receiver: string;
  readonly minAmount: bigint;
  readonly destinationChainId: bigint;
  readonly hasSourceSwaps: boolean;
  readonly hasDestinationCall: boolean;
};
/** The data for one bridge, as far as it adds to the common part. */
export type Told = {
  readonly receiver?: Address;
  readonly arrives?: DraftFlow;
  readonly deadline?: bigint;
  readonly fees?: Draft["fees"];
  readonly choices?: readonly DraftChoice[];
  readonly faults?: readonly Fault[];
  /** Code to run on the other chain. */
  readonly message?: { readonly data: Hex; readonly at: string };
};

export const bridgeUses = {
  transactionId: inert.attribution,
  bridge: inert.label,
  integrator: inert.attribution,
  referrer: inert.attribution,
  sendingAssetId: feeds.asset,
  receiver: feeds.receiver,
  minAmount: feeds.amount,
  destinationChainId: feeds.toChain,
  hasSourceSwaps: compared("equal", "whether there are steps"),
  hasDestinationCall: compared("equal", "whether there is a message"),
};
/** If there are steps before it, the amount is their required output. */
export const swappedUses = {
  ...bridgeUses,
  sendingAssetId: compared("equal", "the output of the last step"),
  minAmount: feedsWhen("minimum", "the bridge pays out a share of it"),
};

/** LI.FI's marker for "the receiver is not an EVM address, look elsewhere". */
const ELSEWHERE = "0x11f111f111f111f111f111f111f111f111f111f1";

/** Throws if the diamond would reject the common part. */
const checkCommon = (b: Bridge, steps: readonly Swap[], message: Hex): void => {
  if (lower(b.receiver) === ELSEWHERE) throw new Error("the receiver is not an EVM address");
  if (b.hasSourceSwaps !== steps.length > 0) throw new Error("hasSourceSwaps does not match the steps");
  if (b.hasDestinationCall !== (message !== "0x"))
    throw new Error("hasDestinationCall does not match the message");
  if (steps.length > 0 && !sameAsset(outputOf(steps), assetAt(b.sendingAssetId)))
    throw new Error("the last swap does not return the asset that is bridged");
};

export const bridge = (b: Bridge, steps: readonly Swap[], told: Told, call: CallView): Draft => {
  const { receiver = lower(b.receiver), choices = [], message = { data: "0x", at: "" } } = told;
  checkCommon(b, steps, message.data);
  const faults = [
    ...(told.faults ?? []),
    ...(receiver === lower(b.receiver)
      ? []
      : [amountFault("the bridge data and the shared arguments name different receivers")]),
  ];
  const given = flow(assetAt(b.sendingAssetId), exactly(b.minAmount), "_bridgeData.minAmount");
  return {
    act: "bridge",
    gives: steps.length > 0 ? deposits(steps) : [given],
    ...(told.arrives === undefined ? {} : { gets: [told.arrives] }),
    receiver: partyAt(receiver, call),
    toChain: chainOf(b.destinationChainId),
    ...(told.deadline === undefined ? {} : { deadline: told.deadline }),
    ...(told.fees === undefined ? {} : { fees: told.fees }),
    choices: [...choices, ...code(message.data, message.at)],
    terms: {
      ...(steps.length > 0 ? { path: pathOf(steps) } : {}),
      ...(faults.length > 0 ? { faults } : {}),
    },
    places: {
      receiver: "_bridgeData.receiver",
      toChain: "_bridgeData.destinationChainId",
      amount: "_bridgeData.minAmount",
    },
  };
};
