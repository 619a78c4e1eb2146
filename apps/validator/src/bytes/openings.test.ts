import fc from "fast-check";
import { concatHex, encodeAbiParameters, parseAbiParameters, toHex } from "viem/utils";
import { describe, expect, test } from "vitest";
import type { Hex } from "../proposal.ts";
import { feeds, inert } from "../uses.ts";
import { blob, packed, word } from "./openings.ts";

const BOB = "0x742d35cc6634c0532925a3b844bc454e4438f44e";

describe("ABI-encoded bytes", () => {
  const payment = blob("address recipient, uint256[] amounts", {
    recipient: feeds.receiver,
    amounts: feeds.amount,
  });
  const data = encodeAbiParameters(parseAbiParameters("address, uint256[]"), [BOB, [5n, 7n]]);

  test("return their values, each with its use and its bits", () => {
    const { values, leaves } = payment.read(data);
    expect(values).toEqual([BOB, [5n, 7n]]);
    expect(leaves().map(({ path, bits, isAddress }) => [path, bits, isAddress])).toEqual([
      ["recipient", [0, 256], true],
      ["amounts.0", [768, 1024], false],
      ["amounts.1", [1024, 1280], false],
    ]);
  });
  test("may follow a selector", () => {
    const after = blob("uint256 amount", { amount: feeds.amount }, { skipBytes: 4 });
    const { values, leaves } = after.read(concatHex(["0x12345678", toHex(9n, { size: 32 })]));
    expect([values, leaves()[0]?.bits]).toEqual([[9n], [32, 288]]);
  });
  test.each([
    ["cut short", data.slice(0, -2) as Hex],
    ["longer than their values", `${data}00` as Hex],
    ["with a dirty address", data.replace("0x000", "0x001") as Hex],
  ])("are rejected when they are %s", (_, broken) => {
    expect(() => payment.read(broken)).toThrow();
  });
  test("are rejected without a use for each value", () => {
    // @ts-expect-error `amounts` has no use
    expect(() => blob("address recipient, uint256[] amounts", { recipient: feeds.receiver })).toThrow(
      "amounts",
    );
  });
});

describe("a packed word", () => {
  const supply = word("supply", {
    reserve: { at: 0, bits: 16, use: feeds.asset },
    amount: { at: 16, bits: 128, use: feeds.amount },
    rest: { at: 144, bits: 112, use: inert.unused },
  });
  test("returns what was packed, and the bits of each field", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 16n - 1n), fc.bigInt(0n, 2n ** 128n - 1n), (reserve, amount) => {
        const data = toHex((amount << 16n) | reserve, { size: 32 });
        const { values, leaves } = supply.read(data);
        expect(values).toEqual({ reserve, amount, rest: 0n });
        const bits = BigInt(data).toString(2).padStart(256, "0");
        for (const {
          value,
          bits: [from, to],
        } of leaves())
          expect(BigInt(`0b${bits.slice(from, to)}`)).toBe(value);
      }),
    );
  });
  test.each([
    ["bits that belong to no field", { reserve: { at: 0, bits: 16, use: feeds.asset } }],
    [
      "bits that belong to two fields",
      { a: { at: 0, bits: 200, use: feeds.asset }, b: { at: 199, bits: 57, use: inert.unused } },
    ],
  ])("is rejected with %s", (_, fields) => {
    expect(() => word("bad", fields)).toThrow("belong");
  });
});

describe("packed bytes", () => {
  const path = packed("path", {
    head: [{ name: "token", bytes: 20, use: feeds.path }],
    repeat: [
      { name: "fee", bytes: 3, use: inert.bounded },
      { name: "token", bytes: 20, use: feeds.path },
    ],
  });
  const two = `0x${BOB.slice(2)}0001f4${"22".repeat(20)}` as Hex;
  test("repeat as often as they fit", () => {
    const { values, leaves } = path.read(two);
    expect(values).toEqual({
      head: { token: BOB },
      items: [{ fee: "0x0001f4", token: `0x${"22".repeat(20)}` }],
    });
    expect(leaves().map(({ path: at, bits }) => [at, bits])).toEqual([
      ["token", [0, 160]],
      ["0.fee", [160, 184]],
      ["0.token", [184, 344]],
    ]);
  });
  test.each([two.slice(0, -2), `${two}00`, "0x"] as Hex[])(
    "are rejected when a field is cut short: %s",
    (data) => {
      expect(() => path.read(data)).toThrow("path ends inside a field");
    },
  );
  test("are rejected when bytes are left over", () => {
    const one = packed("one", { head: [{ name: "a", bytes: 1, use: feeds.amount }] });
    expect(() => one.read("0x0102")).toThrow("1 extra bytes");
  });
});
