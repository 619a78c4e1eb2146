import { aComparison, testNode } from "../../../test/nodes.ts";
import node from "./deadline_match.ts";

testNode(node, {
  pass: [
    {
      name: "a deadline within the time said",
      facts: { "compared.deadline": [aComparison({ slot: "deadline" })] },
    },
    {
      name: "what is inferred, with less confidence",
      facts: { "compared.deadline": [aComparison({ slot: "deadline", confidence: 0.85 })] },
    },
  ],
  fail: [
    {
      name: "10 minutes asked for, 1 year done",
      facts: {
        "compared.deadline": [
          aComparison({ slot: "deadline" }),
          aComparison({ slot: "deadline", outcome: "differs", asked: "10 minutes", does: "1 year" }),
        ],
      },
      because: "Asked for 10 minutes. In the transaction: 1 year.",
    },
  ],
  open: [
    {
      name: "the bytes carry none",
      facts: {
        "compared.deadline": [
          aComparison({ slot: "deadline", outcome: "cannot_tell", asked: "10 minutes", does: "no deadline" }),
        ],
      },
      kind: "not_checked",
      because: "could not be checked",
    },
  ],
  skip: [{ name: "nothing of the kind was compared", missing: "compared.deadline" }],
});
