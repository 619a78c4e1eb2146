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
/** What may be known of a secret without opening it. */
export type SecretEntry = Place & Dates & { readonly kekId: string };
/** An open secret. The value is for use and never for a log, an error or an answer. */
export type Secret = Place & Dates & { readonly value: Buffer };
export type Rewrapped = {
  readonly rewrapped: number;
  /** Those that could not be opened, and why. */
  readonly failed: readonly { readonly id: string; readonly reason: string }[];
  /** How many still need another key than the current one. While there are any, no key may be thrown away. */
  readonly remaining: number;
};

type Options = {
  readonly db: Db;
  /** The keys, or how to get them: then nothing is read or made before the first secret is needed. */
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
    if (row === undefined) throw new SecretError("unknown-secret", "There is no such secret");
    return row;
  };

  /** Changes nothing if somebody else has rewrapped the record meanwhile. */
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
  /** Whether it was done here, or why it cannot be: a record that does not open must not hold up the others. */
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

    /** Also a retired one: older things may need it. */
    async read(id: string): Promise<Secret> {
      return open(await readRow(id));
    },

    /** Those not retired, newest first: the first is the one to use, the others still count. */
    async listCurrent(purpose: string): Promise<readonly Secret[]> {
      return Promise.all((await listCurrentRows(db, purpose)).map(open));
    },

    /**
     * The newest current secret of a purpose. If there is none, one is made and kept, however many processes ask at the same
     * time; what the others made is thrown away. One that does not open is an error and never replaced.
     */
    async ensure(purpose: string, make: () => Buffer): Promise<Secret> {
      const [found] = await listCurrentRows(db, purpose);
      if (found !== undefined) return open(found);
      // Made before the lock is taken: a slow key must not keep the other processes waiting in the database.
      const sealed = await seal(purpose, make());
      const row = await db.transaction().execute(async (tx) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${`secrets ${purpose}`}, 0))`.execute(tx);
        const [first] = await listCurrentRows(tx, purpose);
        if (first !== undefined) return first;
        await insert(tx, sealed);
        return (await listCurrentRows(tx, purpose))[0];
      });
      if (row === undefined) throw new SecretError("unknown-secret", "A secret was made and is gone");
      return open(row);
    },

    /** Whether this was what retired it. */
    async retire(id: string): Promise<boolean> {
      const { rows } = await sql`
        update secrets set retired_at = now() where id = ${id} and retired_at is null returning 1`.execute(
        db,
      );
      return rows.length === 1;
    },

    /** For the operator: everything but the values. Needs no key. */
    async list(): Promise<readonly SecretEntry[]> {
      const { rows } = await sql<SecretEntry>`
        select id, purpose, kek_id as "kekId", created_at as "createdAt", retired_at as "retiredAt" from secrets
        order by purpose, created_at, id`.execute(db);
      return rows;
    },

    /**
     * Puts every data key under the current key-encryption key. Each record is a statement of its own and those done are not
     * looked at again, so it may be stopped at any moment, run again, and run beside itself.
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
