import { sql } from "kysely";
import type { Account } from "../accounts/index.ts";
import type { Db } from "../platform/db/connect.ts";

export type Session = {
  readonly id: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly userAgent: string | null;
  readonly address: string | null;
};

type NewNonce = {
  readonly nonce: string;
  readonly account: Account;
  /** The network that requested it, from `askedFromOf`: anyone may request one for any address. */
  readonly askedFrom: string;
  readonly lifeSeconds: number;
};

type Asking = Pick<NewNonce, "account" | "askedFrom"> & { readonly atMost: number };

type NewSession = {
  readonly id: string;
  readonly account: Account;
  readonly lifeSeconds: number;
  readonly refreshId: string;
  readonly refreshExpiresAt: Date;
  readonly userAgent: string | null;
  readonly address: string;
};

type Rotation = {
  readonly id: string;
  readonly nextId: string;
  readonly nextExpiresAt: Date;
  readonly graceSeconds: number;
  /** The address it was presented from. */
  readonly address: string;
};

/** The outcome for a presented refresh token. */
type RefreshOutcome = "rotated" | "refused" | "reused";

export type SignInStore = ReturnType<typeof makeSignInStore>;

// Uses the database's time, because the clocks of processes differ.
export function makeSignInStore(db: Db) {
  return {
    /**
     * Open challenges per address are not limited: a limit would let an attacker lock an owner out. Deletes
     * expired ones of the address.
     */
    async addNonce({ nonce, account, askedFrom, lifeSeconds }: NewNonce): Promise<void> {
      await sql`
        with swept as (
          delete from sign_in_nonces where account = ${account} and expires_at <= now())
        insert into sign_in_nonces (nonce, account, asked_from, expires_at)
        values (${nonce}, ${account}, ${askedFrom}, now() + make_interval(secs => ${lifeSeconds}))`.execute(
        db,
      );
    },

    /** Returns the newest valid ones, those requested from this network first. All have the same lifetime. */
    async listNonces({ account, askedFrom, atMost }: Asking): Promise<readonly string[]> {
      const { rows } = await sql<{ nonce: string }>`
        select nonce from sign_in_nonces where account = ${account} and expires_at > now()
        order by (asked_from is not distinct from ${askedFrom}) desc, expires_at desc limit ${atMost}`.execute(
        db,
      );
      return rows.map(({ nonce }) => nonce);
    },

    /**
     * Consumes the nonce, whatever follows. One statement: of a hundred concurrent requests with the same
     * nonce, one gets true.
     */
    async consumeNonce(nonce: string, account: Account): Promise<boolean> {
      const { rows } = await sql`
        delete from sign_in_nonces
        where nonce = ${nonce} and account = ${account} and expires_at > now()
        returning 1`.execute(db);
      return rows.length === 1;
    },

    /** Creates a session and its first refresh token, atomically. */
    async openSession(session: NewSession): Promise<void> {
      const { id, account, lifeSeconds, refreshId, refreshExpiresAt, userAgent, address } = session;
      await sql`
        with opened as (
          insert into sessions (id, account, ends_at, user_agent, address)
          values (${id}, ${account}, now() + make_interval(secs => ${lifeSeconds}), ${userAgent}, ${address}))
        insert into refresh_tokens (id, account, session_id, expires_at)
        values (${refreshId}, ${account}, ${id}, ${refreshExpiresAt})`.execute(db);
    },

    /**
     * Exchanges a refresh token for the next. Of concurrent requests with the same one, exactly one succeeds.
     * Presented again within the grace period it is only rejected, because honest clients race with
     * themselves; later it was stolen, and the whole session ends.
     */
    async rotateRefreshToken(rotation: Rotation): Promise<RefreshOutcome> {
      const { id, nextId, nextExpiresAt, graceSeconds, address } = rotation;
      const rotated = await sql`
        with used as (
          update refresh_tokens t set used_at = now()
          from sessions s
          where t.id = ${id} and t.used_at is null and t.expires_at > now()
            and s.id = t.session_id and s.ended_at is null and s.ends_at > now()
          returning t.account, t.session_id, s.ends_at),
        touched as (
          update sessions set last_used_at = now(), address = ${address} where id = (select session_id from used))
        insert into refresh_tokens (id, account, session_id, expires_at)
        select ${nextId}, account, session_id, least(${nextExpiresAt}, ends_at) from used
        returning 1`.execute(db);
      if (rotated.rows.length === 1) return "rotated";
      const ended = await sql`
        update sessions s set ended_at = now(), end_reason = 'reuse'
        from refresh_tokens t
        where t.id = ${id} and t.used_at <= now() - make_interval(secs => ${graceSeconds})
          and s.id = t.session_id and s.ended_at is null
        returning 1`.execute(db);
      return ended.rows.length === 1 ? "reused" : "refused";
    },

    /** Ends the session of a refresh token if it belongs to that account. */
    async endByRefreshToken(refreshTokenId: string, account: Account): Promise<void> {
      await sql`
        update sessions s set ended_at = now(), end_reason = 'logout'
        from refresh_tokens t
        where t.id = ${refreshTokenId} and t.account = ${account} and s.id = t.session_id and s.ended_at is null`.execute(
        db,
      );
    },

    async endSession(id: string, account: Account): Promise<boolean> {
      const { rows } = await sql`
        update sessions set ended_at = now(), end_reason = 'revoked'
        where id = ${id} and account = ${account} and ended_at is null
        returning 1`.execute(db);
      return rows.length === 1;
    },

    async endAllSessions(account: Account): Promise<void> {
      await sql`
        update sessions set ended_at = now(), end_reason = 'logout-all'
        where account = ${account} and ended_at is null`.execute(db);
    },

    async listSessions(account: Account): Promise<readonly Session[]> {
      const { rows } = await sql<Session>`
        select id, created_at as "createdAt", last_used_at as "lastUsedAt", user_agent as "userAgent", address
        from sessions
        where account = ${account} and ended_at is null and ends_at > now()
        order by created_at desc limit 100`.execute(db);
      return rows;
    },

    /** Returns which of these sessions are still open. */
    async findLive(ids: readonly string[]): Promise<ReadonlySet<string>> {
      const { rows } = await sql<{ id: string }>`
        select id from sessions where id = any(${[...ids]}::uuid[]) and ended_at is null and ends_at > now()`.execute(
        db,
      );
      return new Set(rows.map(({ id }) => id));
    },
  };
}
