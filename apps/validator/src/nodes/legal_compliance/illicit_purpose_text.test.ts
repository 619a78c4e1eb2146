import { aProposal, testNode } from "../../../test/nodes.ts";
import node from "./illicit_purpose_text.ts";

testNode(node, {
  pass: [{ name: "an ordinary payment" }],
  fail: [
    {
      name: "evading sanctions",
      facts: { proposal: aProposal({ words: "Send 1 ETH to Bob so we evade sanctions" }) },
      because: "evade sanction",
    },
    {
      name: "structuring",
      facts: { proposal: aProposal({ words: "Split 50 ETH to stay below the reporting threshold" }) },
      because: "below the reporting",
    },
  ],
});
