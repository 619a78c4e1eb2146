// A call as somebody types it. What could be read in two ways is refused: an amount that is a little off moves money.
import type { Call, Hex } from "@countersign/sdk";
import { isAddress, parseUnits } from "viem/utils";
import { usageError } from "../errors.ts";
import { plainLine } from "../terminal/plain-text.ts";

const decimals: Readonly<Record<string, number>> = { eth: 18, gwei: 9, wei: 0, "": 0 };

/** `0.1ETH`, `0.1 ETH`, `3gwei`, or wei. */
export function readValue(text: string): bigint {
  const [, whole, fraction = "", unit = ""] = /^(\d+)(?:\.(\d+))? ?([a-zA-Z]*)$/.exec(text.trim()) ?? [];
  const places = decimals[unit.toLowerCase()];
  if (whole === undefined || places === undefined)
    throw usageError(
      `${plainLine(text)} is no amount.`,
      "--value 0.1ETH, or in wei: --value 100000000000000000",
    );
  if (unit === "" && fraction !== "")
    throw usageError(
      `${text} of what? Without a unit it is wei, and wei have no fractions.`,
      `--value ${text}ETH`,
    );
  if (fraction.length > places) throw usageError(`${text} is finer than the coin can be divided.`);
  return parseUnits(`${whole}${fraction === "" ? "" : `.${fraction}`}`, places);
}

export function readAddress(text: string, what: string): Hex {
  const isMixed = /[a-f]/.test(text.slice(2)) && /[A-F]/.test(text.slice(2));
  if (!isAddress(text, { strict: false })) throw usageError(`${what} takes an address: 0x and 40 digits.`);
  const hasGoodChecksum: boolean = isAddress(text);
  if (isMixed && !hasGoodChecksum)
    throw usageError(
      `${text} has a checksum that does not hold: a digit was mistyped.`,
      "Copy it again from where it is known",
    );
  return text;
}

export function readBytes(text: string): Hex {
  if (!/^0x([0-9a-fA-F]{2})*$/.test(text)) throw usageError("--data takes bytes: 0x and pairs of digits.");
  return text as Hex;
}

export function readChain(text: string): number {
  const chain = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (chain === 0) throw usageError("--chain takes the number of a chain, as 11155111.");
  return chain;
}

const hashPattern = /^0x[0-9a-fA-F]{64}$/;
export const isHash = (text: string): boolean => hashPattern.test(text);

export function readHash(text: string): Hex {
  if (!isHash(text))
    throw usageError("That is no request hash: it would be 0x and 64 digits.", "countersign status");
  return text as Hex;
}

export type CallOptions = {
  readonly to?: string;
  readonly value?: string;
  readonly data?: string;
};

export function readCall({ to, value, data }: CallOptions): Call {
  if (to === undefined) throw usageError("Whom does it call? Say --to ADDRESS.");
  return {
    to: readAddress(to, "--to"),
    value: value === undefined ? 0n : readValue(value),
    data: data === undefined ? "0x" : readBytes(data),
  };
}
