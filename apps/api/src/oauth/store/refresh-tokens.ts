import { sql } from "kysely";
import type { Account } from "../../accounts/index.ts";
import type { Db } from "../../platform/db/connect.ts";
import type { Scope } from "../scopes.ts";
import { markUsed } from "./mark-used.ts";

/** The grant that tokens are issued from. */
export type HeldGrant = {
  readonly grantId: string;
  readonly account: Account;
  readonly userId: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  /** Revoked or expired. */
  readonly isOver: boolean;
};

/** A refresh token that the right client presented, with its family locked for this transaction. */
export type HeldRefreshToken = HeldGrant & {
  readonly isExpired: boolean;
  /** Null if it was not used. */
  readonly usedSecondsAgo: number | null;
};

export type RefreshVerdict = "rotate" | "reused";

export type NewRefreshToken = { readonly tokenHash: Buffer; readonly lifeSeconds: number };

/** Issues the next refresh token of a grant. It never outlives the grant. */
export async function issueFrom(
  tx: Db,
  { grantId, clientId }: HeldGrant,
  { tokenHash, lifeSeconds }: NewRefreshToken,
): Promise<void> {
  await sql`
    with granted as (
      update oauth_grants set last_used_at = now() where id = ${grantId} returning ends_at),
    used as (${markUsed(sql`${clientId}::text`)})
    insert into oauth_refresh_tokens (token_hash, grant_id, expires_at)
    select ${tokenHash}, ${grantId}, least(now() + make_interval(secs => ${lifeSeconds}), ends_at) from granted`.execute(
    tx,
  );
}

export type RefreshTokenStore = ReturnType<typeof makeRefreshTokenStore>;

type Shown = { readonly tokenHash: Buffer; readonly clientId: string; readonly next: NewRefreshToken };

export function makeRefreshTokenStore(db: Db) {
  return {
    /**
     * Locks the token and its whole family, checks it, and applies the result in one transaction. If the
     * check throws, nothing changes. Returns undefined if this client has no such token.
     */
    async settle(
      { tokenHash, clientId, next }: Shown,
      check: (token: HeldRefreshToken) => RefreshVerdict,
    ): Promise<{ readonly token: HeldRefreshToken; readonly verdict: RefreshVerdict } | undefined> {
      return db.transaction().execute(async (tx) => {
        const { rows } = await sql<HeldRefreshToken>`
          select g.id as "grantId", g.account, u.id as "userId", g.client_id as "clientId", g.scopes,
            g.revoked_at is not null or g.ends_at <= now() as "isOver", t.expires_at <= now() as "isExpired",
            extract(epoch from clock_timestamp() - t.used_at)::float8 as "usedSecondsAgo"
          from oauth_refresh_tokens t
          join oauth_grants g on g.id = t.grant_id
          join users u on u.account = g.account
          where t.token_hash = ${tokenHash} and g.client_id = ${clientId}
          for update of t, g`.execute(tx);
        const [token] = rows;
        if (token === undefined) return undefined;
        const verdict = check(token);
        if (verdict === "reused")
          await sql`
            update oauth_grants set revoked_at = now(), revoke_reason = 'token-reused'
            where id = ${token.grantId}`.execute(tx);
        else {
          await sql`
            update oauth_refresh_tokens set used_at = coalesce(used_at, now())
            where token_hash = ${tokenHash}`.execute(tx);
          await issueFrom(tx, token, next);
        }
        return { token, verdict };
      });
    },

    /** Deletes expired tokens, up to a limit. Used ones are kept until then, to be recognised. */
    async clear(atMost: number): Promise<number> {
      const { rows } = await sql`
        with over as (
          select token_hash from oauth_refresh_tokens where expires_at < now() - interval '1 day'
          order by expires_at limit ${atMost}
          for update skip locked)
        delete from oauth_refresh_tokens where token_hash in (select token_hash from over)
        returning 1`.execute(db);
      return rows.length;
    },
  };
}
