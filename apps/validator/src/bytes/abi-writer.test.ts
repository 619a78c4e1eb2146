import fc from "fast-check";
import { encodeAbiParameters } from "viem";
import { describe, expect, test } from "vitest";
import { membersOf } from "./abi-shape.ts";
import { writeAbi } from "./abi-writer.ts";
import { someArguments } from "../../test/bytes.ts";

describe("the writer", () => {
  test("writes what viem writes, for any arguments", () => {
    fc.assert(
      fc.property(someArguments, (sampled) => {
        const inputs = sampled.map(({ parameter }) => parameter);
        const values = sampled.map(({ value }) => value);
        expect(`0x${writeAbi(membersOf(inputs), values)}`).toBe(encodeAbiParameters(inputs, values));
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["int24", -1],
    ["int256", -(2n ** 255n)],
    ["uint8", 255],
    ["bool", true],
    ["string", "é – 洗"],
    ["bytes", "0x"],
    ["uint16[]", []],
    ["uint16[2]", [1, 2]],
    ["bytes[]", ["0x", "0x01"]],
  ])("writes a %s of %s as viem does", (type, value) => {
    const inputs = [{ type, name: "a" }];
    expect(`0x${writeAbi(membersOf(inputs), [value])}`).toBe(encodeAbiParameters(inputs, [value]));
  });
});
