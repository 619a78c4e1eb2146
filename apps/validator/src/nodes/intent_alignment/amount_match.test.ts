import { aComparison, testNode } from "../../../test/nodes.ts";
import node from "./amount_match.ts";

testNode(node, {
  pass: [
    { name: "the exact amount", facts: { "compared.amount": [aComparison({ slot: "amount" })] } },
    {
      name: "what is inferred, with less confidence",
      facts: { "compared.amount": [aComparison({ slot: "amount", confidence: 0.85 })] },
    },
  ],
  fail: [
    {
      name: "100 USDC asked for, 1000 USDC done",
      facts: {
        "compared.amount": [
          aComparison({ slot: "amount" }),
          aComparison({ slot: "amount", outcome: "differs", asked: "100 USDC", does: "1000 USDC" }),
        ],
      },
      because: "Asked for 100 USDC. In the transaction: 1000 USDC.",
    },
  ],
  open: [
    {
      name: "the request names no number",
      facts: {
        "compared.amount": [
          aComparison({ slot: "amount", outcome: "cannot_tell", asked: "100 USDC", does: "any amount" }),
        ],
      },
      kind: "not_checked",
      because: "could not be checked",
    },
  ],
  skip: [{ name: "nothing of the kind was compared", missing: "compared.amount" }],
});
