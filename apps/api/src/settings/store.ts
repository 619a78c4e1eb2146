import { sql } from "kysely";
import type { Account } from "../accounts/index.ts";
import type { Db } from "../platform/db/connect.ts";

export type ExecutionType = 0 | 1 | 2;

export type AccountSettings = {
  readonly id: string;
  readonly userId: string;
  readonly executionType: ExecutionType;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type SettingsStore = ReturnType<typeof makeSettingsStore>;

export function makeSettingsStore(db: Db) {
  return {
    /** An account that never chose has the defaults from its first look on. */
    async ensure(account: Account, newSettingsId: string): Promise<void> {
      await sql`
        insert into settings (id, account) values (${newSettingsId}, ${account})
        on conflict (account) do nothing`.execute(db);
    },

    async read(account: Account): Promise<AccountSettings | undefined> {
      const { rows } = await sql<AccountSettings>`
        select s.id, u.id as "userId", s.execution_type as "executionType",
          s.created_at as "createdAt", s.updated_at as "updatedAt"
        from settings s join users u on u.account = s.account
        where s.account = ${account}`.execute(db);
      return rows[0];
    },

    async chooseExecutionType(account: Account, executionType: ExecutionType): Promise<void> {
      await sql`
        update settings set execution_type = ${executionType}, updated_at = now()
        where account = ${account}`.execute(db);
    },
  };
}
