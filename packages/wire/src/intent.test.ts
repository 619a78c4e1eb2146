import fc from "fast-check";
import { hashTypedData } from "viem/utils";
import { expect, test } from "vitest";
import { intentTypedData, type Intent } from "./index.ts";
import { anyAddress, anyCount, anyText, anyTwoThatDifferInOne, anyWord } from "../test/index.ts";

const intents = {
  account: anyAddress,
  text: anyText,
  chainId: anyCount,
  nonce: anyWord,
  expiresAt: anyCount,
};

test("a signed intent has another digest with any one field changed", () => {
  fc.assert(
    fc.property(anyTwoThatDifferInOne<Intent>(intents), ({ one, other }) => {
      expect(hashTypedData(intentTypedData(one))).not.toBe(hashTypedData(intentTypedData(other)));
    }),
  );
});

test("words that are not well-formed Unicode are not offered for signing", () => {
  const intent = {
    account: `0x${"ea".repeat(20)}`,
    chainId: 1,
    nonce: `0x${"5a".repeat(32)}`,
    expiresAt: 1,
  } as const;
  expect(() => intentTypedData({ ...intent, text: "pay \udc00" })).toThrow(/well-formed/);
});
