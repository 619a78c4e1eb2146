// A version of an owner's policy, as the owner's wallet shows and signs it.
import type { Hex, TypedDataDefinition } from "viem";
import { hashTypedData } from "viem/utils";
import { nameAndVersion } from "./domain.ts";
import { lowerCase, uint, wellFormed } from "./encode.ts";

export type Policy = {
  readonly account: Hex;
  /** The installation: a policy for a test system counts nowhere else. */
  readonly homeChainId: number;
  readonly inbox: Hex;
  /** From 1, without gaps. */
  readonly version: number;
  /** The digest of the version before. Zero for the first. A policy can therefore not be replayed. */
  readonly previous: Hex;
  /** An IANA name such as Europe/Berlin, for rules about hours and weekdays. */
  readonly timeZone: string;
  /** Rules in Cedar. Empty: no rules. */
  readonly text: string;
};

const policyTypes = {
  Policy: [
    { name: "account", type: "address" },
    { name: "homeChainId", type: "uint256" },
    { name: "inbox", type: "address" },
    { name: "version", type: "uint256" },
    { name: "previous", type: "bytes32" },
    { name: "timeZone", type: "string" },
    { name: "text", type: "string" },
  ],
} as const;

/** Returns the typed data that the owner's wallet signs. As for mandates, the domain has no chain. */
export const policyTypedData = (policy: Policy): TypedDataDefinition<typeof policyTypes, "Policy"> => ({
  domain: nameAndVersion,
  types: policyTypes,
  primaryType: "Policy",
  message: {
    account: lowerCase(policy.account),
    homeChainId: uint(policy.homeChainId),
    inbox: lowerCase(policy.inbox),
    version: uint(policy.version),
    previous: policy.previous,
    timeZone: wellFormed(policy.timeZone),
    text: wellFormed(policy.text),
  },
});

/** Returns the EIP-712 digest, which identifies the version. */
export const hashPolicy = (policy: Policy): Hex => hashTypedData(policyTypedData(policy));
