import { aPolicy, aSwap, testNode, withEffects } from "../../../test/nodes.ts";
import node from "./jurisdiction_policy.ts";

testNode(node, {
  pass: [
    { name: "no rule there" },
    {
      name: "a rule for elsewhere",
      facts: {
        policy: aPolicy({
          jurisdictions: [{ jurisdiction: "US", deniedActs: ["transfer"], deniedAssets: [] }],
        }),
      },
    },
  ],
  fail: [
    {
      name: "a forbidden act",
      facts: {
        policy: aPolicy({
          jurisdictions: [{ jurisdiction: "de", deniedActs: ["transfer"], deniedAssets: [] }],
        }),
      },
      because: "transfer in DE",
    },
    {
      name: "a forbidden asset",
      facts: {
        ...withEffects(aSwap()),
        policy: aPolicy({ jurisdictions: [{ jurisdiction: "DE", deniedActs: [], deniedAssets: ["weth"] }] }),
      },
      because: "WETH in DE",
    },
  ],
  skip: [{ name: "no jurisdiction told", missing: "jurisdiction" }],
});
