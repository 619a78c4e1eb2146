/** Every leaf that moves value, grants authority, changes control or cannot be read is licensed by the words. */
import { defineNode, fail, pass, skip } from "../../node.ts";

export default defineNode({
  title: "Nothing happens that was not asked for",
  severity: "critical",
  needs: ["entailment", "moves"],
  required: true,
  check({ entailment: { unlicensed, unread }, moves }) {
    if (unread.length > 0 && unlicensed.length > 0)
      return skip("not_understood", "Part of the request was not understood: it may ask for all of this.");
    const [first] = unlicensed;
    if (first === undefined)
      return pass(
        `All ${moves.length} effects that move value, grant authority or change control were asked for.`,
      );
    const more =
      unlicensed.length === 1 ? "" : ` ${unlicensed.length - 1} more effects were not asked for either.`;
    return fail(`The request does not ask for this: ${first.what}.${more}`, {
      expected: "only what was asked for",
      observed: first.what,
      where: first.where,
      evidence: unlicensed.map(({ what, where }) => ({
        kind: "unlicensed",
        ref: `${where.call} ${where.field}`,
        value: what,
      })),
      fix: `Take ${first.where.call} out of the transaction, or ask for it in the words.`,
    });
  },
});
