import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect, sql } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import type pg from "pg";
import { explainDatabaseError } from "./explain-database-error.ts";
import { grantService, mayRewrite } from "./grants.ts";
import { NoPrimary } from "./find-primary.ts";
import { makePool } from "./make-pool.ts";

const folder = new URL("../../../migrations/", import.meta.url);

async function run(statements: string, db: Kysely<unknown>): Promise<void> {
  await sql.raw(statements).execute(db);
}

/**
 * Each `NNNN_name.sql` is a migration, in the order of their names. There are no down migrations: a mistake
 * is fixed by another migration.
 */
async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  const entries = files.map(async (file): Promise<[string, Migration]> => {
    const statements = await readFile(new URL(file, folder), "utf8");
    return [file.replace(/\.sql$/, ""), { up: (db) => run(statements, db) }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Waits briefly for a database that is still starting. Anything else is for the operator to fix. */
async function waitForDatabase(pool: pg.Pool, onWait: () => void, attempts = 60): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await pool.query("select 1");
      return;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      const isStarting = code === "ECONNREFUSED" || code === "57P03" || error instanceof NoPrimary;
      if (!isStarting || attempt === attempts) throw explainDatabaseError(error);
      if (attempt === 1) onWait();
      await sleep(500);
    }
  }
}

function makeMigrator(db: Kysely<unknown>): Migrator {
  return new Migrator({
    db,
    provider: { getMigrations: readMigrations },
    migrationTableName: "migrations",
    migrationLockTableName: "migrations_lock",
  });
}

/** `onWait` is called once if the database does not answer yet. */
async function withDatabase<T>(
  connectionString: string,
  work: (db: Kysely<unknown>) => Promise<T>,
  onWait: () => void = () => undefined,
): Promise<T> {
  const pool = makePool({
    connectionString,
    max: 2,
    application_name: "countersign-migrate",
    // A busy machine takes seconds to accept a connection, and a migration may wait.
    connectionTimeoutMillis: 30_000,
  });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    await waitForDatabase(pool, onWait);
    return await work(db);
  } finally {
    await db.destroy();
  }
}

const readRole = async (db: Kysely<unknown>): Promise<string> =>
  (await sql<{ role: string }>`select current_user as role`.execute(db)).rows[0]?.role ?? "";

/**
 * Migrates the schema to the current version. An advisory lock lets one process migrate, and the others find
 * nothing to do. All pending migrations are one transaction, so a failed one leaves the schema unchanged.
 * `serviceRole` then gets the privileges of the service, unless it is the role that migrates.
 */
export const migrate = (connectionString: string, serviceRole?: string): Promise<readonly string[]> =>
  withDatabase(connectionString, async (db) => {
    const { error, results = [] } = await makeMigrator(db).migrateToLatest();
    if (error !== undefined) {
      const failed = results.find(({ status }) => status === "Error")?.migrationName ?? "the migrations";
      throw new Error(`${failed} failed; the schema is unchanged`, { cause: error });
    }
    if (serviceRole !== undefined && serviceRole !== (await readRole(db)))
      await grantService(db, serviceRole);
    return results.map(({ migrationName }) => migrationName);
  });

/** The state that the service's own role finds before it starts. */
export type Standing = {
  readonly role: string;
  /** It could change or delete decisions. */
  readonly mayRewrite: boolean;
  /** It could migrate. */
  readonly mayCreate: boolean;
  /** Migrations that have not run yet. */
  readonly pending: readonly string[];
};

export const readStanding = (connectionString: string, onWait?: () => void): Promise<Standing> =>
  withDatabase(
    connectionString,
    async (db) => {
      const { rows } = await sql<{ may: boolean }>`
      select has_schema_privilege(current_user, 'public', 'CREATE') as may`.execute(db);
      const known = await sql<{ name: string }>`select name from migrations`
        .execute(db)
        .catch(() => ({ rows: [] }));
      const done = new Set(known.rows.map(({ name }) => name));
      return {
        role: await readRole(db),
        mayRewrite: await mayRewrite(db),
        mayCreate: rows[0]?.may ?? false,
        pending: Object.keys(await readMigrations()).filter((name) => !done.has(name)),
      };
    },
    onWait,
  );
