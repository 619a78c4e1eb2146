// Reads a signature request strictly: the address, and typed data that has exactly one digest.
import { parseTypedData, TypedDataProblem, type TypedData } from "@countersign/wire";
import { isAddress } from "viem/utils";
import type { Hex } from "../types.ts";
import { NotApprovedError } from "./not-approved.ts";

const refuse = (why: string): never => {
  throw new NotApprovedError(`Not signed: ${why}`);
};

export type ToSign = { readonly from: Hex; readonly typedData: TypedData };

/**
 * Reads the parameters of `eth_signTypedData_v4`. If `address` is set, the signer must be that one. The result is a copy
 * that the caller cannot change.
 */
export function readTypedData(params: unknown, address?: Hex): ToSign {
  const [from, given, ...more] = Array.isArray(params) ? (params as unknown[]) : [];
  if (typeof from !== "string" || given === undefined || more.length > 0)
    return refuse("it is not a single message");
  if (!isAddress(from, { strict: false }) || from.toLowerCase() !== (address ?? from).toLowerCase())
    return refuse("its signer is another wallet");
  return { from, typedData: parseStrictly(typeof given === "string" ? parseJson(given) : given) };
}

/** Returns the canonical form of typed data. Throws a NotApprovedError if libraries could read it differently. */
function parseStrictly(given: unknown): TypedData {
  try {
    return parseTypedData(given);
  } catch (error) {
    if (error instanceof TypedDataProblem) return refuse(`its ${error.at} ${error.message}`);
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse("it is not JSON");
  }
}
