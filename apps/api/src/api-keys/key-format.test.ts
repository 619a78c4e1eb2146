import fc from "fast-check";
import { expect, test } from "vitest";
import { isWellFormedKey, keyFromBytes, makeKey, recognisable } from "./key-format.ts";

test("a key says what it is for, and is of the form that scanners look for", () => {
  expect(makeKey("admin", "test")).toMatch(/^cs_admin_test_[0-9A-Za-z]{49}$/);
  expect(isWellFormedKey(makeKey("user", "live"))).toBe(true);
});

test("no two keys are alike", () => {
  expect(new Set(Array.from({ length: 1000 }, () => makeKey("user", "live"))).size).toBe(1000);
});

test("a key with any one character changed is not well formed", () => {
  const key = makeKey("user", "live");
  fc.assert(
    fc.property(fc.nat(key.length - 1), fc.constantFrom("0", "A", "z", "_"), (place, character) => {
      const altered = key.slice(0, place) + character + key.slice(place + 1);
      expect(isWellFormedKey(altered)).toBe(altered === key);
    }),
  );
});

test("whatever is not a key is not well formed", () => {
  fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => !isWellFormedKey(text)));
});

test("what is shown of a key does not give it away", () => {
  const key = makeKey("user", "live");
  const { prefix, last4 } = recognisable(key);
  expect(prefix).toMatch(/^cs_user_live_.{4}$/);
  expect(prefix.length + last4.length).toBeLessThan(key.length - 40);
});

test("a key that follows from bytes is of the same form, and other bytes are another key", () => {
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      const [key, another] = [one, other].map((from) => keyFromBytes("user", "test", Buffer.from(from)));
      expect(isWellFormedKey(key ?? "")).toBe(true);
      expect(key === another).toBe(Buffer.from(one).equals(other));
    }),
  );
  expect(keyFromBytes("user", "test", Buffer.alloc(32, 255))).toMatch(/^cs_user_test_[0-9A-Za-z]{49}$/);
  expect(() => keyFromBytes("user", "test", Buffer.alloc(31))).toThrow();
});
