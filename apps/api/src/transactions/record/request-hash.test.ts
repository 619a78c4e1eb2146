import { expect, test } from "vitest";
import { transactionErrors } from "../errors.ts";
import { readRequestHash, RequestHash } from "./request-hash.ts";

const digits = "0123456789abcdef".repeat(4);

test("returns a request hash in lower case", () => {
  expect(readRequestHash(`0x${digits}`)).toBe(`0x${digits}`);
  expect(readRequestHash(`0X${digits.toUpperCase()}`)).toBe(`0x${digits}`);
});

test.each([
  ["one digit short", `0x${digits.slice(1)}`],
  ["one digit long", `0x${digits}0`],
  ["a digit that is not hexadecimal", `0x${digits.slice(1)}g`],
  ["no prefix", digits],
  ["a character before it", ` 0x${digits}`],
  ["a line feed after it", `0x${digits}\n`],
])("finds no transaction for a hash with %s", (_, text) => {
  expect(() => readRequestHash(text)).toThrow(
    expect.objectContaining({ code: transactionErrors.notFound.code }),
  );
});

test("is described in the API's schema", () => {
  expect(RequestHash.meta()?.description).toContain("requestHash");
});
