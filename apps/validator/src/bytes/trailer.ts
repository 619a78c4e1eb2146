/**
 * Classifies data after the last argument. One real transaction in ten has some: mostly a short tag of the tool that
 * built it, which no contract reads, but also instructions to pay a commission, which the contract does read.
 */
import type { EncodingFinding } from "../effects.ts";
import type { Hex } from "../proposal.ts";

const ATTRIBUTION_MARK = "8021".repeat(8);
/** The commission words of an aggregator: six bytes of tag, six of rate, twenty of referrer. */
const COMMISSION_MARK = /0afc2(?:aaa|bbb)/;
const TAG_BYTES = 32;
const LONGEST_ATTRIBUTION_BYTES = 160;

const isPrintable = (hex: string): boolean => {
  for (let i = 0; i < hex.length; i += 2) {
    const code = Number.parseInt(hex.slice(i, i + 2), 16);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
};

/** Twelve zero bytes and twenty that are neither small nor text: an ABI-encoded address. */
const isAddressWord = (word: string): boolean =>
  word.length === 64 &&
  word.startsWith("0".repeat(24)) &&
  !word.startsWith("0".repeat(34)) &&
  !isPrintable(word.slice(24));

const holdsAddress = (hex: string): boolean => {
  if (hex.length === 40) return !isPrintable(hex);
  for (const start of new Set([0, hex.length % 64])) {
    for (let i = start; i + 64 <= hex.length; i += 64) if (isAddressWord(hex.slice(i, i + 64))) return true;
  }
  return false;
};

const kindOf = (hex: string): EncodingFinding["kind"] => {
  if (hex.endsWith(ATTRIBUTION_MARK) && hex.length <= LONGEST_ATTRIBUTION_BYTES * 2) return "trailing_tag";
  if (COMMISSION_MARK.test(hex) || holdsAddress(hex)) return "trailing_fee";
  return hex.length <= TAG_BYTES * 2 ? "trailing_tag" : "trailing_unexplained";
};

const words: Partial<Record<EncodingFinding["kind"], string>> = {
  trailing_tag: "a short tag that no argument uses",
  trailing_fee: "bytes that no argument uses, with an address that may be paid",
  trailing_unexplained: "bytes that no argument uses and nothing explains",
};

/** Returns the finding for the data after byte `end`, if there is any. */
export const judgeTrailer = (data: Hex, end: number): EncodingFinding | null => {
  const hex = data.slice(2 + end * 2);
  if (hex.length === 0) return null;
  const kind = kindOf(hex);
  const length = Math.ceil(hex.length / 2);
  return {
    kind,
    bytes: [end, end + length],
    said: `${length} bytes follow the arguments: ${words[kind] ?? ""}`,
  };
};
