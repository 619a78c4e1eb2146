/** The parts that all swaps of Velora's routers share. */
import { atLeast, atMost, exactly, amountFault, type Fault } from "../../effects.ts";
import type { Hex } from "../../proposal.ts";
import type { CallView, Draft } from "../../protocol.ts";
import { readPermit } from "./router-permits.ts";
import { assetAt, flow, lower, partyAt, swapDraft, ZERO_ADDRESS } from "./swap-draft.ts";
import { partnerFee, type PartnerFee } from "./velora-fees.ts";

type Trade = {
  readonly from: string;
  readonly into: string;
  readonly fromAmount: bigint;
  readonly toAmount: bigint;
  readonly quoted: bigint;
  readonly beneficiary: string;
  readonly permit: Hex;
  readonly at: string;
  readonly permitAt: string;
  readonly fee: PartnerFee;
  readonly deadline?: bigint;
  readonly path?: readonly string[];
  readonly exactOut: boolean;
};

const BPS = 10_000n;

const quoteFaults = (t: Trade): readonly Fault[] =>
  (t.exactOut ? t.quoted <= t.fromAmount : t.quoted >= t.toAmount)
    ? []
    : [amountFault("the quoted amount is worse than the limit, and the router keeps everything above it")];

export const trade = (t: Trade, call: CallView): readonly Draft[] => {
  const [from, into] = [assetAt(t.from), assetAt(t.into)];
  const fees = partnerFee(t.fee, t.exactOut ? from : into);
  const kept = fees.reduce((sum, { bps }) => (sum + bps > BPS ? BPS : sum + bps), 0n);
  // The fee of an exact input is taken after the minimum is checked.
  const least = (t.toAmount * (BPS - kept)) / BPS;
  return [
    ...readPermit(t.permit, { token: lower(t.from), at: t.permitAt }, call),
    swapDraft({
      gives: flow(from, t.exactOut ? atMost(t.fromAmount) : exactly(t.fromAmount), `${t.at}fromAmount`),
      gets: flow(into, t.exactOut ? exactly(t.toAmount) : atLeast(least), `${t.at}toAmount`),
      receiver: partyAt(t.beneficiary, call, { sender: ZERO_ADDRESS }),
      receiverAt: `${t.at}beneficiary`,
      fees: fees.map(({ fee }) => fee),
      ...(t.deadline === undefined ? {} : { deadline: { until: t.deadline, at: `${t.at}deadline` } }),
      terms: {
        ...(t.exactOut ? { exactOut: true } : {}),
        ...(t.path === undefined ? {} : { path: t.path.map(lower) }),
        faults: quoteFaults(t),
      },
    }),
  ];
};
