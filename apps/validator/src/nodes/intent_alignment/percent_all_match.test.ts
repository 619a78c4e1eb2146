import { aComparison, testNode } from "../../../test/nodes.ts";
import node from "./percent_all_match.ts";

testNode(node, {
  pass: [
    { name: "half of the balance", facts: { "compared.share": [aComparison({ slot: "share" })] } },
    {
      name: "what is inferred, with less confidence",
      facts: { "compared.share": [aComparison({ slot: "share", confidence: 0.85 })] },
    },
  ],
  fail: [
    {
      name: "50 % of your ETH asked for, all ETH done",
      facts: {
        "compared.share": [
          aComparison({ slot: "share" }),
          aComparison({ slot: "share", outcome: "differs", asked: "50 % of your ETH", does: "all ETH" }),
        ],
      },
      because: "Asked for 50 % of your ETH. In the transaction: all ETH.",
    },
  ],
  open: [
    {
      name: "no balance was sent",
      facts: {
        "compared.share": [
          aComparison({
            slot: "share",
            outcome: "cannot_tell",
            asked: "50 % of your ETH",
            does: "1 ETH of an unknown balance",
          }),
        ],
      },
      kind: "not_checked",
      because: "could not be checked",
    },
  ],
  skip: [{ name: "nothing of the kind was compared", missing: "compared.share" }],
});
