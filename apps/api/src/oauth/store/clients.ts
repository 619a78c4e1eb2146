import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import type { Client } from "../client.ts";

type NewClient = Omit<Client, "registration">;

/** The document as last fetched, and whether it is fresh, or usable while the current one is unavailable. */
export type KeptDocument = {
  readonly client: Client;
  readonly isFresh: boolean;
  readonly isUsable: boolean;
};

/** How many one round deletes. */
const clearedAtMost = 200;

export type ClientStore = ReturnType<typeof makeClientStore>;

// Uses the database's time, because the clocks of processes differ.
export function makeClientStore(db: Db) {
  const columns = sql`
    id, registration, secret_hash as "secretHash", auth_method as "authMethod", redirect_uris as "redirectUris", name,
    client_uri as "clientUri"`;
  return {
    /** Returns when it was added. */
    async add({ id, secretHash, authMethod, redirectUris, name, clientUri }: NewClient): Promise<Date> {
      const { rows } = await sql<{ createdAt: Date }>`
        insert into oauth_clients (id, registration, secret_hash, auth_method, redirect_uris, name, client_uri)
        values (${id}, 'dynamic', ${secretHash}, ${authMethod}, ${[...redirectUris]}::text[], ${name}, ${clientUri})
        returning created_at as "createdAt"`.execute(db);
      const [added] = rows;
      if (added === undefined) throw new Error("the database returned no creation time for a client");
      return added.createdAt;
    },

    async findDynamic(id: string): Promise<Client | undefined> {
      const { rows } = await sql<Client>`
        select ${columns} from oauth_clients where id = ${id} and registration = 'dynamic'`.execute(db);
      return rows[0];
    },

    /** A stored document may replace an unavailable one for a day after it expired. */
    async findDocument(id: string): Promise<KeptDocument | undefined> {
      const { rows } = await sql<Client & { isFresh: boolean; isUsable: boolean }>`
        select ${columns}, fresh_until > now() as "isFresh", fresh_until > now() - interval '24 hours' as "isUsable"
        from oauth_clients where id = ${id} and registration = 'metadata-document'`.execute(db);
      const [found] = rows;
      if (found === undefined) return undefined;
      const { isFresh, isUsable, ...client } = found;
      return { client, isFresh, isUsable };
    },

    /** Of concurrent calls the last one wins. All of them fetched the same document. */
    async keepDocument({ id, redirectUris, name, clientUri }: Client, freshSeconds: number): Promise<void> {
      await sql`
        insert into oauth_clients (id, registration, auth_method, redirect_uris, name, client_uri, fresh_until)
        values (${id}, 'metadata-document', 'none', ${[...redirectUris]}::text[], ${name}, ${clientUri},
          now() + make_interval(secs => ${freshSeconds}))
        on conflict (id) do update set redirect_uris = excluded.redirect_uris, name = excluded.name,
          client_uri = excluded.client_uri, fresh_until = excluded.fresh_until`.execute(db);
    },

    /**
     * Deletes clients that no owner approved after a week, others 90 days after their last use, up to the
     * limit of a round. A client with a valid grant stays, because otherwise it could not renew its tokens;
     * so does one whose request is being decided. Returns how many were deleted.
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
