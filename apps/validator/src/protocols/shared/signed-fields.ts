/**
 * Reads fields of signed data strictly. The caller chooses the spelling of integers and addresses. A field that is
 * missing or has the wrong type throws, which makes the message unreadable instead of half read.
 */
import type { Address, Hex, TypedData } from "../../proposal.ts";

export type Fields = Readonly<Record<string, unknown>>;

const MAX = 2n ** 256n;

export const fieldsAt = (holder: Fields, name: string): Fields => {
  const found = holder[name];
  if (typeof found !== "object" || found === null || Array.isArray(found))
    throw new Error(`${name} is not a struct`);
  return found as Fields;
};

export const listAt = (holder: Fields, name: string): readonly Fields[] => {
  const found = holder[name];
  if (!Array.isArray(found)) throw new Error(`${name} is not a list`);
  return found.map((_, index) => fieldsAt(found as unknown as Fields, String(index)));
};

export const addressAt = (holder: Fields, name: string): Address => {
  const found = holder[name];
  if (typeof found !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(found))
    throw new Error(`${name} is not an address`);
  return found.toLowerCase() as Address;
};

const wholeNumber = (found: unknown): bigint | null => {
  if (typeof found === "bigint") return found;
  if (typeof found === "number") return Number.isSafeInteger(found) ? BigInt(found) : null;
  if (typeof found !== "string" || found.length > 80) return null;
  return /^(?:\d+|0x[0-9a-fA-F]+)$/.test(found) ? BigInt(found) : null;
};

export const integerAt = (holder: Fields, name: string): bigint => {
  const found = wholeNumber(holder[name]);
  if (found === null || found < 0n || found >= MAX) throw new Error(`${name} is not an unsigned integer`);
  return found;
};

export const flagAt = (holder: Fields, name: string): boolean => {
  const found = holder[name];
  if (found === true || found === "true") return true;
  if (found === false || found === "false") return false;
  throw new Error(`${name} is neither true nor false`);
};

export const hexAt = (holder: Fields, name: string): Hex => {
  const found = holder[name];
  if (typeof found !== "string" || !/^0x[0-9a-fA-F]*$/.test(found))
    throw new Error(`${name} is not a hex string`);
  return found.toLowerCase() as Hex;
};

/** The contract that will check the signature. For a token's own permit it is the token. */
export const verifyingContract = (data: TypedData): Address => addressAt(data.domain, "verifyingContract");
