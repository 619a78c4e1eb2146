import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect, sql } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import pg from "pg";
import { explainDatabaseError } from "./explain-database-error.ts";

const folder = new URL("../../../migrations/", import.meta.url);

async function run(statements: string, db: Kysely<unknown>): Promise<void> {
  await sql.raw(statements).execute(db);
}

/** Each `NNNN_name.sql` is a migration, in the order of their names. There is no way down: a mistake is mended forwards. */
async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  const entries = files.map(async (file): Promise<[string, Migration]> => {
    const statements = await readFile(new URL(file, folder), "utf8");
    return [file.replace(/\.sql$/, ""), { up: (db) => run(statements, db) }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** A database that is still starting is worth a short wait; anything else is the operator's to mend. */
async function waitForDatabase(pool: pg.Pool, onWait: () => void, attempts = 60): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await pool.query("select 1");
      return;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      const isStarting = code === "ECONNREFUSED" || code === "57P03";
      if (!isStarting || attempt === attempts) throw explainDatabaseError(error);
      if (attempt === 1) onWait();
      await sleep(500);
    }
  }
}

/**
 * Brings the schema up to date. Every process does it at its start: an advisory lock lets one through and the others
 * find nothing left to do. `onWait` is called once if the database does not answer yet. All pending migrations are one transaction, so a failed one leaves the schema as it was.
 */
export async function migrate(
  connectionString: string,
  onWait: () => void = () => undefined,
): Promise<readonly string[]> {
  const pool = new pg.Pool({
    connectionString,
    max: 2,
    application_name: "countersign-migrate",
    connectionTimeoutMillis: 5_000,
  });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    await waitForDatabase(pool, onWait);
    const migrator = new Migrator({
      db,
      provider: { getMigrations: readMigrations },
      migrationTableName: "migrations",
      migrationLockTableName: "migrations_lock",
    });
    const { error, results = [] } = await migrator.migrateToLatest();
    if (error !== undefined) {
      const failed = results.find(({ status }) => status === "Error")?.migrationName ?? "the migrations";
      throw new Error(`${failed} failed; the schema is unchanged`, { cause: error });
    }
    return results.map(({ migrationName }) => migrationName);
  } finally {
    await db.destroy();
  }
}
