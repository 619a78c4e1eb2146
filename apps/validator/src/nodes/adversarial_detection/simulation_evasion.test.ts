import { testNode } from "../../../test/nodes.ts";
import node from "./simulation_evasion.ts";

testNode(node, {
  pass: [{ name: "two runs agree" }],
  fail: [
    {
      name: "two runs disagree",
      facts: {
        simulation: { reverted: null, diverged: "0.1 ETH more leaves at the next block", changes: [] },
      },
      because: "disagree",
    },
  ],
  skip: [{ name: "no chain node", missing: "simulation" }],
});
