import { sql } from "kysely";
import type { Account } from "../../accounts/index.ts";
import type { Db } from "../../platform/db/connect.ts";

/**
 * Locks the account's ledger: until the end of the database transaction, no other one counts what the account has
 * used. Statements after this one see everything that was counted before.
 */
export async function lockLedger(tx: Db, account: Account): Promise<void> {
  const lock = sql`select from ledgers where account = ${account} for update`;
  if ((await lock.execute(tx)).rows.length > 0) return;
  await sql`insert into ledgers (account) values (${account}) on conflict do nothing`.execute(tx);
  await lock.execute(tx);
}
