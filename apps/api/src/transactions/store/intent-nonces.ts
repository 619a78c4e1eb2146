import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";

/** The clock that an expiry is judged by is the process's and may be behind the database's. */
const graceSeconds = 24 * 60 * 60;

/** Forgets some nonces of signatures that are refused for their age by now. Returns how many. */
export async function forgetIntentNonces(db: Db, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from intent_nonces where (account, nonce) in (
      select account, nonce from intent_nonces
      where expires_at < extract(epoch from now()) - ${graceSeconds}
      order by expires_at limit ${limit} for update skip locked)
    returning 1`.execute(db);
  return rows.length;
}
