import {
  aStep,
  anApproval,
  anIntent,
  router,
  saying,
  stranger,
  testNode,
  withEffects,
} from "../../../test/nodes.ts";
import node from "./unlimited_approval.ts";

testNode(node, {
  pass: [
    { name: "an allowance of an amount", facts: withEffects(anApproval(stranger, 100n)) },
    { name: "without limit, to a known router", facts: withEffects(anApproval(router, 2n ** 256n - 1n)) },
    {
      name: "unlimited, for a named party, as requested",
      facts: {
        ...withEffects(anApproval(stranger, 2n ** 256n - 1n)),
        ...saying(stranger),
        intent: anIntent({
          steps: [
            aStep({
              acts: ["approve"],
              gives: [{ asset: null, quantity: { kind: "unlimited", span: [0, 4] } }],
            }),
          ],
        }),
      },
    },
  ],
  fail: [
    {
      name: "without limit, to a stranger",
      facts: withEffects(anApproval(stranger, 2n ** 256n - 1n)),
      because: "without limit",
      severity: "critical",
    },
    {
      name: "unlimited as requested, but for an unnamed party",
      facts: {
        ...withEffects(anApproval(stranger, 2n ** 96n - 1n)),
        intent: anIntent({
          steps: [
            aStep({
              acts: ["approve"],
              gives: [{ asset: null, quantity: { kind: "unlimited", span: [0, 4] } }],
            }),
          ],
        }),
      },
      because: "without limit",
      severity: "critical",
    },
  ],
  skip: [{ name: "no allowance", missing: "approvals" }],
});
