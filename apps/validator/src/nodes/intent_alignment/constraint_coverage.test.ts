import { anEntailment, testNode } from "../testing.ts";
import node from "./constraint_coverage.ts";

testNode(node, {
  pass: [{ name: "every word is answered" }],
  fail: [
    {
      name: "a bound nothing satisfies",
      facts: {
        entailment: anEntailment({
          unmet: [
            { text: "not more than 2 ETH", span: [5, 24], why: "nothing in the transaction answers it" },
          ],
        }),
      },
      because: "“not more than 2 ETH” is not satisfied",
    },
  ],
});
