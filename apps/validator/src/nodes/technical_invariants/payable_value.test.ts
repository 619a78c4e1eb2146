import { aLeaf, aReading, testNode } from "../../../test/nodes.ts";
import node from "./payable_value.ts";

testNode(node, {
  pass: [
    {
      name: "native token to a function that accepts it",
      facts: { reading: aReading({ leaves: [aLeaf({ value: 5n, function: "deposit" })] }) },
    },
    { name: "native token to an account", facts: { reading: aReading({ leaves: [aLeaf({ value: 5n })] }) } },
  ],
  fail: [
    {
      name: "native token with a token transfer",
      facts: { reading: aReading({ leaves: [aLeaf({ value: 5n, function: "transfer" })] }) },
      because: "does not accept native token",
    },
  ],
});
