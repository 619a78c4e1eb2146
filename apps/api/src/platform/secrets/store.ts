import { sql } from "kysely";
import { newId } from "@countersign/platform/ids";
import {
  openSecret,
  rewrapDataKey,
  SecretError,
  sealSecret,
  type Keks,
  type Place,
  type SealedSecret,
  type WrappedKey,
} from "@countersign/platform/secrets";
import type { Db } from "../db/connect.ts";
import { loadOnce } from "../load-once.ts";

type Dates = { readonly createdAt: Date; readonly retiredAt: Date | null };
/** A secret without its value, which can be listed without a key. */
export type SecretEntry = Place & Dates & { readonly kekId: string };
/** A decrypted secret. Never put the value into a log, an error or an answer. */
export type Secret = Place & Dates & { readonly value: Buffer };
export type Rewrapped = {
  readonly rewrapped: number;
  /** Those that could not be read, and why. */
  readonly failed: readonly { readonly id: string; readonly reason: string }[];
  /** How many still need another key than the current one. Keep every key until this is 0. */
  readonly remaining: number;
};

type Options = {
  readonly db: Db;
  /** The keys, or a function that loads them when the first secret is needed. */
  readonly keks: Keks | (() => Promise<Keks>);
};
type Row = SealedSecret & Dates;

const columns = sql`id, purpose, kek_id as "kekId", wrapped_key as "wrappedKey", nonce, ciphertext,
  created_at as "createdAt", retired_at as "retiredAt"`;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export type SecretStore = ReturnType<typeof makeSecretStore>;

export function makeSecretStore({ db, keks }: Options) {
  const readKeks = typeof keks === "function" ? loadOnce(keks) : () => Promise.resolve(keks);

  const open = async (row: Row): Promise<Secret> => {
    const { id, purpose, createdAt, retiredAt } = row;
    return { id, purpose, createdAt, retiredAt, value: await openSecret(await readKeks(), row) };
  };
  const seal = async (purpose: string, value: Buffer): Promise<SealedSecret> =>
    sealSecret((await readKeks())[0], { id: newId(), purpose, value });

  const insert = async (tx: Db, sealed: SealedSecret): Promise<void> => {
    const { id, purpose, kekId, wrappedKey, nonce, ciphertext } = sealed;
    await sql`
      insert into secrets (id, purpose, kek_id, wrapped_key, nonce, ciphertext)
      values (${id}, ${purpose}, ${kekId}, ${wrappedKey}, ${nonce}, ${ciphertext})`.execute(tx);
  };
  const listCurrentRows = async (tx: Db, purpose: string): Promise<readonly Row[]> => {
    const { rows } = await sql<Row>`
      select ${columns} from secrets where purpose = ${purpose} and retired_at is null
      order by created_at desc, id desc`.execute(tx);
    return rows;
  };
  const readRow = async (id: string): Promise<Row> => {
    const { rows } = uuid.test(id)
      ? await sql<Row>`select ${columns} from secrets where id = ${id}`.execute(db)
      : { rows: [] };
    const [row] = rows;
    if (row === undefined) throw new SecretError("unknown-secret", "Secret not found");
    return row;
  };

  /** Changes nothing if the record has been rewrapped in the meantime. */
  const replaceWrappedKey = async (old: Place & WrappedKey, by: WrappedKey): Promise<boolean> => {
    const { rows } = await sql`
      update secrets set kek_id = ${by.kekId}, wrapped_key = ${by.wrappedKey}
      where id = ${old.id} and wrapped_key = ${old.wrappedKey} returning 1`.execute(db);
    return rows.length === 1;
  };
  const listWrappedOtherwise = async (
    kekId: string,
    after: string,
    limit: number,
  ): Promise<readonly (Place & WrappedKey)[]> => {
    const { rows } = await sql<Place & WrappedKey>`
      select id, purpose, kek_id as "kekId", wrapped_key as "wrappedKey" from secrets
      where kek_id <> ${kekId} and id > ${after} order by id limit ${limit}`.execute(db);
    return rows;
  };
  /** Returns whether it was done here, or why it cannot be: a record that cannot be read must not block the others. */
  const rewrapOne = async (ring: Keks, record: Place & WrappedKey): Promise<boolean | string> => {
    try {
      return await replaceWrappedKey(record, await rewrapDataKey(ring, record));
    } catch (error) {
      if (error instanceof SecretError) return error.message;
      throw error;
    }
  };
  const countWrappedOtherwise = async (kekId: string): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from secrets where kek_id <> ${kekId}`.execute(db);
    return rows[0]?.count ?? 0;
  };

  return {
    async save({ purpose, value }: { readonly purpose: string; readonly value: Buffer }): Promise<string> {
      const sealed = await seal(purpose, value);
      await insert(db, sealed);
      return sealed.id;
    },

    /** Also reads a retired secret, which older data may need. */
    async read(id: string): Promise<Secret> {
      return open(await readRow(id));
    },

    /** Secrets that are not retired, newest first: use the first; the others are still valid. */
    async listCurrent(purpose: string): Promise<readonly Secret[]> {
      return Promise.all((await listCurrentRows(db, purpose)).map(open));
    },

    /**
     * Returns the newest current secret of a purpose, creating it if it is missing. Concurrent calls in
     * several processes return the same one; extra values are discarded. One that cannot be read is an error
     * and never replaced.
     */
    async ensure(purpose: string, make: () => Buffer): Promise<Secret> {
      const [found] = await listCurrentRows(db, purpose);
      if (found !== undefined) return open(found);
      // Created before the lock is taken: a slow key must not keep other processes waiting in the database.
      const sealed = await seal(purpose, make());
      const row = await db.transaction().execute(async (tx) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${`secrets ${purpose}`}, 0))`.execute(tx);
        const [first] = await listCurrentRows(tx, purpose);
        if (first !== undefined) return first;
        await insert(tx, sealed);
        return (await listCurrentRows(tx, purpose))[0];
      });
      if (row === undefined) throw new SecretError("unknown-secret", "A secret was created and is missing");
      return open(row);
    },

    /** Returns whether this call retired it. */
    async retire(id: string): Promise<boolean> {
      const { rows } = await sql`
        update secrets set retired_at = now() where id = ${id} and retired_at is null returning 1`.execute(
        db,
      );
      return rows.length === 1;
    },

    /** For the operator: everything except the values. Needs no key. */
    async list(): Promise<readonly SecretEntry[]> {
      const { rows } = await sql<SecretEntry>`
        select id, purpose, kek_id as "kekId", created_at as "createdAt", retired_at as "retiredAt" from secrets
        order by purpose, created_at, id`.execute(db);
      return rows;
    },

    /**
     * Rewraps every data key with the current key-encryption key. Each record is a separate statement and
     * finished ones are skipped, so it can be stopped at any moment, repeated, and run concurrently.
     */
    async rewrap({ batchSize = 100 }: { readonly batchSize?: number } = {}): Promise<Rewrapped> {
      const ring = await readKeks();
      const kekId = ring[0].id;
      const failed: { id: string; reason: string }[] = [];
      let rewrapped = 0;
      let batch = await listWrappedOtherwise(kekId, "00000000-0000-0000-0000-000000000000", batchSize);
      for (let last = batch.at(-1); last !== undefined; last = batch.at(-1)) {
        for (const record of batch) {
          const outcome = await rewrapOne(ring, record);
          if (typeof outcome === "string") failed.push({ id: record.id, reason: outcome });
          else if (outcome) rewrapped++;
        }
        batch = await listWrappedOtherwise(kekId, last.id, batchSize);
      }
      return { rewrapped, failed, remaining: await countWrappedOtherwise(kekId) };
    },
  };
}
