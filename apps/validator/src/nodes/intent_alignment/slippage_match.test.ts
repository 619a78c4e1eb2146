import { aComparison, testNode } from "../../../test/nodes.ts";
import node from "./slippage_match.ts";

testNode(node, {
  pass: [
    {
      name: "a minimum half a percent below the price",
      facts: { "compared.slippage": [aComparison({ slot: "slippage" })] },
    },
    {
      name: "what is inferred, with less confidence",
      facts: { "compared.slippage": [aComparison({ slot: "slippage", confidence: 0.85 })] },
    },
  ],
  fail: [
    {
      name: "0.5 % asked for, 20 % done",
      facts: {
        "compared.slippage": [
          aComparison({ slot: "slippage" }),
          aComparison({ slot: "slippage", outcome: "differs", asked: "0.5 %", does: "20 %" }),
        ],
      },
      because: "Asked for 0.5 %. In the transaction: 20 %.",
    },
  ],
  open: [
    {
      name: "no price was sent",
      facts: {
        "compared.slippage": [
          aComparison({
            slot: "slippage",
            outcome: "cannot_tell",
            asked: "0.5 %",
            does: "an unknown slippage",
          }),
        ],
      },
      kind: "not_checked",
      because: "could not be checked",
    },
  ],
  skip: [{ name: "nothing of the kind was compared", missing: "compared.slippage" }],
});
