import { aReading, testNode } from "../../../test/nodes.ts";
import node from "./unroll_limits.ts";

testNode(node, {
  pass: [{ name: "a single call" }],
  fail: [
    {
      name: "nine levels of calls",
      facts: { reading: aReading({ limit: "deeper than 8 levels" }) },
      because: "deeper than 8 levels",
    },
  ],
});
