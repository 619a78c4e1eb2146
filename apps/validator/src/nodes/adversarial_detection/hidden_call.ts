/** One good call among several, to carry the bad one: what was asked for is there, and something else with it. */
import { defineNode, fail, pass, skip } from "../../node.ts";

export default defineNode({
  title: "No call hides behind another",
  severity: "critical",
  needs: ["reading", "moves", "entailment"],
  check({ reading, moves, entailment: { unlicensed, unread } }) {
    if (unread.length > 0 && unlicensed.length > 0)
      return skip("not_applicable", "Part of the request was not understood: it may ask for all of this.");
    if (reading.effects.length < 2 && moves.length < 2)
      return skip("not_applicable", "There is a single effect, with nothing to hide behind.");
    const [first] = unlicensed;
    if (first === undefined || unlicensed.length >= moves.length)
      return pass("The transaction does nothing besides what was asked for.");
    return fail(`The transaction does what was asked, and also this: ${first.what}.`, {
      expected: "only what was asked for",
      observed: first.what,
      where: first.where,
      fix: `Take ${first.where.call} out of the transaction.`,
    });
  },
});
