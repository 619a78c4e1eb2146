// Reads a message request strictly: the address, and bytes that are exactly one text.
import { parseMessage, TypedDataProblem } from "@countersign/wire";
import { bytesToHex, hexToBytes, isAddress, isHex } from "viem/utils";
import type { Hex } from "../types.ts";
import { NotApprovedError } from "./not-approved.ts";

const refuse = (why: string): never => {
  throw new NotApprovedError(`Not signed: ${why}`);
};

type MessageToSign = { readonly from: Hex; readonly message: string };

/** Reads the parameters of `personal_sign`. If `address` is set, the signer must be that one. */
export function readMessage(params: unknown, address?: Hex): MessageToSign {
  const [given, from, ...more] = Array.isArray(params) ? (params as unknown[]) : [];
  // Some wallets take a password as the third one.
  if (!isHex(given) || typeof from !== "string" || more.some((one) => one !== "" && one !== undefined))
    return refuse("it is not a single message, as bytes in hex");
  if (!isAddress(from, { strict: false }) || from.toLowerCase() !== (address ?? from).toLowerCase())
    return refuse("its signer is another wallet");
  return { from, message: readText(textOf(given)) };
}

/** Returns the text that will be proposed. Throws a NotApprovedError for one that wallets sign or show differently. */
export function readText(text: string): string {
  try {
    return parseMessage(text);
  } catch (error) {
    if (error instanceof TypedDataProblem) return refuse(`its ${error.at} ${error.message}`);
    throw error;
  }
}

/** A hash is rarely the encoding of a text. The service rejects one that is. */
function textOf(given: Hex): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(hexToBytes(given));
    const written = bytesToHex(new TextEncoder().encode(text));
    if (written === given.toLowerCase()) return text;
  } catch {
    // Not the encoding of a text.
  }
  return refuse("bytes that are not a text cannot be compared with a request");
}
