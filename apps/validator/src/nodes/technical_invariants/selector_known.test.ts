import { aLeaf, aReading, stranger, testNode, usdc } from "../../../test/nodes.ts";
import node from "./selector_known.ts";

testNode(node, {
  pass: [
    {
      name: "a function of the token",
      facts: {
        reading: aReading({ leaves: [aLeaf({ to: usdc, data: "0xa9059cbb", function: "transfer" })] }),
      },
    },
    {
      name: "an unknown contract, which others refuse",
      facts: { reading: aReading({ leaves: [aLeaf({ to: stranger, data: "0xdeadbeef" })] }) },
    },
  ],
  fail: [],
  open: [
    {
      name: "an unknown function of a token",
      facts: { reading: aReading({ leaves: [aLeaf({ to: usdc, data: "0xdeadbeef" })] }) },
      kind: "not_checked",
      because: "not its function 0xdeadbeef",
    },
  ],
});
