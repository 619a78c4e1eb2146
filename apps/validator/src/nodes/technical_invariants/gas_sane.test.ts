import type { Gas } from "../../facts.ts";
import { aProposal, testNode, withDefect } from "../../../test/nodes.ts";
import node from "./gas_sane.ts";

const none: Gas = { limit: null, price: null, maxFee: null, priorityFee: null };
const paying = (gas: Partial<Gas>) => ({ proposal: { ...aProposal(), gas: { ...none, ...gas } } });

testNode(node, {
  pass: [{ name: "what a payment costs", facts: paying({ limit: 100_000n }) }],
  fail: [
    {
      name: "a limit that is no number",
      facts: withDefect("gas_sane"),
      because: "expected something else",
      severity: "high",
    },
    {
      name: "less than the bytes cost",
      facts: paying({ limit: 20_000n }),
      because: "intrinsic gas",
    },
    {
      name: "more than a block allows",
      facts: paying({ limit: 50_000_000n }),
      because: "more than a block allows",
    },
    {
      name: "a tip above the fee",
      facts: paying({ maxFee: 1n, priorityFee: 2n }),
      because: "higher than the maximum fee",
    },
  ],
  skip: [],
});
