import type { Move } from "./moves.ts";
import { assetKey, type Terms } from "./terms.ts";

type Allowed = Pick<Terms, "acts" | "assets" | "recipients" | "limits">;

/** Whether the report counts an asset's base units as the limit that the owner signed does. */
const isCountedAlike = ({ limits }: Allowed, { asset, decimals }: Move["amounts"][number]): boolean =>
  limits.every((limit) => assetKey(limit.measure) !== asset || limit.decimals === decimals);

/** Returns why a mandate does not cover an effect, whatever its amount. Undefined if it does. */
function whyNot(terms: Allowed, { act, parties, amounts, uncountable }: Move): string | undefined {
  if (!terms.acts.some((allowed) => allowed === act)) return `The mandate does not allow ${act}`;
  if (uncountable !== null) return uncountable;
  const assets = new Set(terms.assets.map(assetKey));
  const asset = amounts.find((amount) => !assets.has(amount.asset));
  if (asset !== undefined) return `The mandate does not name the asset ${asset.asset}`;
  const party = terms.recipients.includes("*")
    ? undefined
    : parties.find((named) => !terms.recipients.includes(named));
  if (party !== undefined) return `The mandate does not name the recipient ${party}`;
  const other = amounts.find((amount) => !isCountedAlike(terms, amount));
  return other && `The mandate has other decimals for ${other.asset} than the report`;
}

/** The same for all effects of a transaction: the first reason that is found. */
export const whyNotCovered = (terms: Allowed, moves: readonly Move[]): string | undefined =>
  moves.map((move) => whyNot(terms, move)).find((why) => why !== undefined);

/** Why a mandate does not allow a transaction, as `needsOwner` of the transaction has it. */
export type Refusal = {
  readonly code: "NO_MANDATE" | "OUTSIDE_MANDATE" | "UNKNOWN_EFFECTS";
  readonly message: string;
};

export const unknownEffects: Refusal = {
  code: "UNKNOWN_EFFECTS",
  message: "It is not known what this transaction moves",
};

export const outsideMandate = (message: string): Refusal => ({ code: "OUTSIDE_MANDATE", message });
