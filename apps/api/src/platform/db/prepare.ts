import { CannotStart } from "@countersign/platform/process";
import type { Log } from "@countersign/platform/log";
import { migrate, readStanding } from "./migrate.ts";

type Options = {
  /** As the role that the service runs with. */
  readonly url: string;
  /** As the role that owns the tables, if this process may migrate. */
  readonly migrationUrl: string | undefined;
  /** Refuse a role that could rewrite what was decided, instead of warning about it. */
  readonly isStrict: boolean;
  readonly log: Log;
};

const separate =
  "Run the migrations as the owner of the tables (DATABASE_MIGRATION_URL) and let DATABASE_URL name another role. See docs/guides/run-it-yourself.md.";

/** Migrates, if a role that may is given, and checks the privileges of the role that the service runs with. */
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
  log.warn("the database role of the service could rewrite approvals and events", { reason: separate });
}
