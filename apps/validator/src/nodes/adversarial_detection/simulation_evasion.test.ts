import { aSimulation, testNode } from "../../../test/nodes.ts";
import node from "./simulation_evasion.ts";

testNode(node, {
  pass: [
    { name: "a call that reads nothing of its block" },
    { name: "six variants that agree", facts: { simulation: aSimulation({ variants: 6 }) } },
  ],
  fail: [
    {
      name: "two runs disagree",
      facts: {
        simulation: aSimulation({
          diverged: "with another coinbase (no proposer): native of 0x01: 5 instead of 6",
        }),
      },
      because: "with another coinbase",
    },
  ],
  skip: [
    { name: "no chain node", missing: "state" },
    { name: "a state that is not proven", missing: "simulation" },
  ],
});
