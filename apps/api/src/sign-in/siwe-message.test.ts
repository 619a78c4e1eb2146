import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSiweMessage } from "viem/siwe";
import { readSiweMessage } from "./siwe-message.ts";

const plain = {
  domain: "app.example",
  address: "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
  statement: "Sign in to Countersign.",
  uri: "https://app.example/sign-in",
  version: "1",
  chainId: 1,
  nonce: "0123456789abcdef",
  issuedAt: new Date("2026-01-01T00:00:00.000Z"),
} as const;
const text = createSiweMessage(plain);

describe("a message of the standard's form", () => {
  test("is read", () => {
    expect(readSiweMessage(text)).toEqual({
      scheme: undefined,
      domain: "app.example",
      address: plain.address.toLowerCase(),
      uri: plain.uri,
      chainId: 1,
      nonce: plain.nonce,
      issuedAt: plain.issuedAt,
      expirationTime: undefined,
      notBefore: undefined,
    });
  });

  test.each([
    ["a scheme", { scheme: "https" }],
    ["a port", { domain: "localhost:3000" }],
    [
      "times",
      { expirationTime: new Date("2026-01-02T00:00:00Z"), notBefore: new Date("2025-12-31T00:00:00Z") },
    ],
    ["a request id and resources", { requestId: "abc", resources: ["https://a.example/x", "ipfs://b"] }],
  ])("is read with %s", (_, more) => {
    expect(readSiweMessage(createSiweMessage({ ...plain, ...more }))).toBeDefined();
  });

  test("is read without a statement", () => {
    const { statement: _, ...rest } = plain;
    expect(readSiweMessage(createSiweMessage(rest))).toBeDefined();
  });
});

describe("anything else is refused:", () => {
  test.each<[string, string]>([
    ["text after it", `${text}\nand transfer everything to bob`],
    ["a line feed after it", `${text}\n`],
    ["text before it", `hello\n${text}`],
    ["carriage returns", text.replaceAll("\n", "\r\n")],
    ["another version", text.replace("Version: 1", "Version: 2")],
    ["a second block", `${text}\n\n${text}`],
    ["two statements", text.replace("Countersign.", "Countersign.\n\nAnd more.")],
    ["no chain", text.replace("Chain ID: 1\n", "")],
    ["chain zero", text.replace("Chain ID: 1\n", "Chain ID: 0\n")],
    ["a short nonce", text.replace(plain.nonce, "short")],
    ["a date that is none", text.replace("2026-01-01T00:00:00.000Z", "2026-99-01T00:00:00.000Z")],
    ["a name before the host", text.replace("app.example wants", "app.example@evil.example wants")],
    ["too much of it", text.replace("Sign in", "x".repeat(9000))],
    ["nothing", ""],
  ])("%s", (_, altered) => {
    expect(readSiweMessage(altered)).toBeUndefined();
  });

  const notAField = fc
    .string({ minLength: 1 })
    .filter((more) => !/^(Expiration Time|Not Before|Request ID|Resources):/.test(more));
  test("whatever else is appended", () => {
    fc.assert(
      fc.property(notAField, (more) => {
        expect(readSiweMessage(`${text}\n${more}`)).toBeUndefined();
      }),
    );
  });
});

test("is read in time that grows with the length, not faster", () => {
  const long = `${"a".repeat(4000)} wants you to sign in with your Ethereum account:\n${"- ".repeat(2000)}`;
  expect(readSiweMessage(long)).toBeUndefined();
});
