import { aComparison, testNode } from "../../../test/nodes.ts";
import node from "./direction_match.ts";

testNode(node, {
  pass: [
    {
      name: "buying when buying was asked",
      facts: { "compared.direction": [aComparison({ slot: "direction" })] },
    },
    {
      name: "what is inferred, with less confidence",
      facts: { "compared.direction": [aComparison({ slot: "direction", confidence: 0.85 })] },
    },
  ],
  fail: [
    {
      name: "buy ETH asked for, sell ETH done",
      facts: {
        "compared.direction": [
          aComparison({ slot: "direction" }),
          aComparison({ slot: "direction", outcome: "differs", asked: "buy ETH", does: "sell ETH" }),
        ],
      },
      because: "Asked for buy ETH. In the transaction: sell ETH.",
    },
  ],
  open: [
    {
      name: "the request does not say which side",
      facts: {
        "compared.direction": [
          aComparison({
            slot: "direction",
            outcome: "cannot_tell",
            asked: "buy ETH",
            does: "an exchange without sides",
          }),
        ],
      },
      kind: "not_checked",
      because: "could not be checked",
    },
  ],
  skip: [{ name: "nothing of the kind was compared", missing: "compared.direction" }],
});
