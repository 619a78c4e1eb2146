import { aComparison, testNode } from "../../../test/nodes.ts";
import node from "./recipient_match.ts";

testNode(node, {
  pass: [
    {
      name: "the address in the request",
      facts: { "compared.recipient": [aComparison({ slot: "recipient" })] },
    },
    {
      name: "what is inferred, with less confidence",
      facts: { "compared.recipient": [aComparison({ slot: "recipient", confidence: 0.85 })] },
    },
  ],
  fail: [
    {
      name: "0xb0b asked for, 0xbad done",
      facts: {
        "compared.recipient": [
          aComparison({ slot: "recipient" }),
          aComparison({ slot: "recipient", outcome: "differs", asked: "0xb0b", does: "0xbad" }),
        ],
      },
      because: "Asked for 0xb0b. In the transaction: 0xbad.",
    },
  ],
  open: [
    {
      name: "the request names no recipient",
      facts: {
        "compared.recipient": [
          aComparison({
            slot: "recipient",
            outcome: "cannot_tell",
            asked: "0xb0b",
            does: "an unnamed address",
          }),
        ],
      },
      kind: "not_checked",
      because: "could not be checked",
    },
  ],
  skip: [{ name: "nothing of the kind was compared", missing: "compared.recipient" }],
});
