import { anExecutedSwap, anIntent, aStep, testNode } from "../../../test/nodes.ts";
import node from "./executed_price.ts";

testNode(node, {
  pass: [
    { name: "a return of 0.4 percent below the feeds" },
    { name: "a return above the feeds", facts: { executedSwap: anExecutedSwap({ lossBps: -20 }) } },
    {
      name: "a loss that the request accepts as slippage",
      facts: {
        executedSwap: anExecutedSwap({ lossBps: 1_500 }),
        intent: anIntent({ steps: [aStep({ slippageBps: { value: 1_500n, span: [0, 1] } })] }),
      },
    },
  ],
  fail: [
    {
      name: "a price impact of 12 percent",
      facts: { executedSwap: anExecutedSwap({ lossBps: 1_200 }) },
      because: "returns 12.0 % less",
      severity: "medium",
    },
    {
      name: "a pool that was drained, although the request accepts its minimum",
      facts: { executedSwap: anExecutedSwap({ lossBps: 6_800, isLimitStated: true }) },
      because: "returns 68.0 % less",
      severity: "high",
    },
  ],
  skip: [
    { name: "no swap was executed", missing: "executedSwap" },
    {
      name: "no feed for one of the assets",
      facts: { executedSwap: anExecutedSwap({ lossBps: null }) },
      because: "No price feed",
    },
  ],
});
