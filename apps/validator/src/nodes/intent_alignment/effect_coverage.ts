/** The request must license every leaf that moves value, grants authority, changes control or cannot be read. */
import { defineNode, fail, pass, skip } from "../../node.ts";

export default defineNode({
  title: "Does nothing that was not requested",
  failTitle: "Does something you didn’t ask for",
  severity: "critical",
  needs: ["entailment", "moves"],
  required: true,
  check({ entailment: { unlicensed, unread }, moves }) {
    if (unread.length > 0 && unlicensed.length > 0)
      return skip("not_understood", "Part of the request was not understood, so it may ask for all of this.");
    const [first] = unlicensed;
    if (first === undefined)
      return pass(
        `The request asks for all ${moves.length} effects that move value, grant authority or change control.`,
      );
    const more =
      unlicensed.length === 1 ? "" : ` ${unlicensed.length - 1} more effects were not requested either.`;
    return fail(`The request does not ask for this: ${first.what}.${more}`, {
      expected: "only what you asked for",
      observed: first.what,
      where: first.where,
      evidence: unlicensed.map(({ what, where }) => ({
        kind: "unlicensed",
        ref: `${where.call} ${where.field}`,
        value: what,
      })),
      fix: `Remove ${first.where.call} from the transaction, or add it to the request.`,
    });
  },
});
