// Reads JSON that came from outside, without a schema library: the SDK carries this into browsers. Each reader answers
// undefined for what it does not accept, and never throws.
import type { Hex } from "viem";
import { lowerCase } from "./encode.ts";

type Reader<T> = (json: unknown) => T | undefined;

/** All the members that have a reader, and none besides; undefined as soon as one of them is not acceptable. */
export function readMembers<T extends object>(
  json: unknown,
  readers: { readonly [Name in keyof T]: Reader<T[Name]> },
): T | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  const members = new Map<string, unknown>(Object.entries(json));
  const read: Partial<T> = {};
  for (const name of Object.keys(readers) as (keyof T & string)[]) {
    const value = readers[name](members.get(name));
    if (value === undefined) return undefined;
    read[name] = value;
  }
  return read as T;
}

export const readLiteral =
  <T extends string>(literal: T): Reader<T> =>
  (json) =>
    json === literal ? literal : undefined;

/** A whole number that a double holds exactly. */
export const readCount: Reader<number> = (json) =>
  typeof json === "number" && Number.isSafeInteger(json) && json >= 0 ? json : undefined;

export const readAddress: Reader<Hex> = (json) => readHex(json, 20);
export const readWord: Reader<Hex> = (json) => readHex(json, 32);

/** Without leading zeros, so that a value has one written form. */
export const readUint256: Reader<string> = (json) =>
  typeof json === "string" && isUint256(json) ? json : undefined;

export const isUint256 = (text: string): boolean =>
  /^(0|[1-9][0-9]{0,77})$/.test(text) && BigInt(text) < 2n ** 256n;

/**
 * An ECDSA signature in the one form that Solidity's checkers take: 65 bytes, v 27 or 28, s in the lower half. The other
 * forms prove as much, but a second signature could be made of a first one without the key.
 */
export const readSignature: Reader<Hex> = (json) => {
  const signature = readHex(json, 65);
  if (signature === undefined) return undefined;
  const isLow = BigInt(`0x${signature.slice(66, 130)}`) <= halfOrder;
  return isLow && /(1b|1c)$/.test(signature) ? signature : undefined;
};

// Half the order of secp256k1, rounded down.
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

const readHex = (json: unknown, bytes: number): Hex | undefined =>
  typeof json === "string" && json.length === 2 + 2 * bytes && /^0x[0-9a-fA-F]+$/.test(json)
    ? lowerCase(json as Hex)
    : undefined;
