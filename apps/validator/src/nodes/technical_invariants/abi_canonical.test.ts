import { aLeaf, aReading, testNode } from "../../../test/nodes.ts";
import node from "./abi_canonical.ts";

testNode(node, {
  pass: [
    { name: "bytes as encoders write them" },
    {
      name: "a tag behind them",
      facts: {
        reading: aReading({
          leaves: [aLeaf({ encoding: [{ kind: "trailing_tag", bytes: [4, 36], said: "something odd" }] })],
        }),
      },
    },
  ],
  fail: [
    {
      name: "dirty bits in an address",
      facts: {
        reading: aReading({
          leaves: [aLeaf({ encoding: [{ kind: "dirty_bits", bytes: [4, 36], said: "something odd" }] })],
        }),
      },
      because: "something odd",
    },
    {
      name: "arguments cut short",
      facts: {
        reading: aReading({
          leaves: [aLeaf({ encoding: [{ kind: "truncated", bytes: [4, 36], said: "something odd" }] })],
        }),
      },
      because: "something odd",
    },
  ],
});
