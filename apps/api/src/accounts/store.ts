import { sql } from "kysely";
import type { Db } from "../platform/db/connect.ts";
import type { Account, User } from "./account.ts";

/** Somebody's database transaction, to be handed on and not looked into. */
export type Within = Db;

export type AccountStore = ReturnType<typeof makeAccountStore>;

export function makeAccountStore(db: Db) {
  /** The user of that account; made now if there is none. Two at once get the same one. */
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
    // Somebody else's insert was committed after this statement began to look: it is there now.
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
