import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { issueFrom, type HeldGrant, type NewRefreshToken } from "./refresh-tokens.ts";

/** A code that the right client shows, as long as nobody else can touch it. */
export type HeldCode = HeldGrant & {
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly isUsed: boolean;
  readonly isExpired: boolean;
  /** How often a wrong verifier came with it. */
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
     * Holds the code, has it judged, and does what the verdict says, in one transaction: of several who show it at once the
     * second is judged after the first is done. If the judge throws, nothing has happened. Undefined if this client has none.
     */
    async settle(
      { codeHash, clientId, next }: Shown,
      judge: (code: HeldCode) => CodeVerdict,
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
        const verdict = judge(code);
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
