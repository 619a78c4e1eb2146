import { testNode, usdc } from "../../../test/nodes.ts";
import node from "./balance_allowance.ts";

testNode(node, {
  pass: [
    { name: "a tenth of what is held" },
    { name: "no balance of that token", facts: { balances: new Map([[usdc, 5n]]) } },
  ],
  fail: [
    {
      name: "more than is held",
      facts: { balances: new Map([["native" as const, 5n]]) },
      because: "the account holds 5",
    },
  ],
  skip: [{ name: "no balances", missing: "balances" }],
});
