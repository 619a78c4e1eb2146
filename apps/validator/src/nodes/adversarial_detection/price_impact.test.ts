import { aFlow, aStep, aSwap, anIntent, testNode, wethAsset } from "../../../test/nodes.ts";
import node from "./price_impact.ts";

testNode(node, {
  pass: [
    { name: "the market’s price" },
    {
      name: "a loss that the request accepts",
      facts: {
        swaps: [aSwap({ gets: [aFlow(wethAsset, 85n * 10n ** 16n)] })],
        intent: anIntent({ steps: [aStep({ slippageBps: { value: 1500n, span: [0, 4] } })] }),
      },
    },
  ],
  fail: [
    {
      name: "15 % off",
      facts: { swaps: [aSwap({ gets: [aFlow(wethAsset, 85n * 10n ** 16n)] })] },
      because: "15 % less",
      severity: "medium",
    },
    {
      name: "60 % off",
      facts: { swaps: [aSwap({ gets: [aFlow(wethAsset, 4n * 10n ** 17n)] })] },
      because: "60 % less",
      severity: "high",
    },
  ],
  skip: [
    { name: "nothing is exchanged", missing: "swaps" },
    { name: "no prices", missing: "prices" },
    {
      name: "the return arrives on another chain, where the address is another token",
      facts: { swaps: [aSwap({ toChain: 8453, gets: [aFlow(wethAsset, 4n * 10n ** 17n)] })] },
      because: "no price",
    },
    { name: "no price for these two", facts: { usd: () => null }, because: "no price" },
  ],
});
