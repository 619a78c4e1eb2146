import { aList, bob, testNode } from "../../../test/nodes.ts";
import node from "./sanctioned_protocol.ts";

testNode(node, {
  pass: [{ name: "nothing blocked" }],
  fail: [
    {
      name: "a blocked contract",
      facts: { blockedProtocols: aList([bob]) },
      because: "blocked by the operator",
    },
    {
      name: "a blocked contract on an old list",
      facts: { blockedProtocols: aList([bob], false) },
      because: "blocked by the operator",
    },
  ],
  skip: [
    { name: "the operator blocks nothing", missing: "blockedProtocols" },
    {
      name: "a list that is too old to clear a contract",
      facts: { blockedProtocols: aList([], false) },
      because: "out of date",
    },
  ],
});
