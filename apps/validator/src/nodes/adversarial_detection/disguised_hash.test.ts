import { aProposal, testNode } from "../../../test/nodes.ts";
import node from "./disguised_hash.ts";

const signing = (message: string) => ({ proposal: aProposal({ message, calls: [] }) });
const hex = "5a".repeat(32);

testNode(node, {
  pass: [
    { name: "words", facts: signing("I agree to the terms of example.com") },
    { name: "a text of 31 bytes", facts: signing("x".repeat(31)) },
    { name: "a text of 33 bytes", facts: signing("x".repeat(33)) },
  ],
  fail: [
    { name: "a hash in hex", facts: signing(`0x${hex}`), because: "a hash in hex" },
    { name: "a hash without a prefix", facts: signing(hex.toUpperCase()), because: "a hash in hex" },
    {
      name: "a hash with spaces",
      facts: signing(`${hex.slice(0, 20)} ${hex.slice(20)}`),
      because: "a hash in hex",
    },
    { name: "a code of 32 bytes", facts: signing("x".repeat(32)), because: "exactly 32 bytes" },
    { name: "signs of 32 bytes", facts: signing("a b{c]d e".padEnd(32, "~")), because: "exactly 32 bytes" },
    {
      name: "a code of 31 characters and 32 bytes",
      facts: signing(`${"x".repeat(30)}ü`),
      because: "exactly 32 bytes",
    },
  ],
  skip: [
    { name: "no message", because: "No message" },
    { name: "words of 32 bytes", facts: signing("I agree to the terms of example."), because: "32 bytes" },
  ],
});
