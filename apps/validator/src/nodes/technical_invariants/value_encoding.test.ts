import { testNode, withDefect } from "../../../test/nodes.ts";
import node from "./value_encoding.ts";

testNode(node, {
  pass: [{ name: "a request as it should be" }],
  fail: [
    { name: "a negative value", facts: withDefect("value_encoding"), because: "expected something else" },
  ],
});
