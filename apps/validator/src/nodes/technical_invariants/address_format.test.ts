import { anApproval, anEffect, saying, testNode, withDefect, withEffects } from "../../../test/nodes.ts";
import node from "./address_format.ts";

testNode(node, {
  pass: [
    { name: "a payment to a valid address" },
    {
      name: "a burn that was asked for",
      facts: {
        ...withEffects(anEffect({ receiver: "0x0000000000000000000000000000000000000000" })),
        ...saying("0x0000000000000000000000000000000000000000"),
      },
    },
  ],
  fail: [
    { name: "nineteen bytes", facts: withDefect("address_format"), because: "expected something else" },
    {
      name: "a payment to the zero address",
      facts: withEffects(anEffect({ receiver: "0x0000000000000000000000000000000000000000" })),
      because: "No one controls it",
    },
    {
      name: "an allowance for a precompile",
      facts: withEffects(anApproval("0x0000000000000000000000000000000000000004", 5n)),
      because: "The spender is",
    },
  ],
});
