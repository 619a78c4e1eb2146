import { anEffect, anEntailment, stranger, testNode, withEffects } from "../../../test/nodes.ts";
import node from "./admin_takeover.ts";

testNode(node, {
  pass: [
    { name: "no change of control" },
    {
      name: "a change that was asked for",
      facts: withEffects(anEffect({ act: "admin", admin: { kind: "transfer_ownership", party: stranger } })),
    },
  ],
  fail: [
    {
      name: "a new owner that was not requested",
      facts: {
        ...withEffects(
          anEffect({
            act: "admin",
            function: "transferOwnership",
            admin: { kind: "transfer_ownership", party: stranger },
          }),
        ),
        entailment: anEntailment({ licences: [] }),
      },
      because: `in favour of ${stranger}`,
    },
  ],
});
