import { anIntent, testNode, usdc, withContext } from "../../../test/nodes.ts";
import node from "./unicode_hidden.ts";

testNode(node, {
  pass: [
    { name: "plain words" },
    {
      name: "a joiner inside an emoji",
      facts: {
        intent: anIntent({
          unicode: [{ kind: "hidden", said: "U+200B in an amount", span: [5, 8], touchesMoney: false }],
        }),
      },
    },
  ],
  fail: [
    {
      name: "a zero-width space in an amount",
      facts: {
        intent: anIntent({
          unicode: [{ kind: "hidden", said: "U+200B in an amount", span: [5, 8], touchesMoney: true }],
        }),
      },
      because: "invisible characters",
    },
    {
      name: "invisible ASCII anywhere",
      facts: {
        intent: anIntent({
          unicode: [{ kind: "tag", said: "U+200B in an amount", span: [5, 8], touchesMoney: false }],
        }),
      },
      because: "invisible characters",
    },
    {
      name: "a hidden mark in a token’s symbol",
      facts: withContext({ tokens: [{ address: usdc, symbol: "US\u200bDC", decimals: 6 }] }),
      because: "symbol of a token",
    },
  ],
});
