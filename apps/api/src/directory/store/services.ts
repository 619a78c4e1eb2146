import { sql, type RawBuilder } from "kysely";
import { gather } from "../../platform/ask-together.ts";
import type { Db } from "../../platform/db/connect.ts";
import type { Service } from "../service.ts";

type Row = Omit<Service, "id" | "chainId"> & { readonly id: string; readonly chainId: string };

/** A service as the registry describes it. */
type Registered = Pick<Service, "id" | "inbox" | "active" | "fingerprint" | "keyUri">;

const columns = sql`s.id, s.chain_id as "chainId", s.name, s.inbox, s.active, s.fingerprint, s.key_uri as "keyUri",
  s.armoured, s.url, s.created_at as "createdAt"`;

const serviceOf = (row: Row): Service => ({ ...row, id: Number(row.id), chainId: Number(row.chainId) });

/** The long key id: the end of a version 4 fingerprint, the beginning of a version 6 one (RFC 9580 §5.5.4). */
const keyId = sql`case octet_length(s.fingerprint) when 40 then right(s.fingerprint, 16) else left(s.fingerprint, 16) end`;

export type ServiceStore = ReturnType<typeof makeServiceStore>;

export function makeServiceStore(db: Db) {
  const list = async (where: RawBuilder<unknown>): Promise<readonly Service[]> => {
    const { rows } = await sql<Row>`
      select ${columns} from verification_services s where ${where} order by s.id`.execute(db);
    return rows.map(serviceOf);
  };
  /** Prefers an active one. */
  const find = async (where: RawBuilder<unknown>): Promise<Service | undefined> => {
    const { rows } = await sql<Row>`
      select ${columns} from verification_services s where ${where} order by s.active desc, s.id limit 1`.execute(
      db,
    );
    return rows[0] === undefined ? undefined : serviceOf(rows[0]);
  };

  // Batched: every proposal looks one up, nearly always the same.
  const findTogether = gather(
    async (ids: readonly (number | undefined)[]) =>
      new Map(
        await Promise.all(
          ids.map(
            async (id) => [id, await find(id === undefined ? sql`s.active` : sql`s.id = ${id}`)] as const,
          ),
        ),
      ),
  );

  return {
    listServices: (): Promise<readonly Service[]> => list(sql`true`),
    listActive: (): Promise<readonly Service[]> => list(sql`s.active`),
    /** Services whose key has not been read yet. */
    listKeyless: (): Promise<readonly Service[]> => list(sql`s.armoured is null`),

    /** The service with that id, or else the active one with the lowest id. */
    findService: async (id: number | undefined): Promise<Service | undefined> =>
      (await findTogether(id)).get(id),
    findByInbox: (inbox: string): Promise<Service | undefined> => find(sql`s.inbox = ${inbox}`),
    findByFingerprint: (fingerprint: string): Promise<Service | undefined> =>
      find(sql`s.fingerprint = ${fingerprint}`),
    findByKeyId: (id: string): Promise<Service | undefined> => find(sql`${keyId} = ${id}`),

    /**
     * Makes the table match the registry. A key is kept only while fingerprint and address are those it was
     * read for, so that nothing is encrypted to a replaced key. Services missing from the registry become
     * inactive. Returns how many rows changed.
     */
    async mirror(chainId: number, services: readonly Registered[]): Promise<number> {
      const { rows } = await sql<{ changed: number }>`
        with given as (
          select id, inbox, active, fingerprint, "keyUri"
          from jsonb_to_recordset(${JSON.stringify(services)}::jsonb)
            as g(id bigint, inbox text, active boolean, fingerprint text, "keyUri" text)),
        kept as (
          insert into verification_services as s (id, chain_id, name, inbox, active, fingerprint, key_uri)
          select id, ${chainId}::bigint, 'service ' || id, inbox, active, fingerprint, "keyUri" from given
          on conflict (id) do update set chain_id = excluded.chain_id, inbox = excluded.inbox, active = excluded.active,
            fingerprint = excluded.fingerprint, key_uri = excluded.key_uri, updated_at = now(),
            armoured = case when (s.fingerprint, s.key_uri) = (excluded.fingerprint, excluded.key_uri)
              then s.armoured end
          where (s.chain_id, s.inbox, s.active, s.fingerprint, s.key_uri) is distinct from
            (excluded.chain_id, excluded.inbox, excluded.active, excluded.fingerprint, excluded.key_uri)
          returning 1),
        ended as (
          update verification_services s set active = false, updated_at = now()
          where s.active and not exists (select from given where given.id = s.id)
          returning 1)
        select ((select count(*) from kept) + (select count(*) from ended))::int as changed`.execute(db);
      return rows[0]?.changed ?? 0;
    },

    /** Returns false if the registry has changed in the meantime. */
    async keepKey(
      { id, fingerprint, keyUri }: Pick<Service, "id" | "fingerprint" | "keyUri">,
      armoured: string,
    ): Promise<boolean> {
      const { rows } = await sql`
        update verification_services set armoured = ${armoured}, updated_at = now()
        where id = ${id} and fingerprint = ${fingerprint} and key_uri = ${keyUri} and armoured is null
        returning 1`.execute(db);
      return rows.length === 1;
    },
  };
}
