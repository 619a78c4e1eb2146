import { TypedDataEncoder } from "ethers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyTypedData } from "../test/typed-data.ts";
import { hashTypedData, parseTypedData, TypedDataProblem, writeTypedData } from "./index.ts";

const token = "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238";
const owner = `0x${"ea".repeat(20)}`;
const permit = {
  domain: { name: "USDC", version: "2", chainId: 11155111, verifyingContract: token },
  types: {
    Permit: [
      { name: "owner", type: "address" },
      { name: "spender", type: "address" },
      { name: "value", type: "uint256" },
      { name: "nonce", type: "uint256" },
      { name: "deadline", type: "uint256" },
    ],
  },
  primaryType: "Permit",
  message: { owner, spender: token, value: "5", nonce: 0, deadline: "0x6b49d200" },
};

function problemOf(json: unknown): string {
  try {
    parseTypedData(json);
    return "";
  } catch (error) {
    if (error instanceof TypedDataProblem) return `${error.at}: ${error.message}`;
    throw error;
  }
}

describe("typed data", () => {
  test("has one form, whatever the spelling of its numbers, addresses and chain id", () => {
    const other = {
      ...permit,
      domain: { ...permit.domain, chainId: "0xaa36a7", verifyingContract: token.toLowerCase() },
      message: { ...permit.message, value: 5n, nonce: "0", deadline: 1_800_000_000 },
    };
    expect(parseTypedData(other)).toEqual(parseTypedData(permit));
    expect(parseTypedData(parseTypedData(permit))).toEqual(parseTypedData(permit));
    expect(parseTypedData(JSON.parse(writeTypedData(parseTypedData(permit))))).toEqual(
      parseTypedData(permit),
    );
  });

  test("keeps no type that the digest does not cover", () => {
    const types = { ...permit.types, Unused: [{ name: "a", type: "uint8" }] };
    expect(parseTypedData({ ...permit, types })).toEqual(parseTypedData(permit));
  });

  test("has the digest that ethers computes, for any values", () => {
    fc.assert(
      fc.property(anyTypedData, (typedData) => {
        const { domain, types, message } = typedData;
        expect(hashTypedData(parseTypedData(typedData))).toBe(TypedDataEncoder.hash(domain, types, message));
      }),
    );
  });

  const withType = (type: string, value: unknown) => ({
    ...permit,
    types: { Permit: [{ name: "value", type }] },
    message: { value },
  });
  const wrong: [string, unknown, RegExp][] = [
    ["no object", "{}", /^typedData: must be an object/],
    ["a member besides", { ...permit, signature: "0x" }, /^signature: is not part/],
    ["no primary type", { ...permit, primaryType: undefined }, /^primaryType/],
    ["an unknown primary type", { ...permit, primaryType: "Order" }, /^types: must define "Order"/],
    ["the domain as primary type", { ...permit, primaryType: "EIP712Domain" }, /^types: must define/],
    ["an unknown domain member", { ...permit, domain: { ...permit.domain, chain: 1 } }, /^domain\.chain/],
    ["a chain id of 0", { ...permit, domain: { chainId: 0 } }, /^domain\.chainId/],
    [
      "a chain id out of range",
      { ...permit, domain: { chainId: "99999999999999999999" } },
      /^domain\.chainId/,
    ],
    [
      "another domain type than its domain",
      { ...permit, types: { ...permit.types, EIP712Domain: [{ name: "name", type: "string" }] } },
      /^types\.EIP712Domain/,
    ],
    [
      "a message member that the digest does not cover",
      { ...permit, message: { ...permit.message, note: "harmless" } },
      /^message\.note: has no type/,
    ],
    ["a missing message member", { ...permit, message: { owner } }, /^message\.spender/],
    [
      "a field named twice",
      {
        ...withType("bool", true),
        types: {
          Permit: [
            { name: "value", type: "bool" },
            { name: "value", type: "bool" },
          ],
        },
      },
      /twice/,
    ],
    ["the alias uint", withType("uint", 1), /^types: must define "uint"/],
    ["an integer of an odd size", withType("uint7", 1), /^types: must define "uint7"/],
    [
      "a structure that is named like a type",
      { ...withType("bytesOf", {}), types: { Permit: [{ name: "value", type: "bytesOf" }], bytesOf: [] } },
      /^types: must define "bytesOf"/,
    ],
    ["an integer out of range", withType("uint8", 256), /^message\.value/],
    ["a negative unsigned integer", withType("uint8", "-1"), /^message\.value/],
    ["a fraction", withType("uint8", 1.5), /^message\.value/],
    ["a number beyond the safe integers", withType("uint256", 2 ** 53), /^message\.value/],
    ["a number as text with a sign of its own", withType("int8", "+1"), /^message\.value/],
    ["half a byte", withType("bytes", "0x1"), /^message\.value/],
    ["bytes of another length", withType("bytes4", "0x00"), /^message\.value: must be 4 bytes/],
    ["a truth value as a number", withType("bool", 1), /^message\.value/],
    ["a lone surrogate", withType("string", "\ud800"), /^message\.value/],
    ["a list of another length", withType("bool[2]", [true]), /^message\.value: must have 2/],
    ["no list", withType("bool[]", { 0: true }), /^message\.value: must be a list/],
    ["a type name with a dollar sign", withType("A$", {}), /^types: must define/],
    [
      "a prototype as a field",
      { ...permit, types: { Permit: [{ name: "__proto__", type: "bool" }] } },
      /name/,
    ],
  ];
  test.each(wrong)("with %s is rejected", (_, json, problem) => {
    expect(problemOf(json)).toMatch(problem);
  });

  test("nested too deep is rejected before anything runs out of stack", () => {
    let message: object = { next: [] };
    for (let depth = 0; depth < 10_000; depth++) message = { next: [message] };
    const types = { Node: [{ name: "next", type: "Node[]" }] };
    expect(problemOf({ domain: {}, types, primaryType: "Node", message })).toMatch(/nested/);
    const type = `bool${"[]".repeat(40)}`;
    let value: unknown = true;
    for (let depth = 0; depth < 40; depth++) value = [value];
    expect(problemOf(withType(type, value))).toMatch(/nested/);
  });

  test("is not found in arbitrary JSON, and reading fails only with a problem", () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(problemOf(JSON.parse(json))).not.toBe("");
      }),
    );
  });
});
