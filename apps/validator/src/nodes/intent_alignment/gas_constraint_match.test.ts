import { aComparison, testNode } from "../../../test/nodes.ts";
import node from "./gas_constraint_match.ts";

testNode(node, {
  pass: [
    { name: "a fee below the limit", facts: { "compared.gas": [aComparison({ slot: "gas" })] } },
    {
      name: "what is inferred, with less confidence",
      facts: { "compared.gas": [aComparison({ slot: "gas", confidence: 0.85 })] },
    },
  ],
  fail: [
    {
      name: "8 gwei asked for, 80 gwei done",
      facts: {
        "compared.gas": [
          aComparison({ slot: "gas" }),
          aComparison({ slot: "gas", outcome: "differs", asked: "8 gwei", does: "80 gwei" }),
        ],
      },
      because: "Asked for 8 gwei. In the transaction: 80 gwei.",
    },
  ],
  open: [
    {
      name: "the caller sent no gas fields",
      facts: {
        "compared.gas": [
          aComparison({ slot: "gas", outcome: "cannot_tell", asked: "8 gwei", does: "an unknown fee" }),
        ],
      },
      kind: "not_checked",
      because: "could not be checked",
    },
  ],
  skip: [{ name: "nothing of the kind was compared", missing: "compared.gas" }],
});
