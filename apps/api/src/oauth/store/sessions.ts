import { sql } from "kysely";
import type { Account } from "../../accounts/index.ts";
import type { Db } from "../../platform/db/connect.ts";
import type { Client } from "../client.ts";
import type { Scope } from "../scopes.ts";
import { markUsed } from "./mark-used.ts";

export type NewConsentSession = {
  readonly id: string;
  readonly client: Client;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly codeChallenge: string;
  readonly scopes: readonly Scope[];
  readonly browserHash: Buffer;
  readonly lifeSeconds: number;
};

/** The request for access that the owner decides. The code challenge stays in the database. */
export type ConsentSession = {
  readonly id: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly clientUri: string | null;
  readonly registration: Client["registration"];
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  readonly status: "pending" | "approved" | "denied";
  readonly isExpired: boolean;
  readonly browserHash: Buffer;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

/** The client's redirect URI, and the state that it expects back. */
export type ReturnAddress = { readonly redirectUri: string; readonly state: string | null };

type Approval = {
  readonly sessionId: string;
  readonly account: Account;
  readonly grantId: string;
  readonly grantSeconds: number;
  readonly codeHash: Buffer;
  readonly codeSeconds: number;
  /** Helps the owner recognise the grant. */
  readonly redirectHost: string;
};

export type SessionStore = ReturnType<typeof makeSessionStore>;

// Uses the database's time, because the clocks of processes differ.
export function makeSessionStore(db: Db) {
  return {
    async add(session: NewConsentSession): Promise<void> {
      const { id, client, redirectUri, state, codeChallenge, scopes, browserHash, lifeSeconds } = session;
      await sql`
        insert into oauth_sessions (id, client_id, client_name, client_uri, registration, redirect_uri, state,
          code_challenge, scopes, browser_hash, expires_at)
        values (${id}, ${client.id}, ${client.name}, ${client.clientUri}, ${client.registration}, ${redirectUri}, ${state},
          ${codeChallenge}, ${[...scopes]}, ${browserHash}, now() + make_interval(secs => ${lifeSeconds}))`.execute(
        db,
      );
    },

    async find(id: string): Promise<ConsentSession | undefined> {
      const { rows } = await sql<ConsentSession>`
        select id, client_id as "clientId", client_name as "clientName", client_uri as "clientUri", registration,
          redirect_uri as "redirectUri", scopes, status, expires_at <= now() as "isExpired",
          browser_hash as "browserHash", created_at as "createdAt", expires_at as "expiresAt"
        from oauth_sessions where id = ${id}`.execute(db);
      return rows[0];
    },

    /**
     * Records the owner's approval: decides the session and creates a grant and a code, atomically. Of
     * concurrent answers one succeeds; the others get undefined.
     */
    async approve(approval: Approval): Promise<ReturnAddress | undefined> {
      const { sessionId, account, grantId, grantSeconds, codeHash, codeSeconds, redirectHost } = approval;
      const { rows } = await sql<ReturnAddress>`
        with decided as (
          update oauth_sessions set status = 'approved'
          where id = ${sessionId} and status = 'pending' and expires_at > now()
          returning id, client_id, client_name, scopes, redirect_uri, state),
        granted as (
          insert into oauth_grants (id, account, client_id, client_name, scopes, redirect_host, ends_at)
          select ${grantId}, ${account}, client_id, client_name, scopes, ${redirectHost},
            now() + make_interval(secs => ${grantSeconds})
          from decided),
        coded as (
          insert into oauth_codes (code_hash, grant_id, session_id, client_id, expires_at)
          select ${codeHash}, ${grantId}, id, client_id, now() + make_interval(secs => ${codeSeconds}) from decided),
        used as (${markUsed(sql`select client_id from decided`)})
        select redirect_uri as "redirectUri", state from decided`.execute(db);
      return rows[0];
    },

    async deny(sessionId: string): Promise<ReturnAddress | undefined> {
      const { rows } = await sql<ReturnAddress>`
        with decided as (
          update oauth_sessions set status = 'denied'
          where id = ${sessionId} and status = 'pending' and expires_at > now()
          returning client_id, redirect_uri, state),
        used as (${markUsed(sql`select client_id from decided`)})
        select redirect_uri as "redirectUri", state from decided`.execute(db);
      return rows[0];
    },

    /**
     * Deletes sessions a day after they expired, up to a limit. Their codes are deleted with them; until then
     * a code that is presented again is recognised.
     */
    async clear(atMost: number): Promise<number> {
      const { rows } = await sql`
        with over as (
          select id from oauth_sessions where expires_at < now() - interval '1 day'
          order by expires_at limit ${atMost}
          for update skip locked)
        delete from oauth_sessions where id in (select id from over)
        returning 1`.execute(db);
      return rows.length;
    },
  };
}
