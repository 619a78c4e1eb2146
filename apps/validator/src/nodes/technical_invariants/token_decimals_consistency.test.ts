import { stranger, testNode, usdc } from "../../../test/nodes.ts";
import node from "./token_decimals_consistency.ts";

testNode(node, {
  pass: [
    { name: "six decimals of USDC" },
    {
      name: "a token in no table",
      facts: { claimedTokens: [{ address: stranger, symbol: "NEW", decimals: 2 }] },
    },
  ],
  fail: [
    {
      name: "eighteen decimals of USDC",
      facts: { claimedTokens: [{ address: usdc, symbol: "USDC", decimals: 18 }] },
      because: "6 decimals; 18 are claimed",
    },
  ],
  skip: [{ name: "no tokens described", missing: "claimedTokens" }],
});
