import { sql } from "kysely";
import type { Account } from "../accounts/index.ts";
import { makeApiKeyStore, type ApiKey, type NewApiKey } from "../api-keys/index.ts";
import type { Db } from "../platform/db/connect.ts";

type NewConnection = {
  readonly codeHash: Buffer;
  readonly codeChallenge: string | null;
  readonly initiatorIp: string;
  readonly userAgent: string;
  readonly lifeSeconds: number;
};

/** Approved, with the inputs from which the key is derived again. */
type Approved = {
  readonly status: "ready" | "consumed";
  readonly account: Account;
  readonly keyId: string;
  readonly secretId: string;
};
export type Connection = ({ readonly status: "pending" } | { readonly status: "expired" } | Approved) & {
  readonly codeChallenge: string | null;
  readonly initiatorIp: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

type Approval = {
  readonly codeHash: Buffer;
  readonly account: Account;
  readonly secretId: string;
  readonly approverIp: string;
};

/** How many expired connections of others one request deletes. */
const sweptAtMost = 20;

export type ConnectStore = ReturnType<typeof makeConnectStore>;

// Uses the database's time, because the clocks of processes differ.
export function makeConnectStore(db: Db) {
  return {
    async add(connection: NewConnection): Promise<void> {
      const { codeHash, codeChallenge, initiatorIp, userAgent, lifeSeconds } = connection;
      await sql`
        insert into connections (code_hash, code_challenge, initiator_ip, user_agent, expires_at)
        values (${codeHash}, ${codeChallenge}, ${initiatorIp}, ${userAgent},
          now() + make_interval(secs => ${lifeSeconds}))`.execute(db);
    },

    /** An overdue connection counts as expired, whether or not it has been swept. */
    async find(codeHash: Buffer): Promise<Connection | undefined> {
      const { rows } = await sql<Connection>`
        select case when status in ('pending', 'ready') and expires_at <= now() then 'expired' else status end as status,
          code_challenge as "codeChallenge", initiator_ip as "initiatorIp", user_agent as "userAgent",
          created_at as "createdAt", expires_at as "expiresAt",
          account, key_id as "keyId", secret_id as "secretId"
        from connections where code_hash = ${codeHash}`.execute(db);
      return rows[0];
    },

    /**
     * Makes a pending connection ready and stores its key, atomically. Of concurrent approvals one succeeds:
     * the others wait for the row and then find it ready. Returns undefined if the account already has the
     * maximum number of keys.
     */
    async approve(
      { codeHash, account, secretId, approverIp }: Approval,
      key: NewApiKey,
      usableKeysAtMost: number,
    ): Promise<ApiKey | undefined | "not-pending"> {
      return db.transaction().execute(async (tx) => {
        const { rows } = await sql`
          select 1 from connections
          where code_hash = ${codeHash} and status = 'pending' and expires_at > now()
          for update`.execute(tx);
        if (rows.length === 0) return "not-pending";
        const added = await makeApiKeyStore(tx).add(key, usableKeysAtMost);
        if (added === undefined) return undefined;
        await sql`
          update connections set status = 'ready', account = ${account}, key_id = ${key.id}, secret_id = ${secretId},
            approver_ip = ${approverIp}, approved_at = now()
          where code_hash = ${codeHash}`.execute(tx);
        return added;
      });
    },

    /** Returns true for exactly one caller. */
    async consume(codeHash: Buffer): Promise<boolean> {
      const { rows } = await sql`
        update connections set status = 'consumed', consumed_at = now()
        where code_hash = ${codeHash} and status = 'ready' and expires_at > now()
        returning 1`.execute(db);
      return rows.length === 1;
    },

    /**
     * Expires the given connection, or the oldest overdue ones, and revokes their unfetched keys in one
     * statement, so that there is no state in between. That is why it writes to api_keys. Connections that
     * were never approved are deleted a day later: anyone can create them, and they contain strangers'
     * addresses.
     */
    async expireConnections(only: Buffer | null = null): Promise<void> {
      await sql`
        with due as (
          select code_hash from connections
          where status in ('pending', 'ready') and expires_at <= now()
            and (${only}::bytea is null or code_hash = ${only})
          order by expires_at limit ${sweptAtMost}
          for update skip locked),
        expired as (
          update connections set status = 'expired' where code_hash in (select code_hash from due)
          returning key_id),
        revoked as (
          update api_keys set active = false where id in (select key_id from expired)),
        forgotten as (
          select code_hash from connections
          where status = 'expired' and key_id is null and expires_at <= now() - interval '1 day'
          order by expires_at limit ${sweptAtMost}
          for update skip locked)
        delete from connections where code_hash in (select code_hash from forgotten)`.execute(db);
    },
  };
}
