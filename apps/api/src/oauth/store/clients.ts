import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import type { Client } from "../client.ts";

type NewClient = Omit<Client, "registration">;

/** As last read, and whether that is recent enough: to be taken as it is, or in place of one that cannot be had. */
export type KeptDocument = {
  readonly client: Client;
  readonly isFresh: boolean;
  readonly isUsable: boolean;
};

/** How many one round clears away. */
const clearedAtMost = 200;

export type ClientStore = ReturnType<typeof makeClientStore>;

// Times are the database's: the clocks of several processes differ.
export function makeClientStore(db: Db) {
  const columns = sql`
    id, registration, secret_hash as "secretHash", auth_method as "authMethod", redirect_uris as "redirectUris", name,
    client_uri as "clientUri"`;
  return {
    /** Returns when that was. */
    async add({ id, secretHash, authMethod, redirectUris, name, clientUri }: NewClient): Promise<Date> {
      const { rows } = await sql<{ createdAt: Date }>`
        insert into oauth_clients (id, registration, secret_hash, auth_method, redirect_uris, name, client_uri)
        values (${id}, 'dynamic', ${secretHash}, ${authMethod}, ${[...redirectUris]}::text[], ${name}, ${clientUri})
        returning created_at as "createdAt"`.execute(db);
      const [added] = rows;
      if (added === undefined) throw new Error("the database did not say when a client was added");
      return added.createdAt;
    },

    async findDynamic(id: string): Promise<Client | undefined> {
      const { rows } = await sql<Client>`
        select ${columns} from oauth_clients where id = ${id} and registration = 'dynamic'`.execute(db);
      return rows[0];
    },

    /** What was read may stand in for what cannot be had for a day after it should have been read again. */
    async findDocument(id: string): Promise<KeptDocument | undefined> {
      const { rows } = await sql<Client & { isFresh: boolean; isUsable: boolean }>`
        select ${columns}, fresh_until > now() as "isFresh", fresh_until > now() - interval '24 hours' as "isUsable"
        from oauth_clients where id = ${id} and registration = 'metadata-document'`.execute(db);
      const [found] = rows;
      if (found === undefined) return undefined;
      const { isFresh, isUsable, ...client } = found;
      return { client, isFresh, isUsable };
    },

    /** Of several who read it at once the last one's is kept; each read the same document. */
    async keepDocument({ id, redirectUris, name, clientUri }: Client, freshSeconds: number): Promise<void> {
      await sql`
        insert into oauth_clients (id, registration, auth_method, redirect_uris, name, client_uri, fresh_until)
        values (${id}, 'metadata-document', 'none', ${[...redirectUris]}::text[], ${name}, ${clientUri},
          now() + make_interval(secs => ${freshSeconds}))
        on conflict (id) do update set redirect_uris = excluded.redirect_uris, name = excluded.name,
          client_uri = excluded.client_uri, fresh_until = excluded.fresh_until`.execute(db);
    },

    /**
     * Forgets those nobody ever answered after a week, others 90 days after their last use, as many as one round may. A client
     * with a living grant stays, since it would be told that it is unknown and could not renew; so does one that is being asked about.
     * Returns how many went.
     */
    async clearClients(): Promise<number> {
      const { rows } = await sql`
        with due as (
          select id from oauth_clients client
          where coalesce(last_used_at, created_at) < now() - interval '7 days'
            and (last_used_at is null or last_used_at < now() - interval '90 days')
            and not exists (
              select 1 from oauth_grants
              where client_id = client.id and revoked_at is null and ends_at > now())
            and not exists (
              select 1 from oauth_sessions where client_id = client.id and expires_at > now())
          order by coalesce(last_used_at, created_at) limit ${clearedAtMost}
          for update skip locked)
        delete from oauth_clients where id in (select id from due) returning 1`.execute(db);
      return rows.length;
    },
  };
}
