import { aComparison, testNode } from "../../../test/nodes.ts";
import node from "./limit_price_match.ts";

testNode(node, {
  pass: [
    {
      name: "a ratio at the limit",
      facts: { "compared.limit_price": [aComparison({ slot: "limit_price" })] },
    },
    {
      name: "what is inferred, with less confidence",
      facts: { "compared.limit_price": [aComparison({ slot: "limit_price", confidence: 0.85 })] },
    },
  ],
  fail: [
    {
      name: "2500 USDC per ETH asked for, 25 USDC per ETH done",
      facts: {
        "compared.limit_price": [
          aComparison({ slot: "limit_price" }),
          aComparison({
            slot: "limit_price",
            outcome: "differs",
            asked: "2500 USDC per ETH",
            does: "25 USDC per ETH",
          }),
        ],
      },
      because: "Asked for 2500 USDC per ETH. In the transaction: 25 USDC per ETH.",
    },
  ],
  open: [
    {
      name: "the bytes carry no minimum",
      facts: {
        "compared.limit_price": [
          aComparison({
            slot: "limit_price",
            outcome: "cannot_tell",
            asked: "2500 USDC per ETH",
            does: "an unknown price",
          }),
        ],
      },
      kind: "not_checked",
      because: "could not be checked",
    },
  ],
  skip: [{ name: "nothing of the kind was compared", missing: "compared.limit_price" }],
});
