import { aLeaf, aReading, aStep, anIntent, testNode } from "../../../test/nodes.ts";
import node from "./trailing_data.ts";

testNode(node, {
  pass: [
    { name: "nothing behind the arguments" },
    {
      name: "a builder’s mark",
      facts: {
        reading: aReading({
          leaves: [aLeaf({ encoding: [{ kind: "trailing_tag", bytes: [4, 36], said: "something odd" }] })],
        }),
      },
    },
    {
      name: "a commission that the request mentions",
      facts: {
        ...{
          reading: aReading({
            leaves: [aLeaf({ encoding: [{ kind: "trailing_fee", bytes: [4, 36], said: "something odd" }] })],
          }),
        },
        intent: anIntent({ steps: [aStep({ fee: { bps: 50n, to: null, span: [0, 4] } })] }),
      },
    },
  ],
  fail: [
    {
      name: "an address behind the arguments",
      facts: {
        reading: aReading({
          leaves: [aLeaf({ encoding: [{ kind: "trailing_fee", bytes: [4, 36], said: "something odd" }] })],
        }),
      },
      because: "something odd",
    },
    {
      name: "bytes nothing explains",
      facts: {
        reading: aReading({
          leaves: [
            aLeaf({ encoding: [{ kind: "trailing_unexplained", bytes: [4, 36], said: "something odd" }] }),
          ],
        }),
      },
      because: "something odd",
    },
  ],
});
