/** If two honest readings differ about money, we choose neither. */
import { defineNode, pass, skip } from "../../node.ts";

export default defineNode({
  title: "Request is unambiguous about money",
  failTitle: "Request is ambiguous about money",
  severity: "high",
  needs: ["entailment", "moves"],
  check({ entailment }) {
    const [first] = entailment.ambiguous;
    if (first === undefined) return pass("The request is clear about money.");
    return skip(
      "not_understood",
      `The request can be read in several ways: ${first.readings.join("; or ")}.`,
      {
        expected: "one meaning",
        observed: first.readings.join(" | "),
        words: first.span,
        evidence: entailment.ambiguous.map(({ readings }) => ({
          kind: "readings",
          ref: "words",
          value: readings.join(" | "),
        })),
        fix: `Say which you mean: ${first.readings.join(", or ")}.`,
      },
    );
  },
});
