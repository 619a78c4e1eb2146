import { anExecutedSwap, anIntent, aStep, testNode } from "../../../test/nodes.ts";
import node from "./sandwich_room.ts";

const slippage = (value: bigint) => ({
  intent: anIntent({ steps: [aStep({ slippageBps: { value, span: [0, 1] } })] }),
});

testNode(node, {
  pass: [
    { name: "a minimum of one percent below the return" },
    {
      name: "a return below the minimum by rounding",
      facts: { executedSwap: anExecutedSwap({ roomBps: -1 }) },
    },
    {
      name: "a minimum far below the return that the request states",
      facts: { executedSwap: anExecutedSwap({ roomBps: 9_000, isLimitStated: true }) },
    },
    {
      name: "the slippage that the request states",
      facts: { executedSwap: anExecutedSwap({ roomBps: 900 }), ...slippage(900n) },
    },
  ],
  fail: [
    {
      name: "a minimum of 6 percent below the return",
      facts: { executedSwap: anExecutedSwap({ roomBps: 600 }) },
      because: "accepts 6.0 % less",
      severity: "medium",
    },
    {
      name: "a minimum of half the return",
      facts: { executedSwap: anExecutedSwap({ roomBps: 5_000 }) },
      because: "accepts 50.0 % less",
      severity: "high",
    },
    {
      name: "more than the slippage that the request states",
      facts: { executedSwap: anExecutedSwap({ roomBps: 200 }), ...slippage(100n) },
      because: "accepts 2.0 % less",
      severity: "medium",
    },
  ],
  skip: [{ name: "no swap was executed", missing: "executedSwap" }],
});
