import { anEntailment, testNode } from "../../../test/nodes.ts";
import node from "./effect_coverage.ts";

testNode(node, {
  pass: [{ name: "every effect was asked for" }],
  fail: [
    {
      name: "a second transfer in the batch",
      facts: {
        entailment: anEntailment({
          unlicensed: [
            {
              effect: 1,
              what: "a transfer of 5 ETH to 0xbad",
              where: { call: "proposed_tx.transactions[1]", field: "value" },
            },
          ],
        }),
      },
      because: "The request does not ask for this: a transfer of 5 ETH to 0xbad.",
    },
  ],
  skip: [{ name: "nothing moves", missing: "moves" }],
});
