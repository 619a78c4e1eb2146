/** Drainers are deployed for one victim, so contracts that are only days old get nothing. */
import { defineNode, fail, pass, short } from "../../node.ts";

const youngest = 3n * 86_400n;

export default defineNode({
  title: "Contracts are not brand new",
  failTitle: "New contract",
  severity: "medium",
  needs: ["reading", "chainState"],
  check({ reading, chainState }) {
    const young = reading.parties.find(({ address }) => {
      const age = chainState.deployedSecondsAgo.get(address);
      return age !== undefined && age < youngest;
    });
    if (young === undefined)
      return pass("No contract involved is younger than three days.", { confidence: 0.9 });
    return fail(`${short(young.address)} (${young.role}) was deployed less than three days ago.`, {
      expected: "contracts older than three days",
      observed: `${(chainState.deployedSecondsAgo.get(young.address) ?? 0n).toString()} seconds old`,
      where: young.where,
      fix: "Wait, or use an established contract.",
    });
  },
});
