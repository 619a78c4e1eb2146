import type { Account } from "../accounts/index.ts";

export type Hex = `0x${string}`;

/** The flow that brings a key onto the chain, for the row's id. */
export const registerKeyFlow = "RegisterKey";
/** What its transaction is for, in the record of the service's own transactions. */
export const registerKeyPurpose = "register-key";
/** The chain may be away, or not yet obey our registrar, for as long as that. */
export const registerKeyAllowanceSeconds = 24 * 60 * 60;

/** An OpenPGP key that an account registered. */
export type PgpKey = {
  readonly id: string;
  readonly account: Account;
  /** In lower case, without 0x. */
  readonly fingerprint: string;
  readonly armoured: string;
  readonly signatureHash: Hex;
  readonly registeredAt: Date;
  readonly isCurrent: boolean;
  readonly chainState:
    "unasked" | "waiting" | "signed" | "recorded" | "recorded-by-account" | "replaced" | "refused";
  /** Once it is in a block. */
  readonly transactionHash: Hex | null;
};
