import { anEffect, anEntailment, testNode, withEffects } from "../../../test/nodes.ts";
import node from "./hidden_call.ts";

testNode(node, {
  pass: [
    { name: "two effects, both asked for", facts: withEffects(anEffect(), anEffect()) },
    {
      name: "nothing asked for at all, so nothing to hide behind",
      facts: {
        ...withEffects(anEffect(), anEffect()),
        entailment: anEntailment({
          unlicensed: [0, 1].map((effect) => ({
            effect,
            what: "a transfer",
            where: { call: "proposed_tx", field: "value" },
          })),
        }),
      },
    },
  ],
  fail: [
    {
      name: "one asked for, one not",
      facts: {
        ...withEffects(anEffect(), anEffect()),
        entailment: anEntailment({
          unlicensed: [
            {
              effect: 1,
              what: "a transfer of 5 ETH",
              where: { call: "proposed_tx.transactions[1]", field: "value" },
            },
          ],
        }),
      },
      because: "also this: a transfer of 5 ETH",
    },
  ],
  skip: [
    { name: "nothing moves", missing: "moves" },
    { name: "a only one effect", because: "only one effect" },
  ],
});
