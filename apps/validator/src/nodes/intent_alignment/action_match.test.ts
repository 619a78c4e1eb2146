import { aComparison, testNode } from "../../../test/nodes.ts";
import node from "./action_match.ts";

testNode(node, {
  pass: [
    { name: "a transfer for “send”", facts: { "compared.action": [aComparison({ slot: "action" })] } },
    {
      name: "what is inferred, with less confidence",
      facts: { "compared.action": [aComparison({ slot: "action", confidence: 0.85 })] },
    },
  ],
  fail: [
    {
      name: "stake asked for, transfer done",
      facts: {
        "compared.action": [
          aComparison({ slot: "action" }),
          aComparison({ slot: "action", outcome: "differs", asked: "stake", does: "transfer" }),
        ],
      },
      because: "Asked for stake. In the transaction: transfer.",
    },
  ],
  open: [
    {
      name: "a verb without a meaning at that venue",
      facts: {
        "compared.action": [
          aComparison({ slot: "action", outcome: "cannot_tell", asked: "stake", does: "an unknown action" }),
        ],
      },
      kind: "not_checked",
      because: "could not be checked",
    },
  ],
  skip: [{ name: "nothing of the kind was compared", missing: "compared.action" }],
});
