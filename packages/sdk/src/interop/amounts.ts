// Amounts in base units and in whole tokens, and the ids of assets.
import type { Hex } from "../types.ts";
import { isAddress, lower, refuse, requireThat, type MandateTerms } from "./types.ts";

type Limit = MandateTerms["limits"][number];

/** Returns a limit in base units. */
export function unitsOf({ most, decimals }: Pick<Limit, "most" | "decimals">): bigint {
  const [whole = "", part = ""] = most.split(".");
  return BigInt(`${whole}${part.padEnd(decimals, "0")}`);
}

/** Writes base units as whole tokens. */
export function tokensOf(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const part = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return part === "" ? whole : `${whole}.${part}`;
}

/** The largest amount that a mandate can name. More is no limit. */
const mostUnits = 10n ** 59n;

/** Reads a uint256 that is a decimal number, a hex number or a bigint. */
export function readUnits(value: unknown, name: string): bigint {
  const isNumber =
    typeof value === "bigint" ||
    (typeof value === "number" && Number.isSafeInteger(value)) ||
    (typeof value === "string" && /^(?:\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value));
  requireThat(isNumber, `${name} is not a number.`);
  const units = BigInt(value);
  requireThat(units >= 0n && units < mostUnits, `${name} is too large to be a limit.`);
  return units;
}

/** Reads a whole number of seconds. */
export function readSeconds(value: unknown, name: string): number {
  const seconds = Number(readUnits(value, name));
  requireThat(Number.isSafeInteger(seconds), `${name} is not a time.`);
  return seconds;
}

export type Asset = { readonly id: string; readonly chainId: number; readonly token: Hex | null };

/** Reads a CAIP-19 id of a mandate. The native currency has no token. */
export function assetOf(id: string): Asset {
  const [, chain = "", token] = /^eip155:(\d+)\/(?:slip44:\d+|erc20:(0x[0-9a-fA-F]{40}))$/.exec(id) ?? [];
  if (chain === "") refuse(`${id} is not an asset of an EVM chain.`);
  return { id, chainId: Number(chain), token: token === undefined ? null : lower(token) };
}

export const assetId = (chainId: number, token: Hex | null): string =>
  token === null ? `eip155:${chainId}/slip44:60` : `eip155:${chainId}/erc20:${token}`;

export function readAddress(value: unknown, name: string): Hex {
  requireThat(isAddress(value), `${name} is not an address.`);
  return lower(value);
}

/** Reads the id of a chain as a number or in hex. */
export function readChain(value: unknown): number {
  const chainId = Number(readUnits(value, "chainId"));
  requireThat(Number.isSafeInteger(chainId) && chainId > 0, "chainId is not a chain.");
  return chainId;
}

/** The recipients on the asset's chain. Null: anyone. */
export const payeesOf = (
  { recipients }: Pick<MandateTerms, "recipients">,
  { chainId }: Asset,
): readonly Hex[] | null =>
  recipients.includes("*")
    ? null
    : recipients
        .filter((id) => id.startsWith(`eip155:${chainId}:`))
        .map((id) => lower(id.slice(id.lastIndexOf(":") + 1)));
