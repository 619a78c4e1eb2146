/** Parts of the money that go to third parties on the way. A small share to whoever routes it is usual; more was not asked for. */
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

/** The share of a fee in bps, against what it is taken from; null where they cannot be compared. */
function bpsOf({ share, asset }: Fee, { gives, gets }: Effect): bigint | null {
  if ("bps" in share) return share.bps;
  const into = gets.find((flow) => sameAsset(flow.asset, asset))?.amount.least;
  const out = gives.find((flow) => sameAsset(flow.asset, asset))?.amount.most;
  // A share of the whole: what arrives is what is left of it.
  const base = into !== undefined && into > 0n ? into + share.most : out;
  return base === undefined || base === 0n ? null : (share.most * 10_000n) / base;
}

/** What the words allow: the share said, or a twentieth where a fee was said without one. */
function allowance({ intent, policy }: Given): bigint {
  const said = intent.steps.flatMap(({ fee }) => (fee === null ? [] : [fee.bps ?? 500n]));
  return [policy.maxFeeBps, ...said].reduce((most, bps) => (bps > most ? bps : most));
}

const tokenOf = ({ asset }: Flow, chain: number, registry: Registry): Token | null =>
  asset.kind === "token" ? registry.token(chain, asset.address) : null;

/** What a bridge keeps, where the same token arrives. */
function bridgeFee({ act, gives, gets, toChain }: Effect, { registry, proposal }: Given): bigint | null {
  const [out] = gives;
  const [into] = gets;
  if (act !== "bridge" || out === undefined || into === undefined || out.amount.most === 0n) return null;
  const here = tokenOf(out, proposal.chain.id, registry);
  const there = tokenOf(into, toChain ?? proposal.chain.id, registry);
  // The same token there may count with other decimals, and then the units say nothing.
  const isSame = here !== null && here.symbol === there?.symbol && here.decimals === there.decimals;
  if (!(isSame || sameAsset(out.asset, into.asset)) || into.amount.least >= out.amount.most) return null;
  return ((out.amount.most - into.amount.least) * 10_000n) / out.amount.most;
}

export default defineNode({
  title: "Nobody takes more than a small fee",
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
        return fail(`${short(to)} is paid ${bps === null ? "an amount besides" : percent(bps)} on the way.`, {
          expected: `at most ${percent(most)}`,
          observed: bps === null ? "a payment in another asset" : percent(bps),
          where: fee.where,
          fix: "Lower the fee, take it out, or name it in the words.",
        });
      }
    }
    return pass(`Nobody takes more than ${percent(most)} on the way.`);
  },
});

const percent = (bps: bigint): string => `${Number(bps) / 100} %`;
