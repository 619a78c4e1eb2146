import { Kysely, PostgresDialect } from "kysely";
import type pg from "pg";
import type { Log } from "@countersign/platform/log";
import { makePool } from "./make-pool.ts";

/**
 * The database, without table types: each slice's store adds its own with `db.$extendTables<…>()`, so that no
 * file has to know them all. A store also accepts a transaction as `Db`.
 */
export type Db = Kysely<unknown>;

export type Database = {
  readonly db: Db;
  readonly ping: () => Promise<void>;
  readonly connections: () => number;
  readonly close: () => Promise<void>;
};

/** Whether a statement of this connection timed out and still runs: the next one would wait for it. */
const isBusy = (client: pg.PoolClient): boolean =>
  "readyForQuery" in client && client.readyForQuery === false;

type Options = { readonly url: string; readonly poolSize: number; readonly log: Log };

export function connectDatabase({ url, poolSize, log }: Options): Database {
  const pool = makePool({
    connectionString: url,
    max: poolSize,
    application_name: "countersign-api",
    connectionTimeoutMillis: 5_000,
    // A hanging statement must not keep a row locked that a payment waits for.
    statement_timeout: 5_000,
    lock_timeout: 2_000,
    idle_in_transaction_session_timeout: 10_000,
    // The timeouts above are the server's. These are for a host that is gone without a word, and for a commit that waits
    // for a standby: its outcome is then unknown, as after a lost connection.
    query_timeout: 15_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  pool.on("release", (_, client) => {
    if (isBusy(client)) void client.end().catch(() => undefined);
  });
  // A connection that the server closes is replaced at the next use; without a listener it would end the process. The
  // pool only listens to idle connections, but one can also be lost between two statements of a transaction, which
  // then fails on its own.
  pool.on("connect", (client) => {
    client.on("error", (error) => {
      log.warn("database connection lost", { error });
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
