// An EIP-7702 authorization in one canonical form: it has the account run the code of another contract from then on.
import type { Hex } from "viem";
import { hashAuthorization as hashTuple } from "viem/utils";
import { readChainId } from "./typed-data/domain.ts";
import { fail } from "./typed-data/problem.ts";
import { parseStruct } from "./typed-data/values.ts";

/** All that the signature covers. */
export type Authorization = {
  readonly chainId: number;
  /** The contract whose code the account would run. The zero address removes the delegation. */
  readonly address: Hex;
  /** The account's nonce when it is used, as a decimal string. It is invalid with any other. */
  readonly nonce: string;
};

/** Each authorization is a signature of its own, so a proposal has one. */
export type AuthorizationList = readonly [Authorization];

const field = (name: string, type: string) => ({ name, type });

const types = {
  Authorization: [field("chainId", "uint256"), field("address", "address"), field("nonce", "uint64")],
} as const;

/**
 * Returns the canonical form of a list of exactly one authorization. Throws a TypedDataProblem that names the member: one that the
 * hash would not cover, such as a signature, or a chain id of 0, which stands for every chain.
 */
export function parseAuthorizationList(json: unknown): AuthorizationList {
  const [tuple, ...others] = Array.isArray(json) ? (json as unknown[]) : [];
  if (tuple === undefined || others.length > 0)
    return fail("authorizationList", "must be a list of exactly one authorization");
  const { chainId, address, nonce } = parseStruct(tuple, "Authorization", types, "0") as Parsed;
  if (chainId === "0") return fail("0.chainId", "must be one chain: 0 would be valid on every chain");
  // No account ever gets there, and libraries read a nonce as a number.
  if (!Number.isSafeInteger(Number(nonce))) return fail("0.nonce", "must be the nonce of an account");
  return [{ chainId: readChainId(chainId, "0.chainId"), address, nonce }];
}

type Parsed = { readonly chainId: string; readonly address: Hex; readonly nonce: string };

/** Returns the hash that the account signs: of 0x05 and the RLP list of the members. */
export const hashAuthorizationList = ([{ chainId, address, nonce }]: AuthorizationList): Hex =>
  hashTuple({ chainId, address, nonce: Number(nonce) });
