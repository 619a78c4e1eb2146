import { aComparison, testNode } from "../../../test/nodes.ts";
import node from "./ens_contact_match.ts";

testNode(node, {
  pass: [
    { name: "the address the caller resolved", facts: { "compared.name": [aComparison({ slot: "name" })] } },
    {
      name: "what is inferred, with less confidence",
      facts: { "compared.name": [aComparison({ slot: "name", confidence: 0.85 })] },
    },
  ],
  fail: [
    {
      name: "bob.eth asked for, 0xbad done",
      facts: {
        "compared.name": [
          aComparison({ slot: "name" }),
          aComparison({ slot: "name", outcome: "differs", asked: "bob.eth", does: "0xbad" }),
        ],
      },
      because: "Asked for bob.eth. In the transaction: 0xbad.",
    },
  ],
  open: [
    {
      name: "the name was not resolved",
      facts: {
        "compared.name": [
          aComparison({
            slot: "name",
            outcome: "cannot_tell",
            asked: "bob.eth",
            does: "0xb0b, for an unresolved name",
          }),
        ],
      },
      kind: "not_checked",
      because: "could not be checked",
    },
  ],
  skip: [{ name: "nothing of the kind was compared", missing: "compared.name" }],
});
