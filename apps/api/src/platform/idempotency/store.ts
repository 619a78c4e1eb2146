import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

/** The database or a caller's transaction. Pass it on; do not use it directly. */
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
    /** A single statement is a transaction on its own. */
    run: <T>(work: (tx: Db) => Promise<T>, { isOneStatement }: { isOneStatement: boolean }): Promise<T> =>
      isOneStatement ? work(db) : db.transaction().execute(work),

    /** Returns false if another transaction holds the lock. It is released when the transaction ends in any way. */
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

    /**
     * Deletes the oldest answers beyond that age, a limited number at once, so that no request waits for a
     * long delete. Returns how many.
     */
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
