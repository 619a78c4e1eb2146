/**
 * Writes arguments in the one form that encoders use. It shares only the shapes with the reader, so bytes that it
 * reproduces unchanged were read correctly.
 */
import type { Member, Shape } from "./abi-shape.ts";

const WORD = 64;

const numberWord = (value: bigint | number): string => {
  if (value >= 0) return value.toString(16).padStart(WORD, "0");
  return BigInt.asUintN(256, BigInt(value)).toString(16);
};

/** Prefixes the length and pads with zeros to a whole word. */
const writeBlob = (hex: string): string =>
  numberWord(hex.length / 2) + hex.padEnd(Math.ceil(hex.length / WORD) * WORD, "0");

const writeList = (shape: Shape & { kind: "array" }, items: readonly unknown[]): string => {
  const written = writeAll(items.length, () => shape.of, items);
  return shape.length === null ? numberWord(items.length) + written : written;
};

const writeTuple = ({ members, named }: Shape & { kind: "tuple" }, value: unknown): string => {
  const values = named
    ? members.map(({ name }) => (value as Readonly<Record<string, unknown>>)[name])
    : (value as readonly unknown[]);
  return writeAll(members.length, (at) => members[at]?.shape, values);
};

const writeOne = (shape: Shape, value: unknown): string => {
  switch (shape.kind) {
    case "uint":
    case "int":
      return numberWord(value as bigint | number);
    case "bool":
      return numberWord(value === true ? 1 : 0);
    case "address":
      return (value as string).slice(2).padStart(WORD, "0");
    case "fixed":
      return (value as string).slice(2).padEnd(WORD, "0");
    case "bytes":
      return writeBlob((value as string).slice(2));
    case "string":
      return writeBlob(Buffer.from(value as string, "utf8").toString("hex"));
    case "array":
      return writeList(shape, value as readonly unknown[]);
    case "tuple":
      return writeTuple(shape, value);
  }
};

/**
 * Static values are in the head. For a dynamic value the head holds the offset, and the tail holds the values in the
 * same order.
 */
const writeAll = (
  count: number,
  shapeAt: (at: number) => Shape | undefined,
  values: readonly unknown[],
): string => {
  let headBytes = 0;
  for (let at = 0; at < count; at += 1) headBytes += shapeAt(at)?.size ?? 0;
  let head = "";
  let tail = "";
  for (let at = 0; at < count; at += 1) {
    const shape = shapeAt(at);
    if (shape === undefined) continue;
    const written = writeOne(shape, values[at]);
    if (shape.dynamic) {
      head += numberWord(headBytes + tail.length / 2);
      tail += written;
    } else head += written;
  }
  return head + tail;
};

/** Returns hex digits without `0x`. Takes `values` in the form that the reader returns. */
export const writeAbi = (members: readonly Member[], values: readonly unknown[]): string =>
  writeAll(members.length, (at) => members[at]?.shape, values);
