// Reads a signature request strictly: the address, and typed data that has exactly one digest.
import { parseTypedData, TypedDataProblem, type TypedData } from "@countersign/wire";
import type { Hex } from "../types.ts";
import { NotApprovedError } from "./not-approved.ts";

const refuse = (why: string): never => {
  throw new NotApprovedError(`Not signed: ${why}`);
};

/** Reads the parameters of `eth_signTypedData_v4`. The result is a copy that the caller cannot change. */
export function readTypedData(params: unknown, address: Hex): TypedData {
  const [from, given, ...more] = Array.isArray(params) ? (params as unknown[]) : [];
  if (typeof from !== "string" || given === undefined || more.length > 0)
    return refuse("it is not a single message");
  if (from.toLowerCase() !== address.toLowerCase()) return refuse("its signer is another wallet");
  try {
    return parseTypedData(typeof given === "string" ? parseJson(given) : given);
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
