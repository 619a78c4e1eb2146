import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

/** The database, or somebody's transaction in it, to be handed on and not looked into. */
export type Within = Db;

export type Kept = {
  readonly operation: string;
  readonly bodyHash: Buffer;
  readonly status: number;
  readonly answer: unknown;
};
type Name = { readonly principal: string; readonly key: string };

export type IdempotencyStore = ReturnType<typeof makeIdempotencyStore>;

export function makeIdempotencyStore(db: Db) {
  return {
    /** One statement is a transaction by itself. */
    run: <T>(work: (tx: Db) => Promise<T>, { isOneStatement }: { isOneStatement: boolean }): Promise<T> =>
      isOneStatement ? work(db) : db.transaction().execute(work),

    /** False if another transaction holds it. It is let go when the transaction ends, however it ends. */
    async tryLock(tx: Db, lock: bigint): Promise<boolean> {
      const { rows } = await sql<{ taken: boolean }>`
        select pg_try_advisory_xact_lock(${lock.toString()}::bigint) as taken`.execute(tx);
      return rows[0]?.taken === true;
    },

    async find({ principal, key }: Name, tx: Db = db): Promise<Kept | undefined> {
      const { rows } = await sql<Kept>`
        select operation, body_hash as "bodyHash", status, answer from idempotency_keys
        where principal = ${principal} and key = ${key}`.execute(tx);
      return rows[0];
    },

    async keep(tx: Db, { principal, key, operation, bodyHash, status, answer }: Name & Kept): Promise<void> {
      await sql`
        insert into idempotency_keys (principal, key, operation, body_hash, status, answer)
        values (${principal}, ${key}, ${operation}, ${bodyHash}, ${status}, ${JSON.stringify(answer)})`.execute(
        tx,
      );
    },

    /** Those older than that, the oldest first and only so many: nobody waits for a long delete. Returns how many. */
    async forget(limit: number, olderThanSeconds: number): Promise<number> {
      const { rows } = await sql`
        delete from idempotency_keys where (principal, key) in (
          select principal, key from idempotency_keys
          where created_at < now() - make_interval(secs => ${olderThanSeconds})
          order by created_at limit ${limit} for update skip locked)
        returning 1`.execute(db);
      return rows.length;
    },
  };
}
