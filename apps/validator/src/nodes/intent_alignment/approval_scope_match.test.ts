import { aComparison, testNode } from "../../../test/nodes.ts";
import node from "./approval_scope_match.ts";

testNode(node, {
  pass: [
    { name: "an allowance of the amount", facts: { "compared.scope": [aComparison({ slot: "scope" })] } },
    {
      name: "what is inferred, with less confidence",
      facts: { "compared.scope": [aComparison({ slot: "scope", confidence: 0.85 })] },
    },
  ],
  fail: [
    {
      name: "100 USDC asked for, any amount of USDC done",
      facts: {
        "compared.scope": [
          aComparison({ slot: "scope" }),
          aComparison({ slot: "scope", outcome: "differs", asked: "100 USDC", does: "any amount of USDC" }),
        ],
      },
      because: "Asked for 100 USDC. In the transaction: any amount of USDC.",
    },
  ],
  open: [
    {
      name: "the request does not say how much",
      facts: {
        "compared.scope": [
          aComparison({
            slot: "scope",
            outcome: "cannot_tell",
            asked: "100 USDC",
            does: "an allowance without an amount",
          }),
        ],
      },
      kind: "not_checked",
      because: "could not be checked",
    },
  ],
  skip: [{ name: "nothing of the kind was compared", missing: "compared.scope" }],
});
