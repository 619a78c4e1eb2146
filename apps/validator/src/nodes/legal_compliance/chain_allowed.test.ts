import { aPolicy, anEffect, testNode, withEffects } from "../../../test/nodes.ts";
import node from "./chain_allowed.ts";

testNode(node, {
  pass: [{ name: "an allowed chain", facts: { policy: aPolicy({ allowedChains: new Set([1]) }) } }],
  fail: [
    {
      name: "another chain",
      facts: { policy: aPolicy({ allowedChains: new Set([8453]) }) },
      because: "chain 1",
    },
    {
      name: "a bridge to another chain",
      facts: {
        ...withEffects(anEffect({ act: "bridge", toChain: 56 })),
        policy: aPolicy({ allowedChains: new Set([1]) }),
      },
      because: "chain 56",
    },
  ],
  skip: [{ name: "no list of chains", because: "restricts no chain" }],
});
