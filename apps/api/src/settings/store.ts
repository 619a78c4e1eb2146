import { sql } from "kysely";
import type { Account } from "../accounts/index.ts";
import { gather } from "../platform/ask-together.ts";
import type { Db } from "../platform/db/connect.ts";

type ExecutionType = 0 | 1 | 2;

export type AccountSettings = {
  readonly id: string;
  readonly userId: string;
  readonly executionType: ExecutionType;
  /** How long the same request of the same agent counts as repeated. */
  readonly repeatWindowSeconds: number;
  /** Whether anyone may read the account's results. */
  readonly publicProfile: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** The owner's choice. An omitted member stays as it is. */
export type Choice = Pick<AccountSettings, "executionType"> & {
  readonly repeatWindowSeconds?: number | undefined;
};

export type SettingsStore = ReturnType<typeof makeSettingsStore>;

export function makeSettingsStore(db: Db) {
  // Batched, because every proposal reads the settings.
  const readTogether = gather(async (accounts: readonly Account[]) => {
    const { rows } = await sql<AccountSettings & { readonly account: Account }>`
      select s.account, s.id, u.id as "userId", s.execution_type as "executionType",
        s.repeat_window_seconds as "repeatWindowSeconds", s.public_profile as "publicProfile",
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

    async change(account: Account, { executionType, repeatWindowSeconds }: Choice): Promise<void> {
      await sql`
        update settings set execution_type = ${executionType}, updated_at = now(),
          repeat_window_seconds = coalesce(${repeatWindowSeconds ?? null}, repeat_window_seconds)
        where account = ${account}`.execute(db);
    },

    async setPublicProfile(account: Account, isPublic: boolean): Promise<void> {
      await sql`
        update settings set public_profile = ${isPublic}, updated_at = now()
        where account = ${account} and public_profile <> ${isPublic}`.execute(db);
    },
  };
}
