import { aComparison, testNode } from "../../../test/nodes.ts";
import node from "./asset_in_match.ts";

testNode(node, {
  pass: [
    { name: "the token that was named", facts: { "compared.asset_in": [aComparison({ slot: "asset_in" })] } },
    {
      name: "what is inferred, with less confidence",
      facts: { "compared.asset_in": [aComparison({ slot: "asset_in", confidence: 0.85 })] },
    },
  ],
  fail: [
    {
      name: "USDC asked for, an unknown token done",
      facts: {
        "compared.asset_in": [
          aComparison({ slot: "asset_in" }),
          aComparison({ slot: "asset_in", outcome: "differs", asked: "USDC", does: "an unknown token" }),
        ],
      },
      because: "Asked for USDC. In the transaction: an unknown token.",
    },
  ],
  open: [
    {
      name: "the symbol is in no table",
      facts: {
        "compared.asset_in": [
          aComparison({
            slot: "asset_in",
            outcome: "cannot_tell",
            asked: "USDC",
            does: "a token of an unknown symbol",
          }),
        ],
      },
      kind: "not_checked",
      because: "could not be checked",
    },
  ],
  skip: [{ name: "nothing of the kind was compared", missing: "compared.asset_in" }],
});
