import { anEntailment, testNode } from "../../../test/nodes.ts";
import node from "./intent_unambiguous.ts";

testNode(node, {
  pass: [{ name: "one meaning" }],
  fail: [],
  open: [
    {
      name: "a number of two readings",
      facts: {
        entailment: anEntailment({
          ambiguous: [{ said: "1.000 USDC", readings: ["1 USDC", "1000 USDC"], span: [5, 15] }],
        }),
      },
      kind: "not_understood",
      because: "1 USDC; or 1000 USDC",
    },
  ],
  skip: [{ name: "nothing moves", missing: "moves" }],
});
