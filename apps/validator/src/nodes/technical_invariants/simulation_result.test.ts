import { testNode, usdc } from "../../../test/nodes.ts";
import node from "./simulation_result.ts";

testNode(node, {
  pass: [
    { name: "a run that changes nothing else" },
    {
      name: "the native token that was to leave",
      facts: {
        simulation: { reverted: null, diverged: null, changes: [{ asset: "native", delta: -(10n ** 17n) }] },
      },
    },
  ],
  fail: [
    {
      name: "a revert",
      facts: { simulation: { reverted: "no allowance", diverged: null, changes: [] } },
      because: "reverted",
    },
    {
      name: "a token leaves that the bytes do not speak of",
      facts: { simulation: { reverted: null, diverged: null, changes: [{ asset: usdc, delta: -5n }] } },
      because: "more than the calldata allows",
    },
  ],
  skip: [{ name: "no chain node", missing: "simulation" }],
});
