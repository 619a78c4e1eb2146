import { anIntent, testNode } from "../../../test/nodes.ts";
import node from "./intent_present.ts";

testNode(node, {
  pass: [{ name: "a request" }],
  fail: [],
  open: [
    {
      name: "a greeting with a payment",
      facts: { intent: anIntent({ steps: [], notARequest: "a greeting" }) },
      kind: "not_understood",
      because: "a greeting",
    },
  ],
  skip: [],
});
