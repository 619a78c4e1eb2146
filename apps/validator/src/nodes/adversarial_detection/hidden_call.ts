/** Good calls that hide a bad one: the transaction does what was requested, and something else. */
import { defineNode, fail, pass, skip } from "../../node.ts";

export default defineNode({
  title: "No call hides behind another",
  failTitle: "A call is hidden behind another",
  severity: "critical",
  needs: ["reading", "moves", "entailment"],
  check({ reading, moves, entailment: { unlicensed, unread } }) {
    if (unread.length > 0 && unlicensed.length > 0)
      return skip("not_applicable", "Part of the request was not understood, so it may ask for all of this.");
    if (reading.effects.length < 2 && moves.length < 2)
      return skip("not_applicable", "There is only one effect.");
    const [first] = unlicensed;
    if (first === undefined || unlicensed.length >= moves.length)
      return pass("The transaction does only what was requested.");
    return fail(`The transaction does what was requested, and also this: ${first.what}.`, {
      expected: "only what you asked for",
      observed: first.what,
      where: first.where,
      fix: `Remove ${first.where.call} from the transaction.`,
    });
  },
});
