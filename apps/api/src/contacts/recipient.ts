import type { Account } from "../accounts/index.ts";
import type { Party as TransactionParty } from "../transactions/index.ts";
import type { Contact } from "./contact.ts";

export type Party = TransactionParty;

/** Earlier executed transactions of the account with the same party in the same role. */
export type PartyHistory = {
  readonly address: Account;
  readonly contact: Contact | null;
  /** Final on their chain. */
  readonly executed: number;
  /** Those of them that the owner approved in person. */
  readonly byOwner: number;
  /** Signatures that were handed over. Whether they were used is not known. */
  readonly signatures: number;
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
};

/** A known address with the same ends. */
export type LookAlike = {
  readonly address: Account;
  readonly name: string | null;
  /** How many earlier transactions had it as a party, in any role. */
  readonly executed: number;
};
