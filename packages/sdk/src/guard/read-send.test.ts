import { describe, expect, test } from "vitest";
import { NotApprovedError } from "./not-approved.ts";
import { readSend } from "./read-send.ts";

const from = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const to = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const maxSafe = "0x1fffffffffffff";
const read = (asked: unknown) => readSend([asked], from);

describe("a transaction to send is read", () => {
  const call = { to, value: 0n, data: "0x" };
  test.each([
    ["without the sender", { to }, { call, fees: {}, chainId: undefined }],
    ["with the sender in other letter case", { from: from.toLowerCase(), to }, { call }],
    ["with members that are undefined", { to, data: undefined, accessList: undefined }, { call }],
    [
      "with a recipient whose checksum is wrong",
      { to: to.replace("Cc", "cC") },
      { call: { to: to.replace("Cc", "cC") } },
    ],
    ["with its data as input", { to, input: "0xAb" }, { call: { data: "0xAb" } }],
    [
      "with data and input that are the same",
      { to, data: "0xab", input: "0xAB" },
      { call: { data: "0xab" } },
    ],
    ["with its chain", { to, chainId: "0xaa36a7" }, { chainId: 11_155_111 }],
    ["with the largest number", { to, nonce: maxSafe }, { fees: { nonce: Number.MAX_SAFE_INTEGER } }],
    ["with the largest amount", { to, value: `0x${"f".repeat(64)}` }, { call: { value: 2n ** 256n - 1n } }],
    [
      "with every fee",
      { to, gas: "0x1", gasPrice: "0x2", type: "0x0" },
      { fees: { gas: 1n, gasPrice: 2n, type: "legacy" } },
    ],
    ["with its type", { to, type: "0x2" }, { fees: { type: "eip1559" } }],
  ] as const)("%s", (_, asked, expected) => {
    expect(read(asked)).toMatchObject(expected);
  });

  test("with no fee that was not given", () => {
    expect(read({ to }).fees).toStrictEqual({});
  });
});

describe("nothing is read", () => {
  test.each([
    ["no list", { to }],
    ["an empty list", []],
    ["null", [null]],
    ["a text", ["to"]],
    ["two transactions", [{ to }, { to }]],
  ])("from %s", (_, params) => {
    expect(() => readSend(params, from)).toThrow(NotApprovedError);
  });

  test.each([
    ["a sender one digit off", { from: from.replace("7099", "7098"), to }, /another wallet/],
    ["a sender that is no text", { from: 5, to }, /another wallet/],
    ["an unknown member", { to, accessList: [] }, /its member accessList/],
    ["no recipient", { data: "0x00" }, /no recipient/],
    ["a recipient one digit short", { to: to.slice(0, -1) }, /no recipient/],
    ["a recipient in a list", { to: [to] }, /no recipient/],
    ["half a byte of data", { to, data: "0x000" }, /not valid hex/],
    ["data with a letter before it", { to, data: "a0x00" }, /not valid hex/],
    ["data with a letter after it", { to, data: "0x00g" }, /not valid hex/],
    ["data in a list", { to, data: ["0x00"] }, /not valid hex/],
    ["data and input that differ in one digit", { to, data: "0x00", input: "0x01" }, /differ/],
    ["an amount that is a number", { to, value: 1 }, /its value is not a number/],
    ["an amount in a list", { to, value: ["0x1"] }, /its value is not a number/],
    ["an amount without digits", { to, value: "0x" }, /its value is not a number/],
    ["an amount in words", { to, value: "one" }, /its value is not a number/],
    ["an amount with a letter before it", { to, value: "a0x1" }, /its value is not a number/],
    ["an amount with a letter after it", { to, value: "0x1g" }, /its value is not a number/],
    ["an amount one digit too long", { to, value: `0x${"0".repeat(65)}` }, /its value is not a number/],
    ["a nonce that is one too large", { to, nonce: "0x20000000000000" }, /its nonce is too large/],
    ["a chain that is one too large", { to, chainId: "0x20000000000000" }, /its chainId is too large/],
    ["a type of access lists", { to, type: "0x1" }, /of its type/],
  ])("with %s", (_, asked, why) => {
    expect(() => read(asked)).toThrow(NotApprovedError);
    expect(() => read(asked)).toThrow(why);
  });
});
