import { aPolicy, aSwap, testNode, withEffects } from "../../../test/nodes.ts";
import node from "./asset_allowed.ts";

testNode(node, {
  pass: [
    { name: "an allowed asset", facts: { policy: aPolicy({ allowedAssets: new Set(["ETH", "USDC"]) }) } },
  ],
  fail: [
    {
      name: "an asset that is not allowed",
      facts: { ...withEffects(aSwap()), policy: aPolicy({ allowedAssets: new Set(["USDC"]) }) },
      because: "does not allow WETH",
    },
    {
      name: "a denied asset",
      facts: { ...withEffects(aSwap()), policy: aPolicy({ deniedAssets: new Set(["USDC"]) }) },
      because: "does not allow USDC",
    },
  ],
  skip: [{ name: "no list of assets", because: "restricts no asset" }],
});
