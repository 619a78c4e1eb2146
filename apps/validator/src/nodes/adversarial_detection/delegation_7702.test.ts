import { anEffect, anEntailment, saying, stranger, testNode, withEffects } from "../../../test/nodes.ts";
import node from "./delegation_7702.ts";

testNode(node, {
  pass: [
    {
      name: "a delegate that the request names",
      facts: {
        ...withEffects(anEffect({ act: "admin", admin: { kind: "delegate_code", party: stranger } })),
        ...saying(stranger),
      },
    },
  ],
  fail: [
    {
      name: "an unknown delegate",
      facts: withEffects(anEffect({ act: "admin", admin: { kind: "delegate_code", party: stranger } })),
      because: "the delegate is unknown",
    },
    {
      name: "on every chain",
      facts: {
        ...withEffects(
          anEffect({
            act: "admin",
            admin: { kind: "delegate_code", party: stranger },
            terms: { anyChain: true },
          }),
        ),
        ...saying(stranger),
      },
      because: "on every chain",
    },
    {
      name: "a delegate that is named, in a request for something else",
      facts: {
        ...withEffects(anEffect({ act: "admin", admin: { kind: "delegate_code", party: stranger } })),
        ...saying(stranger),
        entailment: anEntailment({ licences: [] }),
      },
      because: "the request does not ask for it",
    },
  ],
  skip: [{ name: "no delegation", because: "No delegation" }],
});
