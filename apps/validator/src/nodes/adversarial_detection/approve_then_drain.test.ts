import {
  aSwap,
  anApproval,
  anEntailment,
  router,
  stranger,
  testNode,
  withEffects,
} from "../../../test/nodes.ts";
import node from "./approve_then_drain.ts";

testNode(node, {
  pass: [
    { name: "an allowance for the swap that follows", facts: withEffects(anApproval(router, 100n), aSwap()) },
  ],
  fail: [
    {
      name: "the swap pays a third party",
      facts: {
        ...withEffects(anApproval(router, 100n), aSwap({ receiver: stranger })),
        entailment: anEntailment({
          unlicensed: [{ effect: 1, what: "a swap", where: { call: "proposed_tx", field: "data" } }],
        }),
      },
      because: "gets an approval and is then called to pay",
    },
  ],
  skip: [{ name: "no allowance", missing: "approvals" }],
});
