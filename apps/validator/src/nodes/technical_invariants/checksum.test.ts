import { bob, saying, testNode, withDefect } from "../../../test/nodes.ts";
import node from "./checksum.ts";

testNode(node, {
  pass: [
    {
      name: "the right capitals",
      facts: { wordsAddresses: [{ address: bob, text: bob, span: [0, 42], checksum: "right" }] },
    },
  ],
  fail: [
    {
      name: "wrong capitals in the transaction",
      facts: withDefect("checksum"),
      because: "expected something else",
    },
    {
      name: "a wrong checksum in the request",
      facts: { wordsAddresses: [{ address: bob, text: bob, span: [0, 42], checksum: "wrong" }] },
      because: "has a wrong checksum",
    },
  ],
  skip: [{ name: "no address carries a checksum", facts: saying(bob), because: "No address in the request" }],
});
