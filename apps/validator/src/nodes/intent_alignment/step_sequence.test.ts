import { aComparison, testNode } from "../../../test/nodes.ts";
import node from "./step_sequence.ts";

testNode(node, {
  pass: [
    { name: "a swap, then a bridge", facts: { "compared.sequence": [aComparison({ slot: "sequence" })] } },
    {
      name: "what is inferred, with less confidence",
      facts: { "compared.sequence": [aComparison({ slot: "sequence", confidence: 0.85 })] },
    },
  ],
  fail: [
    {
      name: "swap, then bridge asked for, bridge only done",
      facts: {
        "compared.sequence": [
          aComparison({ slot: "sequence" }),
          aComparison({
            slot: "sequence",
            outcome: "differs",
            asked: "swap, then bridge",
            does: "bridge only",
          }),
        ],
      },
      because: "Asked for swap, then bridge. In the transaction: bridge only.",
    },
  ],
  open: [
    {
      name: "a step could not be read",
      facts: {
        "compared.sequence": [
          aComparison({
            slot: "sequence",
            outcome: "cannot_tell",
            asked: "swap, then bridge",
            does: "an unreadable step",
          }),
        ],
      },
      kind: "not_checked",
      because: "could not be checked",
    },
  ],
  skip: [{ name: "nothing of the kind was compared", missing: "compared.sequence" }],
});
