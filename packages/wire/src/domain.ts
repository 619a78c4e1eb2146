// The EIP-712 domain of everything that is hashed or signed about a proposal. It names the home chain and its Inbox
// contract, so that a verdict of one installation says nothing in another.
import type { Hex } from "viem";
import { lowerCase, uint } from "./encode.ts";

/** Where an installation is at home: `{ chainId: 11155111, inbox: "0x…" }`. */
export type WireDomain = {
  /** The home chain, not the chain a proposal is for. */
  readonly chainId: number;
  /** The Inbox contract there. */
  readonly inbox: Hex;
};

/** The same in EIP-712's words, as wallets and libraries want it. */
export type TypedDomain = {
  readonly name: "Countersign";
  readonly version: WireVersion;
  readonly chainId: number;
  readonly verifyingContract: Hex;
};

/** 1: a single transaction. 2: every other shape. */
export type WireVersion = "1" | "2";

/** `domainOf({ chainId: 1, inbox })` → `{ name: "Countersign", version: "1", chainId: 1, verifyingContract: inbox }`. */
export const domainOf = ({ chainId, inbox }: WireDomain, version: WireVersion = "1"): TypedDomain => ({
  name: nameAndVersion.name,
  version,
  chainId: Number(uint(chainId)),
  verifyingContract: lowerCase(inbox),
});

/** The part that does not depend on the installation; all that a user's signed intent is bound to. */
export const nameAndVersion = { name: "Countersign", version: "1" } as const;
