/** One good call among several, to carry the bad one: what was asked for is there, and something else with it. */
import { defineNode, fail, pass, skip } from "../../node.ts";

export default defineNode({
  title: "No call hides behind another",
  severity: "critical",
  needs: ["reading", "moves", "entailment"],
  check({ reading, moves, entailment: { unlicensed } }) {
    if (reading.effects.length < 2 && moves.length < 2)
      return skip("not_applicable", "There is a single effect, with nothing to hide behind.");
    const [first] = unlicensed;
    if (first === undefined || unlicensed.length >= moves.length)
      return pass("Nothing stands beside what was asked for.");
    return fail(`Beside what was asked for stands ${first.what}.`, {
      expected: "only what was asked for",
      observed: first.what,
      where: first.where,
      fix: `Take ${first.where.call} out of the transaction.`,
    });
  },
});
