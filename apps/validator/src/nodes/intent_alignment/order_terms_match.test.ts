import { aComparison, testNode } from "../../../test/nodes.ts";
import node from "./order_terms_match.ts";

testNode(node, {
  pass: [
    { name: "an order that is filled whole", facts: { "compared.terms": [aComparison({ slot: "terms" })] } },
    {
      name: "what is inferred, with less confidence",
      facts: { "compared.terms": [aComparison({ slot: "terms", confidence: 0.85 })] },
    },
  ],
  fail: [
    {
      name: "no partial fills asked for, partial fills done",
      facts: {
        "compared.terms": [
          aComparison({ slot: "terms" }),
          aComparison({
            slot: "terms",
            outcome: "differs",
            asked: "no partial fills",
            does: "partial fills",
          }),
        ],
      },
      because: "Asked for no partial fills. In the transaction: partial fills.",
    },
  ],
  open: [
    {
      name: "the order does not say",
      facts: {
        "compared.terms": [
          aComparison({
            slot: "terms",
            outcome: "cannot_tell",
            asked: "no partial fills",
            does: "unknown terms",
          }),
        ],
      },
      kind: "not_checked",
      because: "could not be checked",
    },
  ],
  skip: [{ name: "nothing of the kind was compared", missing: "compared.terms" }],
});
