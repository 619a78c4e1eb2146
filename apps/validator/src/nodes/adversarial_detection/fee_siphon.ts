/**
 * Shares of the money that go to third parties. A small share for the router is usual; a larger one needs a request.
 */
import { asAddress, defineNode, fail, pass, short } from "../../node.ts";
import {
  sameAsset,
  type Effect,
  type Facts,
  type Fee,
  type Flow,
  type Registry,
  type Token,
} from "../../facts.ts";

type Given = Pick<Facts, "policy" | "intent" | "registry" | "proposal">;

/** Returns the share of a fee in basis points of what it is taken from, or null if they cannot be compared. */
function bpsOf({ share, asset }: Fee, { gives, gets }: Effect): bigint | null {
  if ("bps" in share) return share.bps;
  const into = gets.find((flow) => sameAsset(flow.asset, asset))?.amount.least;
  const out = gives.find((flow) => sameAsset(flow.asset, asset))?.amount.most;
  // A share of the total: what arrives is the rest.
  const base = into !== undefined && into > 0n ? into + share.most : out;
  return base === undefined || base === 0n ? null : (share.most * 10_000n) / base;
}

/** Returns the fee that the request allows: the stated share, or 5 % if it mentions a fee without a share. */
function allowance({ intent, policy }: Given): bigint {
  const said = intent.steps.flatMap(({ fee }) => (fee === null ? [] : [fee.bps ?? 500n]));
  return [policy.maxFeeBps, ...said].reduce((most, bps) => (bps > most ? bps : most));
}

const tokenOf = ({ asset }: Flow, chain: number, registry: Registry): Token | null =>
  asset.kind === "token" ? registry.token(chain, asset.address) : null;

/** Returns the share that a bridge keeps if the same token arrives. */
function bridgeFee({ act, gives, gets, toChain }: Effect, { registry, proposal }: Given): bigint | null {
  const [out] = gives;
  const [into] = gets;
  if (act !== "bridge" || out === undefined || into === undefined || out.amount.most === 0n) return null;
  const here = tokenOf(out, proposal.chain.id, registry);
  const there = tokenOf(into, toChain ?? proposal.chain.id, registry);
  // The same token may have other decimals there, which makes units incomparable.
  const isSame = here !== null && here.symbol === there?.symbol && here.decimals === there.decimals;
  if (!(isSame || sameAsset(out.asset, into.asset)) || into.amount.least >= out.amount.most) return null;
  return ((out.amount.most - into.amount.least) * 10_000n) / out.amount.most;
}

export default defineNode({
  title: "Fees are small",
  failTitle: "Someone takes a large fee",
  severity: "high",
  needs: ["proposal", "moves", "intent", "registry", "policy"],
  check({ moves, proposal, intent, registry, policy }) {
    const given = { proposal, intent, registry, policy };
    const most = allowance(given);
    for (const effect of moves) {
      const kept = bridgeFee(effect, given);
      const cap = most > given.policy.maxBridgeFeeBps ? most : given.policy.maxBridgeFeeBps;
      if (kept !== null && kept > cap)
        return fail(`The bridge keeps ${percent(kept)} of what is sent.`, {
          expected: `at most ${percent(cap)}`,
          observed: percent(kept),
          where: effect.places["minimum"] ?? effect.where,
          fix: "Raise the amount that must arrive.",
        });
      for (const fee of effect.fees) {
        const to = asAddress(fee.to);
        const bps = bpsOf(fee, effect);
        if (to === null || (bps !== null && bps <= most)) continue;
        return fail(
          `${short(to)} takes ${bps === null ? "an amount in another asset" : percent(bps)} as a fee.`,
          {
            expected: `at most ${percent(most)}`,
            observed: bps === null ? "a payment in another asset" : percent(bps),
            where: fee.where,
            fix: "Lower the fee, remove it, or name it in the request.",
          },
        );
      }
    }
    return pass(`No fee is larger than ${percent(most)}.`);
  },
});

const percent = (bps: bigint): string => `${Number(bps) / 100} %`;
