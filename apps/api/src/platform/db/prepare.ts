import { CannotStart } from "@countersign/platform/process";
import type { Log } from "@countersign/platform/log";
import { migrate, readStanding } from "./migrate.ts";

type Options = {
  /** With the role that the service runs as. */
  readonly url: string;
  /** With the role that owns the tables, if this process may migrate. */
  readonly migrationUrl: string | undefined;
  /** Whether to refuse a role that could rewrite decisions instead of warning about it. */
  readonly isStrict: boolean;
  readonly log: Log;
};

const separate =
  "Run the migrations as the owner of the tables (DATABASE_MIGRATION_URL) and use another role in DATABASE_URL. See docs/guides/run-it-yourself.md.";

/** Migrates if it has a role that may, and checks the privileges of the role that the service runs as. */
export async function prepareDatabase({ url, migrationUrl, isStrict, log }: Options): Promise<void> {
  const { role, mayCreate } = await readStanding(url, () => {
    log.warn("waiting for PostgreSQL");
  });
  // With a single role, as in a first try, that role migrates.
  const migrateAs = migrationUrl ?? (mayCreate ? url : undefined);
  if (migrateAs !== undefined)
    for (const migration of await migrate(migrateAs, role)) log.info("migrated", { migration });
  const { pending, mayRewrite } = await readStanding(url);
  if (pending.length > 0)
    throw new CannotStart(
      `The database is not migrated: ${pending.join(", ")}. Run npm run admin -w apps/api -- migrate with DATABASE_MIGRATION_URL set.`,
    );
  if (!mayRewrite) return;
  if (isStrict)
    throw new CannotStart(`The database role ${role} could rewrite approvals and events. ${separate}`);
  log.warn("service's database role could rewrite approvals and events", { reason: separate });
}
