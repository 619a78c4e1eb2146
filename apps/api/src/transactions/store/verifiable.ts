import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { bytesOf, type Hex } from "../../platform/db/hex.ts";
import type { Extras, Transaction } from "../transaction.ts";
import { columns, transactionOf, type Row, type WatchedChains } from "./columns.ts";

/** A proposal on its way to a verdict. */
export type Verifiable = {
  readonly transaction: Transaction;
  /** Of an unencrypted one. */
  readonly extras: Extras | null;
  /** Null until it is in a registration. */
  readonly registrationId: string | null;
  /** Whether its registration is on the chain. */
  readonly isRegistered: boolean;
  /** Whether it is registered under a root. */
  readonly hasRoot: boolean;
};

type Found = Row & Omit<Verifiable, "transaction">;

/** Those that are not known are left out. */
export async function listVerifiable(
  db: Db,
  requestHashes: readonly Hex[],
  watchedChains: WatchedChains,
): Promise<readonly Verifiable[]> {
  const { rows } = await sql<Found>`
    select ${columns}, case when t.form = 'unsealed' then t.unsealed_extras end as extras,
      g.registration_id as "registrationId", coalesce(r.state <> 'open', false) as "isRegistered",
      coalesce(r.form = 'root', false) as "hasRoot"
    from request_index i join transactions t on t.id = i.transaction_id
    left join registered g on g.transaction_id = t.id
    left join registrations r on r.id = g.registration_id
    where i.request_hash = any(${requestHashes.map(bytesOf)}::bytea[])`.execute(db);
  return rows.map(({ extras, registrationId, isRegistered, hasRoot, ...row }) => ({
    transaction: transactionOf(row, watchedChains),
    ...{ extras, registrationId, isRegistered, hasRoot },
  }));
}
