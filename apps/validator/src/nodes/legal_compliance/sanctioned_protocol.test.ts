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
  ],
  skip: [{ name: "the operator blocks nothing", missing: "blockedProtocols" }],
});
