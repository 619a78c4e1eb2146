// Parses a call from options. Rejects ambiguous input: a slightly wrong amount moves money.
import type { Call, Hex } from "@countersign/sdk";
import { isAddress, parseUnits } from "viem/utils";
import { usageError } from "../errors.ts";
import { plainLine } from "../terminal/plain-text.ts";

const decimals: Readonly<Record<string, number>> = { eth: 18, gwei: 9, wei: 0, "": 0 };

/** Parses `0.1ETH`, `0.1 ETH`, `3gwei`, or wei. */
export function readValue(text: string): bigint {
  const [, whole, fraction = "", unit = ""] = /^(\d+)(?:\.(\d+))? ?([a-zA-Z]*)$/.exec(text.trim()) ?? [];
  const places = decimals[unit.toLowerCase()];
  if (whole === undefined || places === undefined)
    throw usageError(
      `“${plainLine(text)}” isn't an amount.`,
      "--value 0.1ETH, or in wei: --value 100000000000000000",
    );
  if (unit === "" && fraction !== "")
    throw usageError(
      `“${text}” needs a unit. Without one it's wei, which has no decimals.`,
      `--value ${text}ETH`,
    );
  if (fraction.length > places) throw usageError(`“${text}” has too many decimals.`);
  return parseUnits(`${whole}${fraction === "" ? "" : `.${fraction}`}`, places);
}

export function readAddress(text: string, what: string): Hex {
  const isMixed = /[a-f]/.test(text.slice(2)) && /[A-F]/.test(text.slice(2));
  if (!isAddress(text, { strict: false }))
    throw usageError(`${what} needs an address: 0x and 40 hex characters.`);
  const hasGoodChecksum: boolean = isAddress(text);
  if (isMixed && !hasGoodChecksum)
    throw usageError(`${text} has a wrong checksum. Check for a typo.`, "Copy it again from its source");
  return text;
}

export function readBytes(text: string): Hex {
  if (!/^0x([0-9a-fA-F]{2})*$/.test(text))
    throw usageError("--data needs hex: 0x and an even number of characters.");
  return text as Hex;
}

export function readChain(text: string): number {
  const chain = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (chain === 0) throw usageError("--chain needs a chain ID, for example 11155111.");
  return chain;
}

const hashPattern = /^0x[0-9a-fA-F]{64}$/;
export const isHash = (text: string): boolean => hashPattern.test(text);

export function readHash(text: string): Hex {
  if (!isHash(text))
    throw usageError("That isn't a request hash (0x and 64 hex characters).", "countersign status");
  return text as Hex;
}

export type CallOptions = {
  readonly to?: string;
  readonly value?: string;
  readonly data?: string;
};

export function readCall({ to, value, data }: CallOptions): Call {
  if (to === undefined) throw usageError("--to ADDRESS is missing.");
  return {
    to: readAddress(to, "--to"),
    value: value === undefined ? 0n : readValue(value),
    data: data === undefined ? "0x" : readBytes(data),
  };
}
