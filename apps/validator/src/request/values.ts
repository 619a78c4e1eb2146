/** Reads single values of a request: addresses, bytes and quantities. Invalid values become defects, never exceptions. */
import { getAddress } from "viem/utils";
import type { Address, Defect, Hex } from "../proposal.ts";
import { isWrittenNumber, writtenAs } from "./lossless-json.ts";

export type Json = Readonly<Record<string, unknown>>;

export const zeroAddress: Address = "0x0000000000000000000000000000000000000000";

const maxUint256 = 2n ** 256n - 1n;
const maxDataCharacters = 2 * 2 * 1024 * 1024;

/** Shared by the readers of one request. */
export type Notes = { readonly defects: Defect[] };

export const asObject = (value: unknown): Json | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isWrittenNumber(value)
    ? (value as Json)
    : null;

export const asList = (value: unknown): readonly unknown[] | null => (Array.isArray(value) ? value : null);

/** Returns an own member, so that "constructor" is not found in an empty object. Null and "" count as absent. */
export function member(object: Json, key: string): unknown {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return value === null || value === "" ? undefined : value;
}

/** Formats a value for display: short, and without control characters. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? value : describe(value);
  const clean = text.slice(0, 90).replace(/\p{C}/gu, "�");
  return clean.length > 80 ? `${clean.slice(0, 80)}…` : clean;
}

function describe(value: unknown): string {
  if (typeof value === "bigint" || typeof value === "number" || typeof value === "boolean")
    return String(value);
  if (isWrittenNumber(value)) return writtenAs(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return value === null || value === undefined ? "nothing" : "an object";
}

export const isAddress = (value: unknown): value is Address =>
  typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value);

export const lower = (address: Address): Address => address.toLowerCase() as Address;

/** Reads an address that will be signed or paid. Checks its format and, if it is in mixed case, its checksum. */
export function readAddress(value: unknown, at: string, { defects }: Notes): Address | null {
  if (!isAddress(value)) {
    defects.push({
      check: "address_format",
      at,
      found: shown(value),
      expected: "0x followed by 40 hexadecimal digits",
    });
    return null;
  }
  const plain = lower(value);
  const digits = value.slice(2);
  if (digits === plain.slice(2) || digits === digits.toUpperCase()) return plain;
  const expected = getAddress(plain);
  if (expected !== value) defects.push({ check: "checksum", at, found: value, expected });
  return plain;
}

/** Reads calldata. Returns `0x` and adds a defect if it is malformed, so that it is not read as other calldata. */
export function readHex(value: unknown, at: string, { defects }: Notes): Hex {
  if (value === undefined) return "0x";
  // Searching for a wrong digit, instead of matching all right ones, does not overflow the stack on long data.
  const isHex =
    typeof value === "string" &&
    value.startsWith("0x") &&
    value.length % 2 === 0 &&
    !/[^0-9a-fA-F]/.test(value.slice(2));
  if (isHex && value.length <= maxDataCharacters) return value.toLowerCase() as Hex;
  defects.push({
    check: "hex_encoding",
    at,
    found: isHex ? `${value.length} characters` : shown(value),
    expected: isHex ? "at most 2 MiB" : "0x followed by an even number of hexadecimal digits",
  });
  return "0x";
}

/** Reads a whole number from 0 to 2^256-1, written in decimal digits, as 0x-hex or as a JSON integer. Returns null for anything else. */
export function asQuantity(value: unknown): bigint | null {
  if (typeof value === "bigint") return inRange(value);
  if (typeof value === "number") return Number.isSafeInteger(value) ? inRange(BigInt(value)) : null;
  if (typeof value !== "string") return null;
  if (value === "0x") return 0n;
  return /^(?:[0-9]{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value) ? inRange(BigInt(value)) : null;
}

const inRange = (value: bigint): bigint | null => (value >= 0n && value <= maxUint256 ? value : null);

export function readQuantity(
  value: unknown,
  at: string,
  notes: Notes,
  check: Defect["check"] = "value_encoding",
): bigint | null {
  if (value === undefined) return null;
  const quantity = asQuantity(value);
  if (quantity === null) {
    notes.defects.push({
      check,
      at,
      found: shown(value),
      expected: "a whole number from 0 to 2^256-1, in decimal digits or 0x-hex",
    });
  }
  return quantity;
}
