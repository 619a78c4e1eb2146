import { anIntent, testNode } from "../testing.ts";
import node from "./intent_parsable.ts";

testNode(node, {
  pass: [{ name: "one step", facts: {} }],
  fail: [
    {
      name: "nothing to do is named",
      facts: { intent: anIntent({ steps: [], notARequest: "it names nothing to do" }) },
      because: "no action",
    },
    {
      name: "no action is found",
      facts: { intent: anIntent({ steps: [] }) },
      because: "no action was found",
    },
    {
      name: "a language nobody reads here",
      facts: { intent: anIntent({ steps: [], language: "unknown" }) },
      because: "not supported",
    },
  ],
  skip: [
    { name: "nothing moves", missing: "moves" },
    {
      name: "it is no request at all",
      facts: { intent: anIntent({ steps: [], notARequest: "it is empty" }) },
      because: "no request",
    },
  ],
});
