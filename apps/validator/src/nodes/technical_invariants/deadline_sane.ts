/** A trade that can be executed much later is executed after the price has moved. */
import { defineNode, fail, pass } from "../../node.ts";

export default defineNode({
  title: "Deadline is reasonable",
  failTitle: "Unsafe deadline",
  severity: "medium",
  needs: ["proposal", "intent", "market", "policy", "toldNow"],
  check({ proposal, intent, market, policy, toldNow }) {
    const isSaid = intent.steps.some(({ deadline }) => deadline !== null);
    for (const { deadline, terms, places, where } of market) {
      if (deadline === null) continue;
      const most = terms.order === true ? policy.maxOrderSeconds : policy.maxSwapSeconds;
      const left = deadline - proposal.now;
      const seen = { observed: deadline.toString(), where: places["deadline"] ?? where };
      if (left < 0n)
        return fail(`The deadline passed ${(-left).toString()} seconds ago, so the transaction would fail.`, {
          ...seen,
          expected: `later than ${proposal.now.toString()}`,
          fix: "Set a deadline a few minutes from now.",
          // Without the caller’s clock, ours may be the wrong one.
          severity: toldNow ? "high" : "medium",
          confidence: toldNow ? 1 : 0.7,
        });
      // A requested deadline is compared with the request instead.
      if (left > most && !isSaid)
        return fail(`This stays valid for ${days(left)}, so it can be executed at a worse price.`, {
          ...seen,
          expected: `at most ${most.toString()} seconds from now`,
          fix: "Set a deadline a few minutes from now.",
          severity: left > most * 10n ? "high" : "medium",
          confidence: toldNow ? 1 : 0.7,
        });
    }
    return pass("Every trade has a reasonable deadline or none of its own.");
  },
});

const days = (seconds: bigint): string =>
  seconds > 3_153_600_000n ? "more than a hundred years" : `${(seconds / 86_400n).toString()} days`;
