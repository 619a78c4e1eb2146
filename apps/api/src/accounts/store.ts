import { sql } from "kysely";
import type { Db } from "../platform/db/connect.ts";
import type { Account, User } from "./account.ts";

/** A caller's database transaction. Pass it on; do not use it directly. */
export type Within = Db;

export type AccountStore = ReturnType<typeof makeAccountStore>;

export function makeAccountStore(db: Db) {
  /** Returns the user of that account, creating it if necessary. Concurrent calls return the same user. */
  const ensure = async (account: Account, newUserId: string, tx: Db = db): Promise<User> => {
    const { rows } = await sql<User>`
      with made as (
        insert into users (id, account) values (${newUserId}, ${account})
        on conflict (account) do nothing
        returning id, account, created_at)
      select id, account, created_at as "createdAt" from made
      union all
      select id, account, created_at from users where account = ${account}
      limit 1`.execute(tx);
    const [user] = rows;
    // A concurrent insert committed after this statement took its snapshot. The row is visible now.
    return user ?? ensure(account, newUserId, tx);
  };
  return {
    ensure,

    async find(account: Account): Promise<User | undefined> {
      const { rows } = await sql<User>`
        select id, account, created_at as "createdAt" from users where account = ${account}`.execute(db);
      return rows[0];
    },
  };
}
