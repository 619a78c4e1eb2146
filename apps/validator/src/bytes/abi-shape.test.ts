/** Checks ABI types that were prepared for reading. */
import { describe, expect, test } from "vitest";
import { membersOf, type Shape } from "./abi-shape.ts";

const shape = (type: string, more: object = {}): Shape | undefined =>
  membersOf([{ type, name: "a", ...more }])[0]?.shape;
const word = { dynamic: false, size: 32 };
const elsewhere = { dynamic: true, size: 32 };

describe("an elementary type", () => {
  test.each<[string, object]>([
    ["address", { kind: "address", ...word }],
    ["bool", { kind: "bool", ...word }],
    ["bytes", { kind: "bytes", ...elsewhere }],
    ["string", { kind: "string", ...elsewhere }],
    ["uint", { kind: "uint", bits: 256, ...word }],
    ["uint8", { kind: "uint", bits: 8, ...word }],
    ["int", { kind: "int", bits: 256, ...word }],
    ["int128", { kind: "int", bits: 128, ...word }],
    ["bytes1", { kind: "fixed", bytes: 1, ...word }],
    ["bytes32", { kind: "fixed", bytes: 32, ...word }],
  ])("%s", (type, expected) => {
    expect(shape(type)).toEqual(expected);
  });
  test.each([
    "",
    "function",
    "xuint8",
    "uint8x",
    "uint1234",
    "xbytes4",
    "bytes4x",
    "bytes123",
    "tuples",
    "uint8[2]x",
    "uint8[x]",
    "x\nuint8[2]",
  ])("rejects “%s”, which is not an ABI type", (type) => {
    expect(() => shape(type)).toThrow("unknown ABI type: ");
  });
});

describe("an array", () => {
  const of = { kind: "uint", bits: 8, ...word };
  test.each<[string, object]>([
    ["uint8[]", { kind: "array", of, length: null, ...elsewhere }],
    ["uint8[3]", { kind: "array", of, length: 3, dynamic: false, size: 96 }],
    ["bytes[2]", { kind: "array", of: { kind: "bytes", ...elsewhere }, length: 2, dynamic: true, size: 32 }],
    [
      "uint8[3][2]",
      {
        kind: "array",
        of: { kind: "array", of, length: 3, dynamic: false, size: 96 },
        length: 2,
        dynamic: false,
        size: 192,
      },
    ],
  ])("%s", (type, expected) => {
    expect(shape(type)).toEqual(expected);
  });
});

describe("a tuple", () => {
  const a = { type: "uint8", name: "a" };
  const b = { type: "address", name: "b" };
  test.each<[string, readonly object[] | undefined, object]>([
    ["of static words takes their total length", [a, b], { dynamic: false, size: 64, named: true }],
    [
      "with a dynamic member is in the tail",
      [a, { type: "bytes", name: "c" }],
      { ...elsewhere, named: true },
    ],
    ["with a member without a name is an array", [a, { type: "uint8" }], { named: false }],
    ["with a member of an empty name is an array", [a, { type: "uint8", name: "" }], { named: false }],
    ["without members is empty", [], { dynamic: false, size: 0, named: false, members: [] }],
    ["without components is empty", undefined, { dynamic: false, size: 0, named: false, members: [] }],
  ])("%s", (_, components, expected) => {
    expect(shape("tuple", components === undefined ? {} : { components })).toMatchObject(expected);
  });
});

test("members without a name are named by their position", () => {
  const types = [{ type: "bool", name: "a" }, { type: "bool" }, { type: "bool", name: "" }];
  expect(membersOf(types).map(({ name }) => name)).toEqual(["a", "1", "2"]);
});
