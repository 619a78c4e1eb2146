import { testNode } from "../../../test/nodes.ts";
import node from "./state_proven.ts";

testNode(node, {
  pass: [{ name: "a proven state" }],
  fail: [],
  open: [
    {
      name: "a refused state",
      facts: {
        state: {
          status: "refused",
          hash: null,
          why: "The state of the chain is not proven: it lacks a node.",
        },
      },
      kind: "not_checked",
      because: "it lacks a node",
    },
  ],
  skip: [{ name: "no state", missing: "state" }],
});
