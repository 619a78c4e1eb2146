import type { Account } from "../accounts/index.ts";

/** A name that the owner gave to an address. For display only. */
export type Contact = {
  /** In lower case. */
  readonly address: Account;
  readonly name: string;
  readonly note: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export const contactsAtMost = 1_000;
