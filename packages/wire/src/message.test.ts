import { hashMessage as hashByEthers } from "ethers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText } from "../test/index.ts";
import { hashPayload, isFor, maximumMessageLength, parseMessage, TypedDataProblem } from "./index.ts";

const isAccepted = (text: string): boolean => {
  try {
    return parseMessage(text) === text;
  } catch {
    return false;
  }
};

describe("a message", () => {
  test("is a text, unchanged", () => {
    for (const text of ["I agree", " a\n\tb ", "grüß dich 🙂", "0x12 is hex", '{"a":1}'])
      expect(parseMessage(text)).toBe(text);
  });

  test("has the hash that ethers computes", () => {
    fc.assert(
      fc.property(anyText.filter(isAccepted), (message) => {
        expect(hashPayload({ shape: "message", message })).toBe(hashByEthers(message));
      }),
    );
  });

  test.each([
    ["nothing", ""],
    ["a number", 7],
    ["bytes", new Uint8Array(32)],
    ["a list", ["I agree"]],
    ["a hash, which wallets may sign as bytes", `0x${"5a".repeat(32)}`],
    ["hex with an odd number of digits", "0x123"],
    ["the beginning of hex", "0X"],
    ["a lone surrogate", "a\ud800"],
    ["a character that ends a text", "a\u0000b"],
    ["a character that moves the cursor", "a\u001b[2J"],
    ["a line break of one platform only", "a\r\nb"],
    ["more than the maximum", "a".repeat(maximumMessageLength + 1)],
  ])("is not %s", (_, json) => {
    const parse = () => parseMessage(json);
    expect(parse).toThrow(TypedDataProblem);
    expect(parse).toThrow(expect.objectContaining({ at: "message" }) as Error);
  });

  test("is for every chain and account", () => {
    const payload = { shape: "message", message: "I agree" } as const;
    expect(isFor(payload, { chainId: 7, escrow: `0x${"ab".repeat(20)}` })).toBe(true);
  });
});
