import canonicalize from "canonicalize";
import { keccak256, stringToBytes } from "viem/utils";
import type { Hex } from "@countersign/wire";
import { quantity } from "./hex.ts";

/** A bigint as a quantity with its sign, because JSON has no form for it. */
const written = (_: string, value: unknown): unknown => {
  if (typeof value !== "bigint") return value;
  return value < 0n ? `-${quantity(-value)}` : quantity(value);
};

/** Returns keccak256 of a result as RFC 8785 JSON, with amounts as quantities. Equal results have equal hashes. */
export function hashResult(result: object): Hex {
  const text = canonicalize(JSON.parse(JSON.stringify(result, written)));
  if (text === undefined) throw new TypeError("A result is a JSON value.");
  return keccak256(stringToBytes(text));
}
