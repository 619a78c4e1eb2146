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

describe("a message in the standard's form", () => {
  test("is parsed", () => {
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
  ])("is parsed with %s", (_, more) => {
    expect(readSiweMessage(createSiweMessage({ ...plain, ...more }))).toBeDefined();
  });

  test("is parsed without a statement", () => {
    const { statement: _, ...rest } = plain;
    expect(readSiweMessage(createSiweMessage(rest))).toBeDefined();
  });
});

describe("rejects:", () => {
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
    ["a malformed date", text.replace("2026-01-01T00:00:00.000Z", "2026-99-01T00:00:00.000Z")],
    ["a name before the host", text.replace("app.example wants", "app.example@evil.example wants")],
    ["too much of it", text.replace("Sign in", "x".repeat(9000))],
    ["nothing", ""],
  ])("%s", (_, altered) => {
    expect(readSiweMessage(altered)).toBeUndefined();
  });

  const notAField = fc
    .string({ minLength: 1 })
    .filter((more) => !/^(Expiration Time|Not Before|Request ID|Resources):/.test(more));
  test("any appended text", () => {
    fc.assert(
      fc.property(notAField, (more) => {
        expect(readSiweMessage(`${text}\n${more}`)).toBeUndefined();
      }),
    );
  });
});

describe("accepts each part up to its limits:", () => {
  const change = (from: string, to: string) => readSiweMessage(text.replace(from, to));
  const time = "2026-01-01T00:00:00.000Z";

  test.each([
    ["a scheme of one letter", "app.example wants", "a://app.example wants"],
    ["a scheme with every kind of character", "app.example wants", "aZ9+.-://app.example wants"],
    ["a domain of one character", "app.example wants", "a wants"],
    ["a chain of 15 digits", "Chain ID: 1\n", "Chain ID: 123456789012345\n"],
    ["a nonce of 8 characters", plain.nonce, "aZ345678"],
    ["a nonce of 128 characters", plain.nonce, "a".repeat(128)],
    ["a time without fractions", time, "2026-01-01T00:00:00Z"],
    ["a time with an offset ahead", time, "2026-01-01T00:00:00+02:00"],
    ["a time with an offset behind", time, "2026-01-01T00:00:00.5-02:00"],
    ["an empty request id", time, `${time}\nRequest ID: `],
    ["an empty list of resources", time, `${time}\nResources:`],
    ["one resource", time, `${time}\nResources:\n- a`],
  ])("%s is accepted", (_, from, to) => {
    expect(change(from, to)).toBeDefined();
  });

  test.each([
    ["a scheme that begins with a digit", "app.example wants", "9a://app.example wants"],
    ["a scheme with an underscore", "app.example wants", "a_://app.example wants"],
    ["an empty scheme", "app.example wants", "://app.example wants"],
    ["an empty domain", "app.example wants", " wants"],
    ["a domain with a space", "app.example wants", "a b wants"],
    ["a domain with a slash", "app.example wants", "a/b wants"],
    ["a domain with a question mark", "app.example wants", "a?b wants"],
    ["a domain with a fragment", "app.example wants", "a#b wants"],
    ["an address one digit short", "6045\n", "604\n"],
    ["an address one digit long", "6045\n", "60450\n"],
    ["an address with another letter", "6045\n", "604g\n"],
    ["an address without its prefix", "\n0xd8dA", "\nd8dA"],
    ["a statement with a carriage return", "Countersign.", "Countersign.\r"],
    ["a missing empty line", "Countersign.\n\n", "Countersign.\n"],
    ["an empty URI", `URI: ${plain.uri}`, "URI: "],
    ["a URI with a space", plain.uri, "https://app.example/ a"],
    ["a chain of 16 digits", "Chain ID: 1\n", "Chain ID: 1234567890123456\n"],
    ["a chain with a leading zero", "Chain ID: 1\n", "Chain ID: 01\n"],
    ["a chain with a letter", "Chain ID: 1\n", "Chain ID: 1a\n"],
    ["a nonce of 7 characters", plain.nonce, "a234567"],
    ["a nonce of 129 characters", plain.nonce, "a".repeat(129)],
    ["a nonce with a hyphen", plain.nonce, "a234567-"],
    ["a time without a zone", time, "2026-01-01T00:00:00"],
    ["a time with an empty fraction", time, "2026-01-01T00:00:00.Z"],
    ["a time with a year of three digits", time, "026-01-01T00:00:00Z"],
    ["a time with a month of one digit", time, "2026-1-01T00:00:00Z"],
    ["a time without seconds", time, "2026-01-01T00:00Z"],
    ["a time with an offset of three digits", time, "2026-01-01T00:00:00+020"],
    ["an expiration that is no date", time, `${time}\nExpiration Time: 2026-99-01T00:00:00Z`],
    ["a start that is no date", time, `${time}\nNot Before: 2026-99-01T00:00:00Z`],
    ["fields in another order", time, `${time}\nNot Before: ${time}\nExpiration Time: ${time}`],
    ["a request id with a carriage return", time, `${time}\nRequest ID: a\r`],
    ["an empty resource", time, `${time}\nResources:\n- `],
    ["a resource with a space", time, `${time}\nResources:\n- a b`],
    ["resources on the same line", time, `${time}\nResources: - a`],
  ])("%s is rejected", (_, from, to) => {
    expect(text).toContain(from);
    expect(change(from, to)).toBeUndefined();
  });

  test("every value equals the one in the text", () => {
    const more = `\nExpiration Time: 2026-01-02T00:00:00Z\nNot Before: 2025-12-31T00:00:00Z`;
    const whole = `https://${text.replace("Chain ID: 1\n", "Chain ID: 42\n")}${more}`;
    expect(readSiweMessage(whole)).toEqual({
      ...{ scheme: "https", domain: "app.example", address: plain.address.toLowerCase(), uri: plain.uri },
      ...{ chainId: 42, nonce: plain.nonce, issuedAt: plain.issuedAt },
      expirationTime: new Date("2026-01-02T00:00:00Z"),
      notBefore: new Date("2025-12-31T00:00:00Z"),
    });
  });

  test("parses a message of 8192 characters and rejects a longer one", () => {
    const pad = (length: number) => text.replace("Sign in", "x".repeat(length));
    const most = 8192 - pad(0).length;
    expect(readSiweMessage(pad(most))).toBeDefined();
    expect(readSiweMessage(pad(most + 1))).toBeUndefined();
  });
});

test("parses in time linear in the length", () => {
  const long = `${"a".repeat(4000)} wants you to sign in with your Ethereum account:\n${"- ".repeat(2000)}`;
  expect(readSiweMessage(long)).toBeUndefined();
});
