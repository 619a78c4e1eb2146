import { migrate, readStanding } from "./migrate.ts";

type Settings = { readonly DATABASE_URL: string; readonly DATABASE_MIGRATION_URL?: string | undefined };

/** Migrates as the owner of the tables and grants the role of DATABASE_URL the privileges of the service. */
export async function migrateDatabase(
  { DATABASE_URL: url, DATABASE_MIGRATION_URL: migrationUrl }: Settings,
  print: (line: string) => void,
): Promise<boolean> {
  if (migrationUrl === undefined) throw new Error("DATABASE_MIGRATION_URL is not set");
  const { role } = await readStanding(url);
  const done = await migrate(migrationUrl, role);
  print(done.length === 0 ? "The schema is up to date." : `Migrated: ${done.join(", ")}.`);
  const { mayRewrite } = await readStanding(url);
  print(
    mayRewrite
      ? `The role ${role} could still rewrite approvals and events: use another role in DATABASE_URL than the owner of the tables.`
      : `The role ${role} can neither rewrite nor delete approvals and events.`,
  );
  return true;
}
