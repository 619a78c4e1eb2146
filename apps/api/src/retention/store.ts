import { sql } from "kysely";
import type { Db } from "../platform/db/connect.ts";

export type RetentionStore = ReturnType<typeof makeRetentionStore>;

export type Listed = { readonly id: string; readonly requestHash: `0x${string}`; readonly final: boolean };

/** Personal data of an account on which no decision and no proof rests. A later entry may be named by an earlier one. */
const erasable = [
  ["refresh tokens", "refresh_tokens"],
  ["sessions", "sessions"],
  ["MCP sessions", "mcp_sessions"],
  ["OAuth grants", "oauth_grants"],
  ["approved connections", "connections"],
  ["notifications", "notifications"],
  ["notification channels", "notification_channels"],
  ["requests for mandates", "mandate_requests"],
  ["contacts", "contacts"],
  ["conversations", "context_logs"],
  ["API keys", "api_keys"],
] as const;

/** Data of an account that proofs, the order of changes or later comparisons rest on. */
const remaining = [
  ["proposals", "transactions"],
  ["decisions", "approvals"],
  ["reports", "reports"],
  ["encrypted payloads", "envelopes"],
  ["inputs of verdicts", "bundles"],
  ["events", "account_events"],
  ["mandates", "mandates"],
  ["policies", "policies"],
  ["PGP keys", "pgp_keys"],
  ["custodians", "custody_integrations"],
] as const;

export type Counted = readonly { readonly what: string; readonly count: number }[];
type Erasure =
  | { readonly outcome: "unknown" }
  | { readonly outcome: "open"; readonly proposals: number }
  | { readonly outcome: "erased"; readonly deleted: Counted; readonly remaining: Counted };

/** Returns how many rows of the account each table has. */
async function countRows(
  tx: Db,
  account: string,
  tables: readonly (readonly [string, string])[],
): Promise<Counted> {
  const counted: { what: string; count: number }[] = [];
  for (const [what, table] of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(table)} where account = ${account}`.execute(tx);
    counted.push({ what, count: rows[0]?.count ?? 0 });
  }
  return counted;
}

/** Deletes the rows and the secrets that they name. */
async function deleteRows(tx: Db, account: string): Promise<void> {
  const { rows } = await sql<{ id: string | null }>`
    select secret_id as id from connections where account = ${account} union
    select unnest(array[secret_id, previous_secret_id]) from notification_channels where account = ${account}`.execute(
    tx,
  );
  for (const [, table] of erasable)
    await sql`delete from ${sql.table(table)} where account = ${account}`.execute(tx);
  const secrets = rows.flatMap(({ id }) => (id === null ? [] : [id]));
  await sql`delete from secrets where id = any(${secrets}::uuid[])`.execute(tx);
}

/**
 * Methods that delete do so for a limited number of rows, the oldest first, and return how many. Several processes may
 * call them.
 */
export function makeRetentionStore(db: Db) {
  return {
    /** The request hashes of proposals with a verdict whose ids are in this range, in their order. */
    async listVerdicts(after: string, idBefore: string, limit: number): Promise<readonly Listed[]> {
      const { rows } = await sql<Listed>`
        select id, '0x' || encode(request_hash, 'hex') as "requestHash", final from transactions
        where id > ${after} and id < ${idBefore} and orion is not null
        order by id limit ${limit}`.execute(db);
      return rows;
    },

    /** Deletes personal data of an account unless it has proposals in other than these phases. All of it or nothing. */
    erase: (account: string, ended: readonly string[]): Promise<Erasure> =>
      db.transaction().execute(async (tx) => {
        const { rows: users } = await sql`select from users where account = ${account} for update`.execute(
          tx,
        );
        if (users.length === 0) return { outcome: "unknown" };
        const { rows } = await sql<{ count: number }>`
          select count(*)::int as count from transactions
          where account = ${account} and phase <> all(${[...ended]}::text[])`.execute(tx);
        const proposals = rows[0]?.count ?? 0;
        if (proposals > 0) return { outcome: "open", proposals };
        const deleted = await countRows(tx, account, erasable);
        await deleteRows(tx, account);
        return { outcome: "erased", deleted, remaining: await countRows(tx, account, remaining) };
      }),

    /** Sessions that ended before, each with its refresh tokens. */
    async deleteSessions(endedBefore: Date, limit: number): Promise<number> {
      const { rows } = await sql`
        with over as (
          select id from sessions where least(coalesce(ended_at, ends_at), ends_at) < ${endedBefore}
          order by least(coalesce(ended_at, ends_at), ends_at) limit ${limit} for update skip locked),
        tokens as (delete from refresh_tokens where session_id in (select id from over))
        delete from sessions where id in (select id from over) returning 1`.execute(db);
      return rows.length;
    },

    /** Requests for a mandate that were answered before. Open ones stay. */
    async deleteMandateRequests(closedBefore: Date, limit: number): Promise<number> {
      const { rows } = await sql`
        delete from mandate_requests where id in (
          select id from mandate_requests where closed_at < ${closedBefore}
          order by closed_at limit ${limit} for update skip locked)
        returning 1`.execute(db);
      return rows.length;
    },

    /** Conversations of proposals with a smaller id. Ids are ordered by time. */
    async deleteContextLogs(idBefore: string, limit: number): Promise<number> {
      const { rows } = await sql`
        delete from context_logs where transaction_id in (
          select transaction_id from context_logs where transaction_id < ${idBefore}
          order by transaction_id limit ${limit} for update skip locked)
        returning 1`.execute(db);
      return rows.length;
    },
  };
}
