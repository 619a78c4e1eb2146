import { aLeaf, aReading, testNode } from "../../../test/nodes.ts";
import node from "./payable_value.ts";

testNode(node, {
  pass: [
    {
      name: "coin to a function that takes it",
      facts: { reading: aReading({ leaves: [aLeaf({ value: 5n, function: "deposit" })] }) },
    },
    { name: "coin to an account", facts: { reading: aReading({ leaves: [aLeaf({ value: 5n })] }) } },
  ],
  fail: [
    {
      name: "coin with a token transfer",
      facts: { reading: aReading({ leaves: [aLeaf({ value: 5n, function: "transfer" })] }) },
      because: "does not accept coin",
    },
  ],
});
