// Shared helpers for EIP-712 payloads.
import type { TypedData } from "../types.ts";

/** JSON form wallets send: every integer as a decimal string. */
export function plain(value: unknown): unknown {
  if (typeof value === "bigint" || typeof value === "number") return value.toString();
  if (Array.isArray(value)) return value.map(plain);
  if (value !== null && typeof value === "object") {
    // ethers v5 numbers, as the SDKs return them
    if ("_isBigNumber" in value) return (value as { toString(): string }).toString();
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, plain(v)]));
  }
  return value;
}

const DOMAIN_FIELDS: Record<string, string> = {
  name: "string",
  version: "string",
  chainId: "uint256",
  verifyingContract: "address",
};

export function typed(
  domain: { chainId?: unknown; [field: string]: unknown },
  types: Record<string, { name: string; type: string }[]>,
  primaryType: string,
  message: object,
): TypedData {
  const fields = Object.keys(DOMAIN_FIELDS)
    .filter((name) => name in domain)
    .map((name) => ({ name, type: DOMAIN_FIELDS[name]! }));
  return {
    domain: { ...domain, ...("chainId" in domain ? { chainId: Number(domain.chainId) } : {}) },
    types: { EIP712Domain: fields, ...types },
    primaryType,
    message: plain(message) as Record<string, unknown>,
  };
}
