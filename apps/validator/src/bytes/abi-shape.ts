/** An ABI type prepared for reading. It is parsed once per signature, so that a request never parses a type string. */
import type { AbiParameter } from "abitype";

export type Shape = {
  /** The value is in the tail, and the head holds its offset. */
  readonly dynamic: boolean;
  /** Bytes that the value takes in the head. */
  readonly size: number;
} & (
  | { readonly kind: "uint" | "int"; readonly bits: number }
  | { readonly kind: "address" | "bool" | "bytes" | "string" }
  | { readonly kind: "fixed"; readonly bytes: number }
  | { readonly kind: "array"; readonly of: Shape; readonly length: number | null }
  | { readonly kind: "tuple"; readonly members: readonly Member[]; readonly named: boolean }
);

export type Member = { readonly name: string; readonly shape: Shape };

const word = { dynamic: false, size: 32 } as const;
const elsewhere = { dynamic: true, size: 32 } as const;

const elementary = (type: string): Shape => {
  if (type === "address" || type === "bool") return { kind: type, ...word };
  if (type === "bytes" || type === "string") return { kind: type, ...elsewhere };
  const number = /^(u?int)(\d{0,3})$/.exec(type);
  if (number) return { kind: number[1] === "int" ? "int" : "uint", bits: Number(number[2]) || 256, ...word };
  const fixed = /^bytes(\d{1,2})$/.exec(type);
  if (fixed) return { kind: "fixed", bytes: Number(fixed[1]), ...word };
  throw new Error(`unknown ABI type: ${type}`);
};

const arrayOf = (of: Shape, length: number | null): Shape => {
  const dynamic = length === null || of.dynamic;
  return { kind: "array", of, length, dynamic, size: dynamic ? 32 : of.size * length };
};

const shapeOf = (parameter: AbiParameter): Shape => {
  const array = /^(.*)\[(\d*)\]$/.exec(parameter.type);
  if (array) {
    const of = shapeOf({ ...parameter, type: array[1] ?? "" });
    return arrayOf(of, array[2] ? Number(array[2]) : null);
  }
  if (parameter.type !== "tuple") return elementary(parameter.type);
  const components = "components" in parameter ? parameter.components : [];
  const members = membersOf(components);
  const dynamic = members.some(({ shape }) => shape.dynamic);
  const size = dynamic ? 32 : members.reduce((sum, { shape }) => sum + shape.size, 0);
  return {
    kind: "tuple",
    members,
    named: components.length > 0 && components.every(({ name }) => name),
    dynamic,
    size,
  };
};

/** Members without a name are named by their position. */
export const membersOf = (parameters: readonly AbiParameter[]): readonly Member[] =>
  parameters.map((parameter, i) => ({
    name: parameter.name === undefined || parameter.name === "" ? String(i) : parameter.name,
    shape: shapeOf(parameter),
  }));
