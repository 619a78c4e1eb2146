import { beforeAll, describe, expect, test } from "vitest";
import { buildWitness, from } from "../test/build-witness.ts";
import { word } from "./hex.ts";
import { hashWitness, limits, readWitness, type Witness } from "./witness.ts";

let witness: Witness;
beforeAll(async () => {
  witness = await buildWitness({ accounts: { [from]: { balance: 7n, storage: { [word(1n)]: 3n } } } });
});
const written = (change: object) => JSON.parse(JSON.stringify({ ...witness, ...change })) as unknown;

describe("a witness", () => {
  test("is the same after it was written and read", () => {
    expect(readWitness(written({}))).toEqual(witness);
  });

  test.each<[string, () => object]>([
    ["of another version", () => ({ version: 2 })],
    ["with another member", () => ({ more: 1 })],
    ["without headers", () => ({ headers: [] })],
    ["of an unknown hardfork", () => ({ hardfork: "amsterdam" })],
    ["with a number as quantity", () => ({ chainId: 1 })],
    ["with a quantity that begins with 0", () => ({ chainId: "0x01" })],
    ["with a hash in upper case", () => ({ blockHash: witness.blockHash.toUpperCase() })],
    ["with half a byte", () => ({ nodes: ["0x123"] })],
    ["with an account in upper case", () => ({ accounts: { [from.toUpperCase()]: witness.accounts[from] } })],
    ["with an account that is no address", () => ({ accounts: { "0x12": witness.accounts[from] } })],
    ["with an account member more", () => ({ accounts: { [from]: { ...witness.accounts[from], more: 1 } } })],
    ["with too much gas", () => ({ call: { ...witness.call, gas: "0x1000001" } })],
    ["with a tip above the maximum fee", () => ({ call: { ...witness.call, maxFeePerGas: "0x1" } })],
    ["with a trie node that is too long", () => ({ nodes: [`0x${"00".repeat(limits.nodeBytes + 1)}`] })],
    [
      "with code that is too long",
      () => ({ codes: { [word(1n)]: `0x${"00".repeat(limits.codeBytes + 1)}` } }),
    ],
    [
      "with too many bytes",
      () => ({ nodes: Array.from({ length: 8_193 }, () => `0x${"00".repeat(limits.nodeBytes)}`) }),
    ],
    [
      "with too many accounts",
      () => ({
        accounts: Object.fromEntries(
          Array.from({ length: limits.accounts + 1 }, (_, at) => [
            `0x${at.toString(16).padStart(40, "0")}`,
            witness.accounts[from],
          ]),
        ),
      }),
    ],
    [
      "with too many slots",
      () => ({
        accounts: {
          [from]: {
            ...witness.accounts[from],
            storage: Object.fromEntries(
              Array.from({ length: limits.slots + 1 }, (_, at) => [word(BigInt(at)), "0x1"]),
            ),
          },
        },
      }),
    ],
  ])("%s is not read", (_, change) => {
    expect(readWitness(written(change()))).toBeUndefined();
  });

  test.each([null, undefined, 1, "text", [], {}])("is not %j", (given) => {
    expect(readWitness(given)).toBeUndefined();
  });

  test("has one hash, whatever the order of its members", () => {
    const turned = Object.fromEntries(Object.entries(witness).reverse()) as Witness;
    expect(hashWitness(turned)).toBe(hashWitness(witness));
    expect(hashWitness({ ...witness, chainId: "0x2" })).not.toBe(hashWitness(witness));
  });
});
