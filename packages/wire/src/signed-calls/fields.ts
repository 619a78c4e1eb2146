// Members of data to be signed. Integers may be decimal strings or bigints.
import type { Hex } from "viem";
import { isAddress, isHex } from "viem/utils";

export type Fields = Readonly<Record<string, unknown>>;

/** The data has another form. Never leaves this folder. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
}

export function addressAt(fields: Fields, name: string): Hex {
  const value = fields[name];
  if (typeof value !== "string" || !isAddress(value, { strict: false })) throw new Unreadable(name);
  return value.toLowerCase() as Hex;
}

export function integerAt(fields: Fields, name: string): bigint {
  const value = fields[name];
  if (typeof value === "bigint") return value;
  if (typeof value !== "string" || !/^\d{1,78}$/.test(value)) throw new Unreadable(name);
  return BigInt(value);
}

export function hexAt(fields: Fields, name: string): Hex {
  const value = fields[name];
  if (!isHex(value) || value.length % 2 === 1) throw new Unreadable(name);
  return value.toLowerCase() as Hex;
}

export function flagAt(fields: Fields, name: string): boolean {
  const value = fields[name];
  if (typeof value !== "boolean") throw new Unreadable(name);
  return value;
}

export function fieldsOf(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Unreadable();
  return value as Fields;
}
