import { aContractRecord, aStranger, contractsAre, stranger, testNode } from "../../../test/nodes.ts";
import node from "./contract_freshness.ts";

const day = 86_400n;
const aged = (deployedSecondsAgo: bigint | null, atLeastSecondsOld = deployedSecondsAgo) =>
  contractsAre({ [stranger]: aContractRecord({ deployedSecondsAgo, atLeastSecondsOld }) });

testNode(node, {
  pass: [
    { name: "nothing new", facts: { contractData: aged(3n * day) } },
    { name: "known to exist for longer", facts: { contractData: aged(null, 9n * day) } },
  ],
  fail: [
    {
      name: "deployed an hour ago",
      facts: { contractData: aged(3600n) },
      because: "less than three days",
    },
    {
      name: "a new implementation behind an old proxy",
      facts: {
        contractData: aged(3600n),
        strangers: [aStranger({ role: "implementation" })],
      },
      because: "(implementation) was deployed less than three days",
    },
  ],
  skip: [
    { name: "every contract is known", missing: "strangers" },
    { name: "no data about contracts", missing: "contractData" },
    { name: "no data about this contract", facts: { contractData: contractsAre({}) }, because: "No file" },
    { name: "an age that is not known", facts: { contractData: aged(null, day) }, because: "No file" },
    {
      name: "a contract that may be a proxy",
      facts: { contractData: aged(9n * day), strangers: [aStranger({ isExecuted: false })] },
      because: "not executed",
    },
  ],
});
