// Orion's decision about one proposal, and the only thing that orion signs.
import type { Hex, TypedDataDefinition } from "viem";
import { hashTypedData } from "viem/utils";
import { domainOf, type WireDomain } from "./domain.ts";
import { lowerCase, uint } from "./encode.ts";

/** The decision codes in signatures. Zero is unused, so that an empty word is not a decision. */
export const decisionCodes = { APPROVED: 1, REJECTED: 2, UNDECIDED: 3 } as const;

export type Decision = keyof typeof decisionCodes;

export type Verdict = {
  readonly requestHash: Hex;
  readonly escrow: Hex;
  readonly chainId: number;
  readonly to: Hex;
  readonly value: bigint;
  readonly dataHash: Hex;
  readonly intentHash: Hex;
  readonly decision: Decision;
  readonly reportHash: Hex;
  /** Unix seconds. */
  readonly issuedAt: number;
  /** Unix seconds; the proposal's deadline. */
  readonly validUntil: number;
};

const verdictTypes = {
  Verdict: [
    { name: "requestHash", type: "bytes32" },
    { name: "escrow", type: "address" },
    { name: "chainId", type: "uint256" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "dataHash", type: "bytes32" },
    { name: "intentHash", type: "bytes32" },
    { name: "decision", type: "uint8" },
    { name: "reportHash", type: "bytes32" },
    { name: "issuedAt", type: "uint64" },
    { name: "validUntil", type: "uint64" },
  ],
} as const;

/** Returns the data to sign: `account.signTypedData(verdictTypedData(domain, verdict))`. */
export const verdictTypedData = (
  domain: WireDomain,
  verdict: Verdict,
): TypedDataDefinition<typeof verdictTypes, "Verdict"> => ({
  domain: domainOf(domain),
  types: verdictTypes,
  primaryType: "Verdict",
  message: {
    ...verdict,
    escrow: lowerCase(verdict.escrow),
    chainId: uint(verdict.chainId),
    to: lowerCase(verdict.to),
    decision: decisionCodes[verdict.decision],
    issuedAt: uint(verdict.issuedAt),
    validUntil: uint(verdict.validUntil),
  },
});

/** The digest that is signed. */
export const hashVerdict = (domain: WireDomain, verdict: Verdict): Hex =>
  hashTypedData(verdictTypedData(domain, verdict));
