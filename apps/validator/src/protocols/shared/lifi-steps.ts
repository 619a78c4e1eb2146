/** The exchanges that LI.FI calls in sequence, as steps of a swap or before a bridge. */
import { exactly, sameAsset, type Asset } from "../../effects.ts";
import type { Address } from "../../proposal.ts";
import type { DraftFlow } from "../../protocol.ts";
import { feeds, feedsWhen, inert } from "../../uses.ts";
import { assetAt, flow } from "./swap-draft.ts";

export const SWAP =
  "(address callTo, address approveTo, address sendingAssetId, address receivingAssetId, uint256 fromAmount, bytes callData, bool requiresDeposit)";

export type Swap = {
  readonly sendingAssetId: string;
  readonly receivingAssetId: string;
  readonly fromAmount: bigint;
  readonly requiresDeposit: boolean;
};

/**
 * The diamond calls only exchanges that it has listed, measures its own balance of the output, and reverts below the
 * minimum: the exchange and its data cannot cost more.
 */
const exchangeUses = { callTo: inert.bounded, approveTo: inert.bounded, callData: inert.bounded };
export const singleUses = {
  ...exchangeUses,
  sendingAssetId: feeds.asset,
  receivingAssetId: feeds.asset,
  fromAmount: feeds.amount,
  requiresDeposit: inert.unused,
};
const takes = "the step takes it from the caller";
export const stepUses = {
  ...exchangeUses,
  sendingAssetId: feedsWhen("asset", takes),
  receivingAssetId: feedsWhen("asset", "it is the last step"),
  fromAmount: feedsWhen("amount", takes),
  requiresDeposit: feedsWhen("amount", "it is not the first step"),
};

/** The first step always takes its input from the caller; a later one only if it says so. */
export const deposits = (steps: readonly Swap[]): readonly DraftFlow[] =>
  steps.flatMap((step, i) =>
    i === 0 || step.requiresDeposit
      ? [flow(assetAt(step.sendingAssetId), exactly(step.fromAmount), `_swapData[${i}].fromAmount`)]
      : [],
  );

export const outputOf = (steps: readonly Swap[]): Asset => {
  const last = steps.at(-1);
  if (last === undefined) throw new Error("there are no steps");
  return assetAt(last.receivingAssetId);
};

/** The tokens along the steps. A step from a token to itself takes a fee of it. */
export const pathOf = (steps: readonly Swap[]): readonly Address[] => {
  const all = steps
    .flatMap(({ sendingAssetId, receivingAssetId }) => [sendingAssetId, receivingAssetId])
    .map(assetAt);
  return all
    .filter((asset, i) => i === 0 || !sameAsset(asset, all[i - 1] ?? asset))
    .flatMap((asset) => (asset.kind === "token" ? [asset.address] : []));
};
