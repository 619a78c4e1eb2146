import type { Account } from "../accounts/index.ts";

export type Hex = `0x${string}`;

/** The flow that records a key on the chain. Its key is the row's id. */
export const registerKeyFlow = "RegisterKey";
/** The purpose of its transaction in the table of the service's own transactions. */
export const registerKeyPurpose = "register-key";
/** How long the chain may be unavailable, or our registrar not yet authorised, before the flow gives up. */
export const registerKeyAllowanceSeconds = 24 * 60 * 60;

/** An OpenPGP key that an account registered. */
export type PgpKey = {
  readonly id: string;
  readonly account: Account;
  /** Lower-case hex without 0x. */
  readonly fingerprint: string;
  readonly armoured: string;
  readonly signatureHash: Hex;
  readonly registeredAt: Date;
  readonly isCurrent: boolean;
  readonly chainState:
    "unasked" | "waiting" | "signed" | "recorded" | "recorded-by-account" | "replaced" | "refused";
  /** Set once it is in a block. */
  readonly transactionHash: Hex | null;
};
