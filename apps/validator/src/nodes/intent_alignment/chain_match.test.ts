import { aComparison, testNode } from "../../../test/nodes.ts";
import node from "./chain_match.ts";

testNode(node, {
  pass: [
    { name: "the chain of the request", facts: { "compared.chain": [aComparison({ slot: "chain" })] } },
    {
      name: "what is inferred, with less confidence",
      facts: { "compared.chain": [aComparison({ slot: "chain", confidence: 0.85 })] },
    },
  ],
  fail: [
    {
      name: "Base asked for, Ethereum done",
      facts: {
        "compared.chain": [
          aComparison({ slot: "chain" }),
          aComparison({ slot: "chain", outcome: "differs", asked: "Base", does: "Ethereum" }),
        ],
      },
      because: "Asked for Base. In the transaction: Ethereum.",
    },
  ],
  open: [
    {
      name: "the caller did not say the chain",
      facts: {
        "compared.chain": [
          aComparison({ slot: "chain", outcome: "cannot_tell", asked: "Base", does: "an unknown chain" }),
        ],
      },
      kind: "not_checked",
      because: "could not be checked",
    },
  ],
  skip: [{ name: "nothing of the kind was compared", missing: "compared.chain" }],
});
