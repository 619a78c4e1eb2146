import { crc32 } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isWellFormedKey, keyFromBytes, makeKey, recognisable } from "./key-format.ts";

test("a key names its type and has the form that secret scanners recognise", () => {
  expect(makeKey("admin", "test")).toMatch(/^cs_admin_test_[0-9A-Za-z]{49}$/);
  expect(isWellFormedKey(makeKey("user", "live"))).toBe(true);
});

test.each([
  ["user", "live", "00".repeat(32), "cs_user_live_00000000000000000000000000000000000000000000xeogf"],
  ["orion", "test", "ff".repeat(32), "cs_orion_test_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp13gbohE"],
  [
    ...(["admin", "live"] as const),
    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
    "cs_admin_live_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf3CcHi7",
  ],
] as const)("the same bytes give the same %s %s key in every release", (type, environment, bytes, key) => {
  expect(keyFromBytes(type, environment, Buffer.from(bytes, "hex"))).toBe(key);
  expect(isWellFormedKey(key)).toBe(true);
});

test.each([
  ["a character before it", (key: string) => `x${key}`],
  ["a line feed after it", (key: string) => `${key}\n`],
  ["another type", (key: string) => key.replace("cs_user_", "cs_usex_")],
  ["another environment", (key: string) => key.replace("_live_", "_love_")],
])("a key with %s is malformed", (_, change) => {
  expect(isWellFormedKey(change(makeKey("user", "live")))).toBe(false);
});

test("a random key uses every character equally often", () => {
  const counts = new Map<string, number>();
  for (let round = 0; round < 5000; round++)
    for (const character of makeKey("user", "live").slice("cs_user_live_".length, -6))
      counts.set(character, (counts.get(character) ?? 0) + 1);
  // 215,000 draws from 62 characters. Seven standard deviations: one failure in 10 billion runs.
  const expected = 215_000 / 62;
  const tolerance = 7 * Math.sqrt(expected);
  expect(counts.size).toBe(62);
  for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(tolerance);
});

/** Appends the matching checksum to any text. */
function withChecksum(text: string): string {
  const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const digitAt = (place: number) => alphabet.charAt(Math.floor(crc32(text) / 62 ** place) % 62);
  return text + [5, 4, 3, 2, 1, 0].map(digitAt).join("");
}

test("a valid checksum does not make a key of another form well-formed", () => {
  const secret = "a".repeat(43);
  expect(isWellFormedKey(withChecksum(`cs_user_live_${secret}`))).toBe(true);
  for (const text of [
    `xcs_user_live_${secret}`,
    `cs_user_live_${secret}a`,
    `cs_user_live_${secret.slice(1)}`,
  ])
    expect(isWellFormedKey(withChecksum(text))).toBe(false);
});

test("no two keys are equal", () => {
  expect(new Set(Array.from({ length: 1000 }, () => makeKey("user", "live"))).size).toBe(1000);
});

test("changing any one character makes a key malformed", () => {
  const key = makeKey("user", "live");
  fc.assert(
    fc.property(fc.nat(key.length - 1), fc.constantFrom("0", "A", "z", "_"), (place, character) => {
      const altered = key.slice(0, place) + character + key.slice(place + 1);
      expect(isWellFormedKey(altered)).toBe(altered === key);
    }),
  );
});

test("other text is malformed", () => {
  fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => !isWellFormedKey(text)));
});

test("the recognisable part of a key does not reveal the key", () => {
  const key = makeKey("user", "live");
  const { prefix, last4 } = recognisable(key);
  expect(prefix).toMatch(/^cs_user_live_.{4}$/);
  expect(prefix.length + last4.length).toBeLessThan(key.length - 40);
  expect([key.startsWith(prefix), key.endsWith(last4), last4.length]).toEqual([true, true, 4]);
});

test("a key derived from bytes has the same form, and other bytes give another key", () => {
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      const [key, another] = [one, other].map((from) => keyFromBytes("user", "test", Buffer.from(from)));
      expect(isWellFormedKey(key ?? "")).toBe(true);
      expect(key === another).toBe(Buffer.from(one).equals(other));
    }),
  );
  expect(keyFromBytes("user", "test", Buffer.alloc(32, 255))).toMatch(/^cs_user_test_[0-9A-Za-z]{49}$/);
  for (const length of [31, 33])
    expect(() => keyFromBytes("user", "test", Buffer.alloc(length))).toThrow("32 bytes");
});
