import { anEntailment, testNode } from "../../../test/nodes.ts";
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
      because: "“not more than 2 ETH” is not met",
    },
  ],
  open: [
    {
      name: "a number that no slot took",
      facts: {
        entailment: anEntailment({
          unread: [{ text: "42", span: [5, 7], why: "we could not tell what this refers to" }],
        }),
      },
      kind: "not_understood",
      because: "We did not understand “42”",
    },
  ],
});
