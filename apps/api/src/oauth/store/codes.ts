import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { issueFrom, type HeldGrant, type NewRefreshToken } from "./refresh-tokens.ts";

/** A code that the right client presented, locked for this transaction. */
export type HeldCode = HeldGrant & {
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly isUsed: boolean;
  readonly isExpired: boolean;
  /** How often it came with a wrong verifier. */
  readonly failures: number;
};

export type CodeVerdict = "redeem" | "replayed" | "wrong-verifier";

export type CodeStore = ReturnType<typeof makeCodeStore>;

type Shown = {
  readonly codeHash: Buffer;
  readonly clientId: string;
  readonly next: NewRefreshToken;
};

export function makeCodeStore(db: Db) {
  return {
    /**
     * Locks the code, checks it, and applies the result in one transaction. A concurrent request with the
     * same code is checked after the first is done. If the check throws, nothing changes. Returns undefined
     * if this client has no such code.
     */
    async settle(
      { codeHash, clientId, next }: Shown,
      check: (code: HeldCode) => CodeVerdict,
    ): Promise<{ readonly code: HeldCode; readonly verdict: CodeVerdict } | undefined> {
      return db.transaction().execute(async (tx) => {
        const { rows } = await sql<HeldCode>`
          select c.grant_id as "grantId", g.account, u.id as "userId", g.client_id as "clientId", g.scopes,
            g.revoked_at is not null or g.ends_at <= now() as "isOver",
            s.redirect_uri as "redirectUri", s.code_challenge as "codeChallenge",
            c.used_at is not null as "isUsed", c.expires_at <= now() as "isExpired", c.failures
          from oauth_codes c
          join oauth_sessions s on s.id = c.session_id
          join oauth_grants g on g.id = c.grant_id
          join users u on u.account = g.account
          where c.code_hash = ${codeHash} and c.client_id = ${clientId}
          for update of c`.execute(tx);
        const [code] = rows;
        if (code === undefined) return undefined;
        const verdict = check(code);
        if (verdict === "replayed")
          await sql`
            update oauth_grants set revoked_at = now(), revoke_reason = 'code-replayed'
            where id = ${code.grantId} and revoked_at is null`.execute(tx);
        else if (verdict === "wrong-verifier")
          await sql`update oauth_codes set failures = failures + 1 where code_hash = ${codeHash}`.execute(tx);
        else {
          await sql`update oauth_codes set used_at = now() where code_hash = ${codeHash}`.execute(tx);
          await issueFrom(tx, code, next);
        }
        return { code, verdict };
      });
    },
  };
}
