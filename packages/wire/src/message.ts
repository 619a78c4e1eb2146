// A text that a wallet would sign with EIP-191 (`personal_sign`).
import type { Hex } from "viem";
import { hashMessage as hashText } from "viem/utils";
import { fail } from "./typed-data/problem.ts";

/** Longer than any message that a person reads. */
export const maximumMessageLength = 16_000;

/** Line breaks and tabs are shown. Other control characters are not. */
// eslint-disable-next-line no-control-regex -- it searches for them
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/**
 * Returns the text, unchanged. Throws a TypedDataProblem for a text that wallets sign in different ways, such as hex, or show
 * incompletely.
 */
export function parseMessage(json: unknown): string {
  if (typeof json !== "string" || json === "") return fail("message", "must be a text");
  if (json.length > maximumMessageLength)
    return fail("message", `must have at most ${maximumMessageLength} characters`);
  if (!json.isWellFormed()) return fail("message", "must be well-formed text");
  // Some wallets sign the bytes that it stands for.
  if (/^-?0x[0-9a-f]*$/i.test(json)) return fail("message", "must be text: hex may be signed as bytes");
  return control.test(json) ? fail("message", "must have no control characters but line breaks") : json;
}

/** Returns the hash that a wallet signs: with the prefix of EIP-191 and the length in bytes. */
export const hashMessage = (message: string): Hex => hashText(message);
