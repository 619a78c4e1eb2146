import { expect, test } from "vitest";
import { readKeys } from "./read-keys.ts";

const key = (body: string): string => `-----BEGIN PUBLIC KEY-----\n${body}\n-----END PUBLIC KEY-----`;

test("finds several keys with text between them", () => {
  expect(readKeys(`first:\n${key("MFkw")}\n\n${key("AAAA\nBBBB")} and more`)).toEqual([
    key("MFkw"),
    key("AAAA\nBBBB"),
  ]);
});
test("ignores a key without an end marker", () => {
  expect(readKeys("-----BEGIN PUBLIC KEY-----\nMFkw")).toEqual([]);
  expect(readKeys("")).toEqual([]);
});
