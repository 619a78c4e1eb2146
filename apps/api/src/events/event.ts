import type { Account } from "../accounts/index.ts";
import type { Hex } from "@countersign/wire";

/** A change of one of an account's transactions. */
export type AccountEvent = {
  /** Where to resume. Opaque to clients. */
  readonly cursor: Cursor;
  readonly account: Account;
  readonly requestHash: Hex;
  /** The transaction's version after this change. */
  readonly version: number;
  readonly event: string;
  readonly status: string;
  readonly phase: string;
  readonly reason: string | null;
  /** The code of why the owner is asked about a transaction that could have been approved without them. */
  readonly needsOwner: string | null;
  readonly createdAt: Date;
};

/** The database transaction that wrote an event and the event's number. Events are ordered by both. */
export type Cursor = `${bigint}-${bigint}`;

export const isCursor = (text: string): text is Cursor => /^\d{1,19}-\d{1,19}$/.test(text);
