import { aLeaf, aReading, anEffect, calm, stranger, testNode } from "../../../test/nodes.ts";
import node from "./delegatecall_risk.ts";

testNode(node, {
  pass: [
    { name: "a plain call" },
    {
      name: "the batching library of the account’s own makers",
      facts: {
        reading: aReading({ leaves: [aLeaf({ delegatecall: true, to: stranger })] }),
        contracts: { ...calm.contracts, at: () => [{ protocol: "safe", role: "multi_send" }] },
      },
    },
  ],
  fail: [
    {
      name: "unknown code, in an effect",
      facts: { reading: aReading({ effects: [anEffect({ terms: { delegatecall: stranger } })] }) },
      because: "would run as this account",
    },
    {
      name: "unknown code, in a call",
      facts: { reading: aReading({ leaves: [aLeaf({ delegatecall: true, to: stranger })] }) },
      because: "would run as this account",
    },
  ],
});
