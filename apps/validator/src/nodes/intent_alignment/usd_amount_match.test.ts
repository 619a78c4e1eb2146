import { aComparison, testNode } from "../../../test/nodes.ts";
import node from "./usd_amount_match.ts";

testNode(node, {
  pass: [
    { name: "what 500 dollars are worth", facts: { "compared.usd": [aComparison({ slot: "usd" })] } },
    {
      name: "what is inferred, with less confidence",
      facts: { "compared.usd": [aComparison({ slot: "usd", confidence: 0.85 })] },
    },
  ],
  fail: [
    {
      name: "500 USD of ETH asked for, 5000 USD of ETH done",
      facts: {
        "compared.usd": [
          aComparison({ slot: "usd" }),
          aComparison({ slot: "usd", outcome: "differs", asked: "500 USD of ETH", does: "5000 USD of ETH" }),
        ],
      },
      because: "Asked for 500 USD of ETH. In the transaction: 5000 USD of ETH.",
    },
  ],
  open: [
    {
      name: "no price was sent",
      facts: {
        "compared.usd": [
          aComparison({
            slot: "usd",
            outcome: "cannot_tell",
            asked: "500 USD of ETH",
            does: "1 ETH without a price",
          }),
        ],
      },
      kind: "not_checked",
      because: "could not be checked",
    },
  ],
  skip: [{ name: "nothing of the kind was compared", missing: "compared.usd" }],
});
