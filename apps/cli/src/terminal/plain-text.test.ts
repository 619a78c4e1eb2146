import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonText, plainLine, plainText } from "./plain-text.ts";

// Ranges of characters that control a terminal or mislead a reader.
const acting: readonly (readonly [number, number])[] = [
  ...([
    [0x00, 0x1f],
    [0x7f, 0x9f],
    [0xad, 0xad],
    [0x61c, 0x61c],
    [0x115f, 0x1160],
    [0x200b, 0x200f],
  ] as const),
  ...([
    [0x2028, 0x202e],
    [0x2060, 0x206f],
    [0x3164, 0x3164],
    [0xd800, 0xdfff],
    [0xfe00, 0xfe0f],
  ] as const),
  ...([
    [0xfeff, 0xfeff],
    [0xe0000, 0xe01ef],
  ] as const),
];
const actingIn = (text: string): readonly string[] =>
  Array.from(text).filter((one) => {
    const code = one.codePointAt(0) ?? 0;
    return acting.some(([from, to]) => code >= from && code <= to);
  });

const character = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  fc.integer({ min: 0, max: 0x9f }).map((code) => String.fromCharCode(code)),
  fc.constantFrom(
    "\u001B[2J",
    "\u001B]8;;http://x\u0007",
    "\u202E",
    "\u200B",
    "\u2066",
    "\uFEFF",
    "\u009B31m",
  ),
  fc.constantFrom("\uD800", "\u{E0041}", "\uFE0F", "\u3164", "\r", "\n", "\t"),
);
const hostile = fc.array(character).map((parts) => parts.join(""));

test("plainLine removes control characters", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(actingIn(plainLine(text))).toEqual([]);
      expect(plainLine(text).isWellFormed()).toBe(true);
    }),
  );
});

test("plainText keeps only line breaks", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      for (const line of plainText(text).split("\n")) expect(actingIn(line)).toEqual([]);
    }),
  );
});

test("both functions are idempotent", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(plainLine(plainLine(text))).toBe(plainLine(text));
      expect(plainText(plainText(text))).toBe(plainText(text));
    }),
  );
});

test("plainLine keeps text in any language", () => {
  for (const text of ["Send 0.5 ETH to Zoë", "支付一百", "заплати", "ادفع", "→ ✓ 🎉"])
    expect(plainLine(text)).toBe(text);
});

test("plainLine shows hidden characters instead of dropping them", () => {
  expect(plainLine("pay\u202Eecila\u200B")).toBe("pay<U+202E>ecila<U+200B>");
  expect(plainLine("\u001B[31mred")).toBe("<U+001B>[31mred");
});

test("jsonText keeps the data and escapes control characters", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), hostile), (value) => {
      for (const space of [undefined, 2]) {
        const text = jsonText(value, space);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(actingIn(text.replaceAll("\n", ""))).toEqual([]);
      }
    }),
  );
});

test("jsonText writes amounts as decimal strings", () => {
  expect(jsonText({ value: 10n ** 30n })).toBe('{"value":"1000000000000000000000000000000"}');
});
