import canonicalize from "canonicalize";
import type { Hex } from "viem";
import { hashText } from "./encode.ts";

/**
 * The hash of the validator's whole response, whatever the order of its members: keccak256 of its RFC 8785 text. Throws
 * on what JSON has no form for: bigint, NaN, text that is not well-formed Unicode.
 */
export function hashReport(report: unknown): Hex {
  const text = canonicalize(report);
  if (text === undefined) throw new TypeError("A report is a JSON value.");
  return hashText(text);
}
