import { aComparison, testNode } from "../../../test/nodes.ts";
import node from "./amount_out_match.ts";

testNode(node, {
  pass: [
    {
      name: "the requested minimum",
      facts: { "compared.amount_out": [aComparison({ slot: "amount_out" })] },
    },
    {
      name: "what is inferred, with less confidence",
      facts: { "compared.amount_out": [aComparison({ slot: "amount_out", confidence: 0.85 })] },
    },
  ],
  fail: [
    {
      name: "at least 4000 USDT asked for, at least 0 USDT done",
      facts: {
        "compared.amount_out": [
          aComparison({ slot: "amount_out" }),
          aComparison({
            slot: "amount_out",
            outcome: "differs",
            asked: "at least 4000 USDT",
            does: "at least 0 USDT",
          }),
        ],
      },
      because: "Asked for at least 4000 USDT. In the transaction: at least 0 USDT.",
    },
  ],
  open: [
    {
      name: "no minimum is in the bytes",
      facts: {
        "compared.amount_out": [
          aComparison({
            slot: "amount_out",
            outcome: "cannot_tell",
            asked: "at least 4000 USDT",
            does: "an unknown minimum",
          }),
        ],
      },
      kind: "not_checked",
      because: "could not be checked",
    },
  ],
  skip: [{ name: "nothing of the kind was compared", missing: "compared.amount_out" }],
});
