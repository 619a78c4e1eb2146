import { AbiCoder, ParamType } from "ethers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeAbiParameters, type AbiParameter } from "viem";
import type { Hex } from "../proposal.ts";
import { readAbi, type Node } from "./abi-reader.ts";
import { decode, planFor } from "./decode.ts";
import { locate } from "./locate.ts";
import { someArguments, type Sampled } from "../../test/bytes.ts";

const encode = (sampled: readonly Sampled[]): Hex =>
  encodeAbiParameters(
    sampled.map(({ parameter }) => parameter),
    sampled.map(({ value }) => value),
  );

const forEthers = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(forEthers);
  return typeof value === "object" && value !== null ? Object.values(value).map(forEthers) : value;
};

const encodeByEthers = (sampled: readonly Sampled[]): string =>
  AbiCoder.defaultAbiCoder().encode(
    sampled.map(({ parameter }) => ParamType.from(parameter as never)),
    sampled.map(({ value }) => forEthers(value)),
  );

const inputsOf = (sampled: readonly Sampled[]): readonly AbiParameter[] =>
  sampled.map(({ parameter }) => parameter);

const checkPlaces = (nodes: readonly Node[], data: Hex): void => {
  for (const { kind, value, bytes, children } of nodes) {
    const hex = data.slice(2 + bytes[0] * 2, 2 + bytes[1] * 2);
    if (kind === "bytes") expect(`0x${hex}`).toBe(value);
    if (kind === "address") expect(`0x${hex.slice(24)}`).toBe(value);
    if (kind === "uint") expect(BigInt(`0x${hex}`)).toBe(BigInt(value as number));
    checkPlaces(children, data);
  }
};

describe("the strict reader", () => {
  test("reads what ethers and viem write, reports no finding, and knows the place of every value", () => {
    fc.assert(
      fc.property(someArguments, (sampled) => {
        const data = encode(sampled);
        expect(encodeByEthers(sampled)).toBe(data);
        const { values, findings, nodes, end } = readAbi(planFor(inputsOf(sampled)).members, data, 0);
        expect(findings).toEqual([]);
        expect(values).toEqual(sampled.map(({ value }) => value));
        expect(end).toBe((data.length - 2) / 2);
        checkPlaces(nodes, data);
      }),
      { numRuns: 300 },
    );
  });

  test("reports no finding only for bytes that an encoder would have written", () => {
    const change = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 }));
    fc.assert(
      fc.property(someArguments, fc.array(change, { minLength: 1, maxLength: 3 }), (sampled, changes) => {
        const bytes = Buffer.from(encode(sampled).slice(2), "hex");
        for (const [at, by] of changes) bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ by;
        const data: Hex = `0x${bytes.toString("hex")}`;
        const inputs = inputsOf(sampled);
        const { values, findings } = decode(planFor(inputs), data, 0);
        if (values === null) expect(findings.length).toBeGreaterThan(0);
        else if (findings.length === 0) expect(encodeAbiParameters(inputs, values)).toBe(data);
      }),
      { numRuns: 600 },
    );
  });

  test("agrees with viem wherever it reports no finding, and never throws on any bytes", () => {
    fc.assert(
      fc.property(someArguments, fc.uint8Array({ maxLength: 400 }), (sampled, bytes) => {
        const plan = planFor(inputsOf(sampled));
        const { values, findings } = decode(plan, `0x${Buffer.from(bytes).toString("hex")}`, 0);
        expect(values !== null || findings.length > 0).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

const word = (hex: string): string => hex.padStart(64, "0");
const kinds = (types: readonly string[], ...words: readonly string[]): readonly string[] => {
  const inputs = types.map((type, i) => ({ type, name: `a${i}` }));
  return decode(planFor(inputs), `0x${words.join("")}`, 0).findings.map(({ kind }) => kind);
};

describe("encodings that lenient decoders accept", () => {
  const address = "d8da6bf26964af9d7eed9e03e53415d37aa96045";
  test.each([
    ["dirty upper bytes of an address", ["address"], [`ff${address.padStart(62, "0")}`], "dirty_bits"],
    ["a boolean of two", ["bool"], [word("2")], "dirty_bits"],
    ["a number wider than its type", ["uint48"], [word("1000000000000")], "dirty_bits"],
    ["a negative number without its sign", ["int24"], [word("800000")], "dirty_bits"],
    ["dirty bytes after a short word", ["bytes4"], ["12345678".padEnd(64, "1")], "dirty_bits"],
    ["a last word cut short", ["uint256"], [word("1").slice(2)], "truncated"],
    ["bytes at another offset", ["bytes"], [word("40"), word("0"), word("0")], "offset"],
    ["dirty padding of bytes", ["bytes"], [word("20"), word("1"), "ab".padEnd(64, "1")], "padding"],
    ["an offset past the end", ["bytes"], [word("ffff")], "truncated"],
    ["an offset of astronomical size", ["bytes"], ["f".repeat(64)], "truncated"],
    ["a list of astronomical length", ["uint256[]"], [word("20"), "f".repeat(64)], "truncated"],
    ["two tails in one place", ["bytes", "bytes"], [word("40"), word("40"), word("0")], "overlap"],
    ["a tail inside the head", ["bytes"], [word("0")], "overlap"],
  ])("%s", (_name, types, words, kind) => {
    expect(kinds(types, ...words)).toContain(kind);
  });

  test("rejects thousands of lists that share one tail, in little time", () => {
    const lists = 200;
    const inner = Array.from({ length: lists }, () => word("1900"));
    const data = [word("20"), word(lists.toString(16)), ...inner, word("1"), word("20"), word("0")];
    expect(kinds(["bytes[][]"], ...data).length).toBeGreaterThan(0);
  });
});

describe("data after the arguments", () => {
  const amount = word("5");
  test.each([
    ["a tag of four bytes", "9deca8c8", "trailing_tag"],
    ["a tag of twenty-four bytes", "1".repeat(48), "trailing_tag"],
    [
      "an attribution suffix",
      `07626173656170700080${"8021".repeat(8)}`.slice(0, 18) + "8021".repeat(8),
      "trailing_tag",
    ],
    ["an address", "d8da6bf26964af9d7eed9e03e53415d37aa96045", "trailing_fee"],
    ["an address in a word", word("d8da6bf26964af9d7eed9e03e53415d37aa96045"), "trailing_fee"],
    [
      "an aggregator's commission",
      `3ca20afc2aaa00000081b320d8da6bf26964af9d7eed9e03e53415d37aa96045`,
      "trailing_fee",
    ],
    ["three arbitrary words", "ab".repeat(96), "trailing_unexplained"],
  ])("%s", (_name, trailer, kind) => {
    expect(kinds(["uint256"], amount, trailer)).toEqual([kind]);
  });
});

describe("places", () => {
  const inputs = [
    {
      type: "tuple",
      name: "params",
      components: [
        { type: "address", name: "to" },
        { type: "uint256[]", name: "amounts" },
      ],
    },
    { type: "bytes", name: "blob" },
  ];
  const data = encodeAbiParameters(inputs, [
    { to: "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045", amounts: [7n, 8n] },
    "0x1234",
  ]);
  const { nodes } = readAbi(planFor(inputs).members, data, 0);
  const at = (path: string): string | undefined => {
    const range = locate(nodes, path);
    return range === undefined ? undefined : data.slice(2 + range[0] * 2, 2 + range[1] * 2);
  };

  test("a path returns the bytes of that value", () => {
    expect(at("params.to")).toBe(word("d8da6bf26964af9d7eed9e03e53415d37aa96045"));
    expect(at("params.amounts[1]")).toBe(word("8"));
  });

  test("a path into bytes that were not opened returns those bytes", () => {
    expect(at("blob[3].recipient")).toBe("1234");
  });

  test("a path that does not exist returns nothing", () => {
    expect(at("recipient")).toBeUndefined();
  });
});
