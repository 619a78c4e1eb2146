import { bob, calm, testNode } from "../../../test/nodes.ts";
import node from "./contract_freshness.ts";

testNode(node, {
  pass: [{ name: "nothing new" }],
  fail: [
    {
      name: "deployed an hour ago",
      facts: { chainState: { ...calm.chainState, deployedSecondsAgo: new Map([[bob, 3600n]]) } },
      because: "less than three days",
    },
  ],
  skip: [{ name: "no chain node", missing: "chainState" }],
});
