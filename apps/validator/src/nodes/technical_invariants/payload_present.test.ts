import { aProposal, testNode, withDefect } from "../../../test/nodes.ts";
import node from "./payload_present.ts";

testNode(node, {
  pass: [{ name: "a call" }],
  fail: [
    { name: "an empty request", facts: { proposal: aProposal({ calls: [] }) }, because: "nothing to sign" },
    {
      name: "a request the reader gave up on",
      facts: withDefect("payload_present"),
      because: "expected something else",
    },
  ],
});
