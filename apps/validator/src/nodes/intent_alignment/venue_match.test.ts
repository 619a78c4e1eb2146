import { aComparison, testNode } from "../../../test/nodes.ts";
import node from "./venue_match.ts";

testNode(node, {
  pass: [
    { name: "the router of the venue named", facts: { "compared.venue": [aComparison({ slot: "venue" })] } },
    {
      name: "what is inferred, with less confidence",
      facts: { "compared.venue": [aComparison({ slot: "venue", confidence: 0.85 })] },
    },
  ],
  fail: [
    {
      name: "Uniswap asked for, SushiSwap done",
      facts: {
        "compared.venue": [
          aComparison({ slot: "venue" }),
          aComparison({ slot: "venue", outcome: "differs", asked: "Uniswap", does: "SushiSwap" }),
        ],
      },
      because: "Asked for Uniswap. In the transaction: SushiSwap.",
    },
  ],
  open: [
    {
      name: "the venue is in no table",
      facts: {
        "compared.venue": [
          aComparison({ slot: "venue", outcome: "cannot_tell", asked: "Uniswap", does: "an unknown router" }),
        ],
      },
      kind: "not_checked",
      because: "could not be checked",
    },
  ],
  skip: [{ name: "nothing of the kind was compared", missing: "compared.venue" }],
});
