import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanText } from "./clean-text.ts";

test("removes invisible characters and turns whitespace into spaces", () => {
  const tag = String.fromCodePoint(0xe0041);
  expect(cleanText(`Se\u200bnd\u202e 1\n\u00adETH${tag}\u2028now\ue123\u3164`).text).toBe("Send 1 ETH now");
});

test("masks long runs of hex and keeps addresses", () => {
  const address = `0x${"ab".repeat(20)}`;
  expect(cleanText(`to ${address} key 0x${"cd".repeat(32)}`).text).toBe(
    `to ${address} key 0x${"#".repeat(64)}`,
  );
});

test("maps a position back to the original", () => {
  const words = "Se\u200bnd 😀 1\u2060 ETH";
  const { text, originOf } = cleanText(words);
  const at = text.indexOf("ETH");
  const [from, to] = originOf([at, at + 3]);
  expect(words.slice(from, to)).toBe("ETH");
});

test("maps every position into the original, and is idempotent", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(50), fc.nat(50), (words, a, b) => {
      const { text, originOf } = cleanText(words);
      expect(cleanText(text).text).toBe(text);
      const [from, to] = [Math.min(a, b, text.length), Math.min(Math.max(a, b), text.length)];
      const [start, end] = originOf([from, to]);
      expect(start).toBeGreaterThanOrEqual(0);
      expect(end).toBeLessThanOrEqual(words.length);
    }),
  );
});
