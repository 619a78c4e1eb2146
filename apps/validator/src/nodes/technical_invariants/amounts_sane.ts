/** Amounts that no honest builder writes: zero, or more than exists. */
import { defineNode, fail, faultOn, pass, type Severity } from "../../node.ts";
import type { Effect } from "../../facts.ts";

const impossible = 2n ** 255n;
const spends = new Set(["transfer", "swap", "wrap", "supply", "repay", "stake", "bridge", "add_liquidity"]);

type Fault = { readonly said: string; readonly severity: Severity };

function faultOf(effect: Effect): Fault | null {
  const { act, gives } = effect;
  const said = faultOn(effect, "amount");
  if (said !== null) return said;
  const tokens = gives.filter(({ asset }) => asset.kind !== "nft");
  if (spends.has(act) && tokens.length > 0 && tokens.every(({ amount }) => amount.most === 0n))
    return { said: "the amount is zero", severity: "medium" };
  const isHuge = tokens.some(
    ({ amount }) => amount.everything !== true && amount.least === amount.most && amount.most >= impossible,
  );
  return spends.has(act) && isHuge ? { said: "the amount is more than exists", severity: "high" } : null;
}

export default defineNode({
  title: "Amounts are possible",
  failTitle: "Impossible amount",
  severity: "medium",
  needs: ["moves"],
  check({ moves }) {
    for (const effect of moves) {
      const fault = faultOf(effect);
      if (fault !== null)
        return fail(
          `The amounts of ${effect.function === "" ? effect.act : effect.function} are impossible: ${fault.said}.`,
          {
            expected: "possible amounts above zero",
            observed: fault.said,
            where: effect.gives[0]?.where ?? effect.where,
            severity: fault.severity,
            fix: "Build the call again with the requested amount.",
          },
        );
    }
    return pass("Every amount is above zero and possible.");
  },
});
