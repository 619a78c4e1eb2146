import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Log } from "@countersign/platform/log";

/**
 * The database, with no tables named: each slice's store names its own with `db.$extendTables<…>()`, so that no file has
 * to know them all. `Db` also is what a store accepts to work inside somebody's transaction.
 */
export type Db = Kysely<unknown>;

export type Database = {
  readonly db: Db;
  readonly ping: () => Promise<void>;
  readonly connections: () => number;
  readonly close: () => Promise<void>;
};

type Options = { readonly url: string; readonly poolSize: number; readonly log: Log };

export function connectDatabase({ url, poolSize, log }: Options): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    application_name: "countersign-api",
    connectionTimeoutMillis: 5_000,
    // A statement that hangs must not hold a row that somebody's money waits for.
    statement_timeout: 5_000,
    lock_timeout: 2_000,
    idle_in_transaction_session_timeout: 10_000,
  });
  // A connection that the server closes is replaced at the next use; without a listener it would end the process. The pool
  // listens to idle ones only: one can also be lost between two statements of a transaction, which then fails by itself.
  pool.on("connect", (client) => {
    client.on("error", (error) => {
      log.warn("a database connection was lost", { error });
    });
  });
  pool.on("error", () => undefined);
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    ping: async () => {
      await pool.query("select 1");
    },
    connections: () => pool.totalCount,
    close: () => db.destroy(),
  };
}
