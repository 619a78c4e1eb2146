import { aComparison, testNode } from "../../../test/nodes.ts";
import node from "./fair_return.ts";

const worth = { slot: "worth" as const };

testNode(node, {
  pass: [{ name: "the request's own minimum", facts: { "compared.worth": [aComparison(worth)] } }],
  fail: [
    {
      name: "a minimum a hundred times below the price",
      facts: {
        "compared.worth": [
          aComparison({
            ...worth,
            outcome: "differs",
            asked: "at most 5.00 % less than the prices say",
            does: "up to 99.00 % less than the prices say",
          }),
        ],
      },
      because: "up to 99.00 % less",
    },
  ],
  open: [
    {
      name: "a minimum that we cannot show to be fair",
      facts: { "compared.worth": [aComparison({ ...worth, outcome: "cannot_tell" })] },
      kind: "not_checked",
      because: "does not say how much must arrive",
    },
  ],
  skip: [{ name: "nothing is exchanged", missing: "compared.worth" }],
});
