import { aFlow, aSwap, anEffect, testNode, usdcAsset, wethAsset } from "../../../test/nodes.ts";
import node from "./min_out_zero.ts";

testNode(node, {
  pass: [
    { name: "a minimum near the price", facts: { moves: [aSwap()] } },
    {
      name: "an exact return",
      facts: { moves: [aSwap({ terms: { exactOut: true }, gets: [aFlow(wethAsset, 10n ** 18n)] })] },
    },
    {
      name: "a minimum of a token of another chain, which this chain's prices do not value",
      facts: {
        moves: [aSwap({ toChain: 8453, gets: [aFlow(wethAsset, { least: 10n ** 17n, most: 10n ** 18n })] })],
      },
    },
    { name: "a payment", facts: {} },
    {
      name: "a withdrawal, which has no minimum",
      facts: { moves: [anEffect({ act: "withdraw", gets: [] })] },
    },
  ],
  fail: [
    {
      name: "a minimum of zero",
      facts: { moves: [aSwap({ gets: [aFlow(wethAsset, { least: 0n, most: 2n ** 256n - 1n })] })] },
      because: "accepts as little as 0 base units",
    },
    {
      name: "a minimum of one",
      facts: { moves: [aSwap({ gets: [aFlow(wethAsset, { least: 1n, most: 2n ** 256n - 1n })] })] },
      because: "accepts as little as 1 base units",
    },
    {
      name: "a tenth of the price",
      facts: { moves: [aSwap({ gets: [aFlow(wethAsset, { least: 10n ** 17n, most: 2n ** 256n - 1n })] })] },
      because: "in return",
    },
    {
      name: "liquidity removed for whatever comes",
      facts: {
        moves: [anEffect({ act: "remove_liquidity", gets: [aFlow(usdcAsset, 0n), aFlow(wethAsset, 0n)] })],
      },
      because: "accepts as little as 0",
    },
    {
      name: "liquidity added at any ratio",
      facts: {
        moves: [
          anEffect({
            act: "add_liquidity",
            gives: [aFlow(usdcAsset, { least: 0n, most: 5n }), aFlow(wethAsset, { least: 0n, most: 5n })],
          }),
        ],
      },
      because: "accepts as little as 0",
    },
  ],
  skip: [{ name: "nothing moves", missing: "moves" }],
});
