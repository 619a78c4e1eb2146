// Helpers for EIP-712 payloads.
import { must } from "../must.ts";
import type { TypedData } from "../types.ts";

/** Reads "name:type" for each field. */
export const fields = (list: readonly string[]): { name: string; type: string }[] =>
  list.map((field) => ({ name: must(field.split(":")[0]), type: must(field.split(":")[1]) }));

export const TRANSFER_WITH_AUTHORIZATION = [
  "from:address",
  "to:address",
  "value:uint256",
  "validAfter:uint256",
  "validBefore:uint256",
  "nonce:bytes32",
];

/** Converts to the JSON that wallets send: every integer is a decimal string. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint" || typeof value === "number") return value.toString();
  if (Array.isArray(value)) return value.map(plain);
  if (value !== null && typeof value === "object") {
    // Numbers of ethers v5, as the SDKs return them.
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
    .map((name) => ({ name, type: must(DOMAIN_FIELDS[name]) }));
  return {
    domain: { ...domain, ...("chainId" in domain ? { chainId: Number(domain.chainId) } : {}) },
    types: { EIP712Domain: fields, ...types },
    primaryType,
    message: plain(message) as Record<string, unknown>,
  };
}
