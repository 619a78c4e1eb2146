/** A trade that can be executed long after it was meant is executed when the price has moved. */
import { defineNode, fail, pass } from "../../node.ts";

export default defineNode({
  title: "Trades end in good time",
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
        return fail(`The deadline passed ${(-left).toString()} seconds ago, so this can only fail.`, {
          ...seen,
          expected: `later than ${proposal.now.toString()}`,
          fix: "Set a deadline some minutes from now.",
          // Without the caller’s clock, this machine’s may be the one that is wrong.
          severity: toldNow ? "high" : "medium",
          confidence: toldNow ? 1 : 0.7,
        });
      // A deadline somebody named is compared with the words instead.
      if (left > most && !isSaid)
        return fail(`This can still be executed in ${days(left)}, at whatever price suits somebody else.`, {
          ...seen,
          expected: `at most ${most.toString()} seconds from now`,
          fix: "Set a deadline some minutes from now.",
          severity: left > most * 10n ? "high" : "medium",
          confidence: toldNow ? 1 : 0.7,
        });
    }
    return pass("Everything whose price can move ends in good time or carries no deadline of its own.");
  },
});

const days = (seconds: bigint): string =>
  seconds > 3_153_600_000n ? "over a hundred years" : `${(seconds / 86_400n).toString()} days`;
