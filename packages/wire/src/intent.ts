// The user's signature over the request. Without it, the request is only the agent's claim.
import type { Hex, TypedDataDefinition } from "viem";
import { nameAndVersion } from "./domain.ts";
import { lowerCase, uint, wellFormed } from "./encode.ts";

export type Intent = {
  readonly account: Hex;
  readonly text: string;
  readonly chainId: number;
  /** 32 bytes. */
  readonly nonce: Hex;
  /** Unix seconds. */
  readonly expiresAt: number;
};

const intentTypes = {
  Intent: [
    { name: "account", type: "address" },
    { name: "text", type: "string" },
    { name: "chainId", type: "uint256" },
    { name: "nonce", type: "bytes32" },
    { name: "expiresAt", type: "uint256" },
  ],
} as const;

/**
 * Returns the typed data that the user's wallet signs. The domain has no chain, because a wallet on another network would
 * refuse to sign; the chain is one of the signed fields instead.
 */
export const intentTypedData = (intent: Intent): TypedDataDefinition<typeof intentTypes, "Intent"> => ({
  domain: nameAndVersion,
  types: intentTypes,
  primaryType: "Intent",
  message: {
    account: lowerCase(intent.account),
    text: wellFormed(intent.text),
    chainId: uint(intent.chainId),
    nonce: intent.nonce,
    expiresAt: uint(intent.expiresAt),
  },
});
