/** Every hard word is answered: no number, asset, address, venue, bound, negation or condition is passed over. */
import { defineNode, fail, pass, quoted } from "../../node.ts";

export default defineNode({
  title: "Nothing that was said is ignored",
  severity: "high",
  needs: ["entailment"],
  required: true,
  check({ entailment: { unmet } }) {
    const [first] = unmet;
    if (first === undefined)
      return pass("Every number, asset, party, venue, bound and condition is accounted for.");
    const more = unmet.length === 1 ? "" : ` ${unmet.length - 1} more of the words are unanswered.`;
    return fail(`${quoted(first.text)} is not satisfied: ${first.why}.${more}`, {
      expected: quoted(first.text),
      observed: first.why,
      words: first.span,
      evidence: unmet.map(({ text, why }) => ({
        kind: "unmet",
        ref: "words",
        value: `${quoted(text)}: ${why}`,
      })),
      fix: `Propose a transaction that satisfies ${quoted(first.text)}, or take it out of the request.`,
    });
  },
});
