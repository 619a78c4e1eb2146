import { aProposal, aSwap, testNode } from "../../../test/nodes.ts";
import node from "./urgency_social.ts";

testNode(node, {
  pass: [
    { name: "a plain payment" },
    {
      name: "urgency with a swap",
      facts: { proposal: aProposal({ words: "urgent: swap 1 ETH" }), moves: [aSwap()] },
    },
  ],
  fail: [
    {
      name: "a prize with a payment",
      facts: { proposal: aProposal({ words: "Claim your airdrop: send 0.1 ETH" }) },
      because: "claim your airdrop",
    },
  ],
  skip: [{ name: "nothing moves", missing: "moves" }],
});
