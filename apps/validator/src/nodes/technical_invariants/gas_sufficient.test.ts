import { aProposal, aSimulation, testNode } from "../../../test/nodes.ts";
import node from "./gas_sufficient.ts";

const withLimit = (limit: bigint | null) => {
  const proposal = aProposal();
  return { proposal: { ...proposal, gas: { ...proposal.gas, limit } } };
};

testNode(node, {
  pass: [{ name: "half of the gas is left", facts: withLimit(42_000n) }],
  fail: [
    { name: "all gas is used", facts: withLimit(21_000n), because: "used 21000 of 21000 gas" },
    { name: "hardly any gas is left", facts: withLimit(21_100n), because: "may run out of gas" },
  ],
  skip: [
    { name: "a state that is not proven", missing: "simulation" },
    { name: "no gas limit", facts: withLimit(null), because: "states no gas limit" },
    {
      name: "several calls",
      facts: { ...withLimit(42_000n), simulation: aSimulation({ calls: 2 }) },
      because: "several calls",
    },
  ],
});
