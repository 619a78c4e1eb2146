/** Drainers are deployed for one victim, so contracts that are only days old get nothing. */
import { defineNode, fail, pass, short, skip } from "../../node.ts";

const youngest = 3n * 86_400n;

export default defineNode({
  title: "Contracts are not brand new",
  failTitle: "New contract",
  severity: "medium",
  needs: ["strangers", "contractData", "proposal"],
  check({ strangers, contractData, proposal }) {
    const all = strangers.map((one) => ({ ...one, record: contractData.at(proposal.chain.id, one.address) }));
    for (const { address, role, where, record } of all) {
      const age = record?.deployedSecondsAgo ?? youngest;
      if (age < youngest)
        return fail(`${short(address)} (${role}) was deployed less than three days ago.`, {
          expected: "contracts older than three days",
          observed: `${age.toString()} seconds old`,
          where,
          fix: "Wait, or use an established contract.",
        });
    }
    const unknown = all.find(({ record }) => (record?.atLeastSecondsOld ?? 0n) < youngest);
    if (unknown !== undefined)
      return skip("missing_context", `No file says that ${short(unknown.address)} is older than three days.`);
    const unexecuted = all.find(({ isExecuted }) => !isExecuted);
    if (unexecuted !== undefined)
      return skip(
        "missing_context",
        `${short(unexecuted.address)} was not executed on a proven state, so an implementation behind it is not known.`,
      );
    return pass("No unknown contract is younger than three days, also behind proxies.", { confidence: 0.9 });
  },
});
