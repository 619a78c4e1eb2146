import { anIntent, testNode } from "../../../test/nodes.ts";
import node from "./homoglyph.ts";

testNode(node, {
  pass: [
    { name: "plain words" },
    {
      name: "another script away from money",
      facts: {
        intent: anIntent({
          unicode: [{ kind: "homoglyph", said: "U+200B in an amount", span: [5, 8], touchesMoney: false }],
        }),
      },
    },
  ],
  fail: [
    {
      name: "a Cyrillic letter in a symbol",
      facts: {
        intent: anIntent({
          unicode: [{ kind: "homoglyph", said: "U+200B in an amount", span: [5, 8], touchesMoney: true }],
        }),
      },
      because: "look-alike letters",
    },
  ],
});
