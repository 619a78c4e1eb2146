import { expect, test } from "vitest";
import { forgetSending, keepSending, readSending } from "./sent.ts";

const hash = `0x${"ab".repeat(32)}`;
const makeStore = () => {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
};

test("remembers a sent transaction, with and without a hash, until it is forgotten", () => {
  const store = makeStore();
  const askedAt = new Date("2026-01-01T00:00:00Z");
  expect(readSending("0xAB", store)).toBeUndefined();
  keepSending("0xAB", { askedAt, hash: undefined }, store);
  expect(readSending("0xab", store)).toEqual({ askedAt, hash: undefined });
  keepSending("0xab", { askedAt, hash }, store);
  expect(readSending("0xAB", store)).toEqual({ askedAt, hash });
  forgetSending("0xab", store);
  expect(readSending("0xab", store)).toBeUndefined();
});

test("ignores malformed entries", () => {
  const store = makeStore();
  for (const text of ["", "x y", "NaN 0x12"]) {
    store.setItem("countersign.sent.0x1", text);
    expect(readSending("0x1", store)).toBeUndefined();
  }
});
