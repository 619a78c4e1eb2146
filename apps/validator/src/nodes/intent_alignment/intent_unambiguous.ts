/** Two honest readings that differ about money are not one request. None is guessed. */
import { defineNode, pass, skip } from "../../node.ts";

export default defineNode({
  title: "The words have one meaning where money is concerned",
  severity: "high",
  needs: ["entailment", "moves"],
  check({ entailment }) {
    const [first] = entailment.ambiguous;
    if (first === undefined) return pass("Nothing about money can be read in two ways.");
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
        fix: `Say which is meant: ${first.readings.join(", or ")}.`,
      },
    );
  },
});
