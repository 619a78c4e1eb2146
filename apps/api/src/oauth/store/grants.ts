import { sql } from "kysely";
import type { Account } from "../../accounts/index.ts";
import type { Db } from "../../platform/db/connect.ts";
import type { Scope } from "../scopes.ts";

/** A program's access as the owner sees it. */
export type Grant = {
  readonly id: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly scopes: readonly Scope[];
  readonly redirectHost: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
};

export type GrantStore = ReturnType<typeof makeGrantStore>;

// Uses the database's time, because the clocks of processes differ.
export function makeGrantStore(db: Db) {
  return {
    /** Lists the grants that a program can still use. */
    async listOf(account: Account): Promise<readonly Grant[]> {
      const { rows } = await sql<Grant>`
        select id, client_id as "clientId", client_name as "clientName", scopes,
          redirect_host as "redirectHost",
          created_at as "createdAt", last_used_at as "lastUsedAt"
        from oauth_grants g
        where account = ${account} and revoked_at is null and ends_at > now()
          and (exists (select from oauth_refresh_tokens t where t.grant_id = g.id and t.expires_at > now())
            or exists (select from oauth_codes c
              where c.grant_id = g.id and c.used_at is null and c.expires_at > now()))
        order by created_at desc limit 1000`.execute(db);
      return rows;
    },

    /** Returns which of these are still valid. */
    async findLive(ids: readonly string[]): Promise<ReadonlySet<string>> {
      const { rows } = await sql<{ id: string }>`
        select id from oauth_grants
        where id = any(${[...ids]}::uuid[]) and revoked_at is null and ends_at > now()`.execute(db);
      return new Set(rows.map(({ id }) => id));
    },

    /** Returns true if it was the owner's and still valid. */
    async endOne(id: string, account: Account): Promise<boolean> {
      const { rows } = await sql`
        update oauth_grants set revoked_at = now(), revoke_reason = 'owner'
        where id = ${id} and account = ${account} and revoked_at is null and ends_at > now()
        returning 1`.execute(db);
      return rows.length === 1;
    },

    async endAllOf(account: Account): Promise<void> {
      await sql`
        update oauth_grants set revoked_at = now(), revoke_reason = 'logout-all'
        where account = ${account} and revoked_at is null`.execute(db);
    },

    /** Revocation by the client. Another client's token changes nothing. */
    async endByRefreshToken(tokenHash: Buffer, clientId: string): Promise<void> {
      await sql`
        update oauth_grants g set revoked_at = now(), revoke_reason = 'client'
        from oauth_refresh_tokens t
        where t.token_hash = ${tokenHash} and g.id = t.grant_id and g.client_id = ${clientId}
          and g.revoked_at is null`.execute(db);
    },

    async endByClient(id: string, clientId: string): Promise<void> {
      await sql`
        update oauth_grants set revoked_at = now(), revoke_reason = 'client'
        where id = ${id} and client_id = ${clientId} and revoked_at is null`.execute(db);
    },

    /**
     * Deletes unusable grants, up to a limit: ended ones after a month, during which the owner may still ask
     * about them, and those whose code was never exchanged or whose last token has expired.
     */
    async clear(atMost: number): Promise<number> {
      const { rows } = await sql`
        with over as (
          select id from oauth_grants g
          where revoked_at < now() - interval '30 days' or ends_at < now()
            or (last_used_at < now() - interval '1 day'
              and not exists (select from oauth_refresh_tokens t where t.grant_id = g.id))
          limit ${atMost}
          for update skip locked)
        delete from oauth_grants where id in (select id from over)
        returning 1`.execute(db);
      return rows.length;
    },
  };
}
