import { aComparison, testNode } from "../../../test/nodes.ts";
import node from "./dest_chain_match.ts";

testNode(node, {
  pass: [
    { name: "the chain that was named", facts: { "compared.to_chain": [aComparison({ slot: "to_chain" })] } },
    {
      name: "what is inferred, with less confidence",
      facts: { "compared.to_chain": [aComparison({ slot: "to_chain", confidence: 0.85 })] },
    },
  ],
  fail: [
    {
      name: "Arbitrum asked for, Base done",
      facts: {
        "compared.to_chain": [
          aComparison({ slot: "to_chain" }),
          aComparison({ slot: "to_chain", outcome: "differs", asked: "Arbitrum", does: "Base" }),
        ],
      },
      because: "Asked for Arbitrum. In the transaction: Base.",
    },
  ],
  open: [
    {
      name: "the destination is in no table",
      facts: {
        "compared.to_chain": [
          aComparison({
            slot: "to_chain",
            outcome: "cannot_tell",
            asked: "Arbitrum",
            does: "an unknown chain",
          }),
        ],
      },
      kind: "not_checked",
      because: "could not be checked",
    },
  ],
  skip: [{ name: "nothing of the kind was compared", missing: "compared.to_chain" }],
});
