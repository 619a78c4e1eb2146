import { aComparison, testNode } from "../../../test/nodes.ts";
import node from "./choice_match.ts";

const choice = { slot: "choice" as const, asked: "a known market" };

testNode(node, {
  pass: [{ name: "a contract in our tables", facts: { "compared.choice": [aComparison(choice)] } }],
  fail: [
    {
      name: "a refund to an unnamed party",
      facts: {
        "compared.choice": [
          aComparison({
            ...choice,
            outcome: "differs",
            asked: "a refund receiver that you named or that is known",
            words: null,
            does: "refund receiver 0x6666666666666666666666666666666666666666",
          }),
        ],
      },
      because: "refund receiver 0x6666666666666666666666666666666666666666",
    },
  ],
  open: [
    {
      name: "a market that the request does not name and no table has",
      facts: {
        "compared.choice": [
          aComparison({ ...choice, outcome: "cannot_tell", words: null, does: "market 0x12" }),
        ],
      },
      kind: "not_checked",
      because: "relies on market 0x12, which the request does not name and which is not in our tables",
    },
  ],
  skip: [{ name: "nothing was picked", missing: "compared.choice" }],
});
