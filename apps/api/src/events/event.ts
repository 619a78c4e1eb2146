import type { Account } from "../accounts/index.ts";
import type { Hex } from "@countersign/wire";

/** Something that happened to one of an account's transactions. */
export type AccountEvent = {
  /** Where to read on from. Opaque to whoever gets it. */
  readonly cursor: Cursor;
  readonly account: Account;
  readonly requestHash: Hex;
  /** Of the transaction, after this. */
  readonly version: number;
  readonly event: string;
  readonly status: string;
  readonly phase: string;
  readonly reason: string | null;
  readonly createdAt: Date;
};

/** The database transaction that wrote an event, and the event's number: what an event is ordered by. */
export type Cursor = `${bigint}-${bigint}`;

export const isCursor = (text: string): text is Cursor => /^\d{1,19}-\d{1,19}$/.test(text);
