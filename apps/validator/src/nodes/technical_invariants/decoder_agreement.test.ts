import { aLeaf, aReading, testNode } from "../../../test/nodes.ts";
import node from "./decoder_agreement.ts";

testNode(node, {
  pass: [{ name: "both read the same" }],
  fail: [
    {
      name: "two readings of one call",
      facts: {
        reading: aReading({
          leaves: [
            aLeaf({ encoding: [{ kind: "decoders_disagree", bytes: [4, 36], said: "something odd" }] }),
          ],
        }),
      },
      because: "something odd",
    },
  ],
});
