/** Checks what the strict reader reports for bytes that no encoder writes: the value, the kind of finding and its place. */
import { describe, expect, test } from "vitest";
import type { AbiParameter } from "viem";
import type { EncodingFinding } from "../effects.ts";
import { readAbi } from "./abi-reader.ts";
import { membersOf } from "./abi-shape.ts";

const word = (hex: string): string => hex.padStart(64, "0");
const left = (hex: string): string => hex.padEnd(64, "0");
/** Puts the arguments after a selector, so that places count from the start of the call's data. */
const read = (types: readonly (string | AbiParameter)[], ...words: readonly string[]) =>
  readAbi(
    membersOf(types.map((type) => (typeof type === "string" ? { type } : type))),
    `0x12345678${words.join("")}`,
    4,
  );
const finding = (kind: EncodingFinding["kind"], bytes: readonly [number, number], said: string) => ({
  ...{ kind, bytes, said },
});

describe("a word", () => {
  const dirty = finding("dirty_bits", [4, 36], "the word at byte 4 has bits set that its type cannot hold");
  const address = "d8da6bf26964af9d7eed9e03e53415d37aa96045";
  test.each<[string, string, string, unknown, boolean]>([
    ["the largest uint8", "uint8", word("ff"), 255, false],
    ["one bit above a uint8", "uint8", word("1ff"), 255, true],
    ["the largest uint48", "uint48", word("f".repeat(12)), 2 ** 48 - 1, false],
    ["one bit above a uint48", "uint48", word(`1${"f".repeat(12)}`), 2 ** 48 - 1, true],
    ["a uint56", "uint56", word("5"), 5n, false],
    ["the largest uint256", "uint256", "f".repeat(64), 2n ** 256n - 1n, false],
    ["minus one", "int24", "f".repeat(64), -1, false],
    ["minus one with one bit missing", "int24", `7${"f".repeat(63)}`, -1, true],
    ["minus one with the lowest upper bit missing", "int24", `${"f".repeat(57)}effffff`, -1, true],
    ["a positive int24", "int24", word("7fffff"), 8_388_607, false],
    ["a positive int24 with the lowest upper bit set", "int24", word("1000005"), 5, true],
    ["a positive int24 with the highest bit set", "int24", `8${word("5").slice(1)}`, 5, true],
    ["an int48", "int48", word("5"), 5, false],
    ["an int56", "int56", word("5"), 5n, false],
    ["false", "bool", word("0"), false, false],
    ["true", "bool", word("1"), true, false],
    ["a bool of two", "bool", word("2"), true, true],
    ["a bool of sixteen", "bool", word("10"), true, true],
    ["an address", "address", word(address), `0x${address}`, false],
    ["one bit above an address", "address", word(`1${address}`), `0x${address}`, true],
    ["four bytes", "bytes4", left("12345678"), "0x12345678", false],
    ["one bit after four bytes", "bytes4", left("123456781"), "0x12345678", true],
  ])("%s", (...[, type, data, value, isDirty]) => {
    expect(read([type], data)).toMatchObject({
      values: [value],
      findings: isDirty ? [dirty] : [],
      end: 36,
    });
  });
  test("cut short by one byte is not read", () => {
    const data = word("1").slice(2);
    expect(read(["uint256"], data)).toEqual({
      values: null,
      nodes: [],
      findings: [finding("truncated", [4, 35], "the data ends inside the word at byte 4")],
      end: 35,
    });
  });
  test("that is not hex is not read", () => {
    expect(read(["uint256"], "zz".repeat(32))).toEqual({
      values: null,
      nodes: [],
      findings: [finding("undecodable", [4, 36], "the arguments cannot be read")],
      end: 36,
    });
  });
});

describe("bytes and texts", () => {
  test.each<[string, string, readonly string[], unknown]>([
    ["bytes", "bytes", [word("20"), word("2"), left("abcd")], "0xabcd"],
    ["no bytes", "bytes", [word("20"), word("0")], "0x"],
    ["a text", "string", [word("20"), word("5"), left("c3a920e6b4")], "é \uFFFD"],
    ["a text of letters", "string", [word("20"), word("2"), left("6869")], "hi"],
  ])("%s", (...[, type, words, value]) => {
    const found = read([type], ...words);
    expect(found.values).toEqual([value]);
    expect([found.findings, found.end]).toEqual([[], 4 + words.length * 32]);
  });
  test("are at the bytes of their content", () => {
    expect(read(["bytes"], word("20"), word("2"), left("abcd")).nodes[0]?.bytes).toEqual([68, 70]);
  });
  test.each<[string, readonly string[], EncodingFinding]>([
    [
      "an offset to the end of the data",
      [word("20")],
      finding("truncated", [36, 36], "the data ends inside the word at byte 36"),
    ],
    [
      "an offset one byte past the end",
      [word("21")],
      finding("truncated", [4, 36], "an offset points past the end of the data"),
    ],
    [
      "an offset of 2^48",
      [word("1000000000000")],
      finding("truncated", [4, 36], "an offset points past the end of the data"),
    ],
    [
      "a length longer than the data",
      [word("20"), word("42")],
      finding("truncated", [36, 68], "a length points past the end of the data"),
    ],
    [
      "a length one byte longer than what follows",
      [word("20"), word("3"), "abcd"],
      finding("truncated", [68, 70], "3 bytes are declared, but fewer follow"),
    ],
  ])("with %s are not read", (_, words, expected) => {
    expect(read(["bytes"], ...words)).toEqual({
      values: null,
      nodes: [],
      findings: [expected],
      end: 4 + words.join("").length / 2,
    });
  });
  const padding = (bytes: readonly [number, number]): EncodingFinding =>
    finding("padding", bytes, `the padding after byte ${bytes[0]} is not zero or is cut short`);
  test.each<[string, string, EncodingFinding, number]>([
    ["whose last bit is set", `ab${"0".repeat(61)}1`, padding([69, 100]), 100],
    ["that is missing", "ab", padding([69, 69]), 69],
    ["cut short by one byte", `ab${"0".repeat(60)}`, padding([69, 99]), 99],
  ])("with padding %s are read, and the finding is reported", (_, content, expected, end) => {
    expect(read(["bytes"], word("20"), word("1"), content)).toMatchObject({
      values: ["0xab"],
      findings: [expected],
      end,
    });
  });
  test("with dirty padding before another argument are reported up to that argument", () => {
    const words = [word("40"), word("80"), word("1"), `ab${"0".repeat(61)}1`, word("0")];
    expect(read(["bytes", "bytes"], ...words)).toMatchObject({
      values: ["0xab", "0x"],
      findings: [padding([101, 132])],
    });
  });
});

describe("an offset", () => {
  test("that skips a word is reported with both places", () => {
    expect(read(["bytes"], word("40"), word("0"), word("0"))).toMatchObject({
      values: ["0x"],
      findings: [finding("offset", [4, 36], "the offset at byte 4 points to byte 68; an encoder writes 36")],
      end: 100,
    });
  });
  test("that points back is an overlap", () => {
    expect(read(["bytes", "bytes"], word("40"), word("40"), word("0"))).toMatchObject({
      values: ["0x", "0x"],
      findings: [
        finding("overlap", [36, 68], "the offset at byte 36 points to byte 68; an encoder writes 100"),
      ],
      end: 100,
    });
  });
});

describe("a list", () => {
  test("with one element missing is not read", () => {
    expect(read(["uint8[]"], word("20"), word("2"), word("1"))).toEqual({
      values: null,
      nodes: [],
      findings: [finding("truncated", [36, 68], "a list declares 2 elements, but fewer follow")],
      end: 100,
    });
  });
  test("of a fixed length with one element missing is not read", () => {
    expect(read(["uint8[3]"], word("1"), word("2")).findings).toEqual([
      finding("truncated", [4, 36], "a list declares 3 elements, but fewer follow"),
    ]);
  });
  test("longer than the data is not read", () => {
    expect(read(["uint8[]"], word("20"), word("41")).findings).toEqual([
      finding("truncated", [36, 68], "the length of a list points past the end of the data"),
    ]);
  });
  test("and a tuple end where the next argument starts", () => {
    const pair = { type: "tuple", components: [{ type: "uint8" }, { type: "uint8" }] };
    const found = read(["uint8", "uint8[2]", pair, "uint8"], ...["1", "2", "3", "4", "5", "6"].map(word));
    expect(found.values).toEqual([1, [2, 3], [4, 5], 6]);
    expect(found.nodes.map(({ bytes }) => bytes)).toEqual([
      [4, 36],
      [36, 100],
      [100, 164],
      [164, 196],
    ]);
    expect(found.nodes[1]?.children.map(({ name, bytes }) => [name, bytes])).toEqual([
      ["0", [36, 68]],
      ["1", [68, 100]],
    ]);
  });
  test("in the tail ends before the next one", () => {
    const found = read(
      ["uint8[]", "uint8[]"],
      ...[word("40"), word("80"), word("1"), word("7"), word("1"), word("8")],
    );
    expect(found.nodes.map(({ bytes }) => bytes)).toEqual([
      [68, 132],
      [132, 196],
    ]);
  });
});

/** Elements without content take no bytes, so a few bytes could declare any number of them. */
describe("the number of values", () => {
  const empty = (count: number): AbiParameter => ({ type: `tuple[${count}]`, name: "a", components: [] });
  const tooMany = "the same bytes are used for too many values";
  test("is at most 64 for no bytes", () => {
    expect(read([empty(63)])).toMatchObject({ findings: [], end: 4 });
    expect(read([empty(64)]).findings).toEqual([finding("undecodable", [4, 4], tooMany)]);
  });
  test("is at most two more for every word", () => {
    expect(read(["uint8", empty(64)], word("1"))).toMatchObject({ findings: [] });
    expect(read(["uint8", empty(65)], word("1")).findings).toEqual([
      finding("undecodable", [36, 36], tooMany),
    ]);
  });
});

test("text without a selector is read from its first byte", () => {
  const found = readAbi(membersOf([{ type: "uint8", name: "n" }]), `0x${word("7")}${word("1")}`, 0);
  expect(found).toEqual({
    values: [7],
    nodes: [{ name: "n", kind: "uint", value: 7, bytes: [0, 32], children: [] }],
    findings: [],
    end: 32,
  });
});
