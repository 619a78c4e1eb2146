// Lets a test set the clock of its database, so that a service on it decides as at that time.
import type pg from "pg";

export type TestClock = { readonly set: (at: Date) => Promise<void> };

/**
 * Replaces `now()` and `clock_timestamp()` for connections that are opened afterwards, and in the defaults of the
 * columns whose time counts for budgets.
 */
export async function aTestClock(client: pg.Client): Promise<TestClock> {
  const { rows } = await client.query<{ name: string }>("select current_database() as name");
  for (const statement of [
    "create schema clock",
    "create table clock.face (at timestamptz not null)",
    "insert into clock.face values (now())",
    "create function clock.now() returns timestamptz language sql as 'select at from clock.face'",
    "create function clock.clock_timestamp() returns timestamptz language sql as 'select at from clock.face'",
    "grant usage on schema clock to public",
    "grant select on clock.face to public",
    "alter table account_events alter created_at set default clock.now()",
    "alter table budget_uses alter changed_at set default clock.clock_timestamp()",
    `alter database "${rows[0]?.name ?? ""}" set search_path = clock, public, pg_catalog`,
  ])
    await client.query(statement);
  return {
    set: async (at) => {
      await client.query("update clock.face set at = $1", [at]);
    },
  };
}
