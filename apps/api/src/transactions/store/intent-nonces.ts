import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";

/** The process's clock, which decides about expiry, may be behind the database's. */
const graceSeconds = 24 * 60 * 60;

/** Deletes some nonces of signatures that have expired. Returns how many. */
export async function forgetIntentNonces(db: Db, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from intent_nonces where (account, nonce) in (
      select account, nonce from intent_nonces
      where expires_at < extract(epoch from now()) - ${graceSeconds}
      order by expires_at limit ${limit} for update skip locked)
    returning 1`.execute(db);
  return rows.length;
}
