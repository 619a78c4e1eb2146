import { testNode, withDefect } from "../../../test/nodes.ts";
import node from "./hex_encoding.ts";

testNode(node, {
  pass: [{ name: "a request as it should be" }],
  fail: [
    {
      name: "an odd number of digits",
      facts: withDefect("hex_encoding"),
      because: "expected something else",
    },
  ],
});
