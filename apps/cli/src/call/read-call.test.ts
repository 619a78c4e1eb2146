import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CliError } from "../errors.ts";
import { readAddress, readBytes, readChain, readHash, readValue } from "./read-call.ts";

const pad = (text: string) => text.padStart(18, "0");

describe("readValue", () => {
  test("returns the same wei for every notation", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (wei) => {
        const digits = wei.toString().padStart(19, "0");
        const ether = `${digits.slice(0, -18)}.${digits.slice(-18)}`;
        expect(readValue(`${ether}ETH`)).toBe(wei);
        expect(readValue(`${ether} eth`)).toBe(wei);
        expect(readValue(wei.toString())).toBe(wei);
        expect(readValue(`${wei} wei`)).toBe(wei);
      }),
    );
  });

  test("accepts gwei", () => {
    expect(readValue("1.5gwei")).toBe(1_500_000_000n);
  });

  test.each([
    "",
    " ",
    "-1",
    "+1",
    "1e18",
    "0x10",
    "1,000",
    ".5ETH",
    "1.ETH",
    "1.5",
    "1.5wei",
    "1 USDC",
    `0.${pad("1")}1ETH`,
  ])("rejects an ambiguous amount: %j", (text) => {
    expect(() => readValue(text)).toThrow(CliError);
  });

  test("is exact or throws, for any input", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          expect(readValue(text)).toBeGreaterThanOrEqual(0n);
        } catch (error) {
          expect(error).toBeInstanceOf(CliError);
        }
      }),
    );
  });
});

describe("readAddress", () => {
  const good = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";

  test("accepts an address with a valid checksum or none", () => {
    for (const text of [good, good.toLowerCase(), `0x${good.slice(2).toUpperCase()}`])
      expect(readAddress(text, "--to")).toBe(text);
  });

  test.each([good.replace("Cc", "cC"), good.slice(0, -1), `${good}0`, good.slice(2), "alice.eth", ""])(
    "rejects %j",
    (text) => {
      expect(() => readAddress(text, "--to")).toThrow(CliError);
    },
  );
});

test("reads or rejects calldata, chain IDs and hashes", () => {
  expect(readBytes("0x")).toBe("0x");
  expect(readChain("11155111")).toBe(11_155_111);
  expect(readHash(`0x${"a".repeat(64)}`)).toBe(`0x${"a".repeat(64)}`);
  for (const text of ["", "0x1", "1234", "0xzz"]) expect(() => readBytes(text)).toThrow(CliError);
  for (const text of ["", "0", "-1", "1.5", "0x1"]) expect(() => readChain(text)).toThrow(CliError);
  for (const text of ["", "0x12", "a".repeat(64)]) expect(() => readHash(text)).toThrow(CliError);
});
