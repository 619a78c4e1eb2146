import { anIntent, testNode } from "../../../test/nodes.ts";
import node from "./intent_parsable.ts";

testNode(node, {
  pass: [{ name: "one step", facts: {} }],
  fail: [],
  open: [
    {
      name: "nothing to do is named",
      facts: { intent: anIntent({ steps: [], notARequest: "it names no action" }) },
      kind: "not_understood",
      because: "names no known action",
    },
    {
      name: "no action is found",
      facts: { intent: anIntent({ steps: [] }) },
      kind: "not_understood",
      because: "names no known action",
    },
    {
      name: "an unsupported language",
      facts: { intent: anIntent({ steps: [], language: "unknown" }) },
      kind: "not_understood",
      because: "not supported",
    },
  ],
  skip: [
    { name: "nothing moves", missing: "moves" },
    {
      name: "it is no request at all",
      facts: { intent: anIntent({ steps: [], notARequest: "it is empty" }) },
      because: "not a request",
    },
  ],
});
