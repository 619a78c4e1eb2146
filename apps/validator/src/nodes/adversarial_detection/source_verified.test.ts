import { aContractRecord, aStranger, contractsAre, stranger, testNode } from "../../../test/nodes.ts";
import type { ContractRecord } from "../../facts.ts";
import node from "./source_verified.ts";

const verified = (verification: ContractRecord["verification"]) =>
  contractsAre({ [stranger]: aContractRecord({ verification }) });

testNode(node, {
  pass: [
    { name: "an exact match", facts: { contractData: verified("exact") } },
    { name: "a match without metadata", facts: { contractData: verified("partial") } },
  ],
  fail: [{ name: "no source", facts: { contractData: verified("none") }, because: "no verified source" }],
  skip: [
    { name: "every contract is known", missing: "strangers" },
    { name: "no data about contracts", missing: "contractData" },
    { name: "no data about this contract", facts: { contractData: contractsAre({}) }, because: "No file" },
    { name: "only a name", facts: { contractData: verified(null) }, because: "No file" },
    {
      name: "a contract that may be a proxy",
      facts: { contractData: verified("exact"), strangers: [aStranger({ isExecuted: false })] },
      because: "not executed",
    },
  ],
});
