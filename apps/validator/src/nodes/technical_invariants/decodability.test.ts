import { aReading, anEffect, testNode } from "../../../test/nodes.ts";
import node from "./decodability.ts";

testNode(node, {
  pass: [{ name: "a call that was read" }],
  fail: [],
  open: [
    {
      name: "bytes of unknown meaning",
      facts: { moves: [anEffect({ act: "opaque", knowledge: "none" })] },
      kind: "not_checked",
      because: "could not read",
    },
    {
      name: "a reading that stopped early",
      facts: { reading: aReading({ limit: "more than 256 calls" }) },
      kind: "not_checked",
      because: "more than 256 calls",
    },
  ],
  skip: [{ name: "nothing moves", missing: "moves" }],
});
