import { aSwap, testNode, usdc, weth } from "../../../test/nodes.ts";
import { routeFault } from "../../effects.ts";
import node from "./path_sane.ts";

testNode(node, {
  pass: [{ name: "from USDC to WETH", facts: { market: [aSwap({ terms: { path: [usdc, weth] } })] } }],
  fail: [
    {
      name: "back to where it began",
      facts: { market: [aSwap({ terms: { path: [usdc, weth, usdc] } })] },
      because: "ends at the token it starts with",
      severity: "high",
    },
    {
      name: "a token to itself",
      facts: {
        market: [
          aSwap({ terms: { path: [usdc, weth, weth, "0x57a9e12345678901234567890123456789012345"] } }),
        ],
      },
      because: "from a token to itself",
      severity: "medium",
    },
    {
      name: "an impossible pool",
      facts: { market: [aSwap({ terms: { faults: [routeFault("the pool id is zero")] } })] },
      because: "the pool id is zero",
      severity: "high",
    },
  ],
  skip: [{ name: "nothing that has a price", missing: "market" }],
});
