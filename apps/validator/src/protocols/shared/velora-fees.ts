/** The share that a partner of Velora takes, in the forms of routers and orders. */
import { word } from "../../bytes/openings.ts";
import type { Asset } from "../../effects.ts";
import type { Draft } from "../../protocol.ts";
import { feedsWhen, inert } from "../../uses.ts";
import { addressIn, ZERO_ADDRESS } from "./swap-draft.ts";

const hasPartner = "there is a partner";

/** The flags share what exceeds the quoted amount, which the router keeps in any case. */
export const partnerAndFee = word("uint160 partner, uint4 flags, uint14 bps", {
  bps: { at: 0, bits: 14, use: feedsWhen("fee", hasPartner) },
  unused: { at: 14, bits: 78, use: inert.unused },
  flags: { at: 92, bits: 4, use: inert.bounded },
  partner: { at: 96, bits: 160, use: feedsWhen("fee", "the fee is not zero") },
});

export const feePercent = word("uint242 flags, uint14 bps", {
  bps: { at: 0, bits: 14, use: feedsWhen("fee", hasPartner) },
  flags: { at: 14, bits: 242, use: inert.bounded },
});

export type PartnerFee = { readonly partner: bigint; readonly bps: bigint; readonly at: string };

type Fee = NonNullable<Draft["fees"]>[number];

/** Nothing is taken without a partner. */
export const partnerFee = (
  { partner, bps, at }: PartnerFee,
  asset: Asset,
): readonly { readonly fee: Fee; readonly bps: bigint }[] => {
  const to = addressIn(partner);
  return bps === 0n || to === ZERO_ADDRESS ? [] : [{ fee: { to, asset, share: { bps }, at }, bps }];
};
