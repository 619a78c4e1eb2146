import { aPolicy, testNode } from "../../../test/nodes.ts";
import node from "./amount_policy.ts";

testNode(node, {
  pass: [
    {
      name: "under both caps",
      facts: {
        policy: aPolicy({
          maxUsdPerTransaction: 1000,
          maxUnitsPerTransaction: new Map([["ETH", 10n ** 18n]]),
        }),
      },
    },
    {
      name: "under the only cap",
      facts: { policy: aPolicy({ maxUnitsPerTransaction: new Map([["ETH", 10n ** 18n]]) }) },
    },
  ],
  fail: [
    {
      name: "too many dollars",
      facts: { policy: aPolicy({ maxUsdPerTransaction: 100 }) },
      because: "About 300 dollars",
    },
    {
      name: "too many units",
      facts: { policy: aPolicy({ maxUnitsPerTransaction: new Map([["ETH", 5n]]) }) },
      because: "the operator’s limit is 5",
    },
  ],
  skip: [
    { name: "no caps", because: "sets no amount limit" },
    {
      name: "no price",
      facts: { policy: aPolicy({ maxUsdPerTransaction: 100 }), usd: () => null },
      because: "price is missing",
    },
  ],
});
