import { aComparison, testNode } from "../../../test/nodes.ts";
import node from "./asset_out_match.ts";

testNode(node, {
  pass: [
    {
      name: "the token that was named",
      facts: { "compared.asset_out": [aComparison({ slot: "asset_out" })] },
    },
    {
      name: "what is inferred, with less confidence",
      facts: { "compared.asset_out": [aComparison({ slot: "asset_out", confidence: 0.85 })] },
    },
  ],
  fail: [
    {
      name: "USDT asked for, a fake USDT done",
      facts: {
        "compared.asset_out": [
          aComparison({ slot: "asset_out" }),
          aComparison({ slot: "asset_out", outcome: "differs", asked: "USDT", does: "a fake USDT" }),
        ],
      },
      because: "Asked for USDT. In the transaction: a fake USDT.",
    },
  ],
  open: [
    {
      name: "the bytes do not say what arrives",
      facts: {
        "compared.asset_out": [
          aComparison({
            slot: "asset_out",
            outcome: "cannot_tell",
            asked: "USDT",
            does: "an asset that the transaction does not name",
          }),
        ],
      },
      kind: "not_checked",
      because: "could not be checked",
    },
  ],
  skip: [{ name: "nothing of the kind was compared", missing: "compared.asset_out" }],
});
