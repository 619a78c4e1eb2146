import { aFlow, anEffect, stranger, testNode, withEffects } from "../../../test/nodes.ts";
import node from "./token_impersonation.ts";

testNode(node, {
  pass: [
    { name: "the real token" },
    {
      name: "a false token that is not touched",
      facts: { claimedTokens: [{ address: stranger, symbol: "USDC", decimals: 6 }] },
    },
    {
      name: "an unknown token with a symbol of its own",
      facts: {
        ...withEffects(anEffect({ gives: [aFlow({ kind: "token", address: stranger }, 5n)] })),
        claimedTokens: [{ address: stranger, symbol: "NEWCOIN", decimals: 6 }],
      },
    },
  ],
  fail: [
    {
      name: "a false USDC",
      facts: {
        ...withEffects(anEffect({ gives: [aFlow({ kind: "token", address: stranger }, 5n)] })),
        claimedTokens: [{ address: stranger, symbol: "USDC", decimals: 6 }],
      },
      because: "calls itself “USDC”",
    },
    {
      name: "a USDC with a Cyrillic letter",
      facts: {
        ...withEffects(anEffect({ gives: [aFlow({ kind: "token", address: stranger }, 5n)] })),
        claimedTokens: [{ address: stranger, symbol: "USDС", decimals: 6 }],
      },
      because: "calls itself",
    },
  ],
  skip: [{ name: "no tokens described", missing: "claimedTokens" }],
});
