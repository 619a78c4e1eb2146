import { aComparison, testNode } from "../../../test/nodes.ts";
import node from "./spender_match.ts";

testNode(node, {
  pass: [
    {
      name: "the router of the swap that follows",
      facts: { "compared.spender": [aComparison({ slot: "spender" })] },
    },
    {
      name: "what is inferred, with less confidence",
      facts: { "compared.spender": [aComparison({ slot: "spender", confidence: 0.85 })] },
    },
  ],
  fail: [
    {
      name: "Uniswap asked for, 0xbad done",
      facts: {
        "compared.spender": [
          aComparison({ slot: "spender" }),
          aComparison({ slot: "spender", outcome: "differs", asked: "Uniswap", does: "0xbad" }),
        ],
      },
      because: "Asked for Uniswap. In the transaction: 0xbad.",
    },
  ],
  open: [
    {
      name: "no spender was named",
      facts: {
        "compared.spender": [
          aComparison({
            slot: "spender",
            outcome: "cannot_tell",
            asked: "Uniswap",
            does: "an unknown spender",
          }),
        ],
      },
      kind: "not_checked",
      because: "could not be checked",
    },
  ],
  skip: [{ name: "nothing of the kind was compared", missing: "compared.spender" }],
});
