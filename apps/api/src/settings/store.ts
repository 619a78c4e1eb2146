import { sql } from "kysely";
import type { Account } from "../accounts/index.ts";
import { gather } from "../platform/ask-together.ts";
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
  // Batched, because every proposal reads the settings.
  const readTogether = gather(async (accounts: readonly Account[]) => {
    const { rows } = await sql<AccountSettings & { readonly account: Account }>`
      select s.account, s.id, u.id as "userId", s.execution_type as "executionType",
        s.created_at as "createdAt", s.updated_at as "updatedAt"
      from settings s join users u on u.account = s.account
      where s.account = any(${[...accounts]}::text[])`.execute(db);
    return new Map(rows.map(({ account, ...settings }) => [account, settings]));
  });
  return {
    /** Stores the defaults for an account that has no settings yet. */
    async ensure(account: Account, newSettingsId: string): Promise<void> {
      await sql`
        insert into settings (id, account) values (${newSettingsId}, ${account})
        on conflict (account) do nothing`.execute(db);
    },

    read: async (account: Account): Promise<AccountSettings | undefined> =>
      (await readTogether(account)).get(account),

    async chooseExecutionType(account: Account, executionType: ExecutionType): Promise<void> {
      await sql`
        update settings set execution_type = ${executionType}, updated_at = now()
        where account = ${account}`.execute(db);
    },
  };
}
