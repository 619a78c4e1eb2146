// The requests that an account's agents have used. Lock the ledger, then read, then write: a statement that reads
// before it holds the lock may miss a use that is being committed.
import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { asHex } from "../../platform/db/hex.ts";
import type { EarlierUse } from "../grant/needs-owner.ts";
import type { RequestUse } from "../grant/request-use.ts";
import type { Use } from "../lifecycle.ts";
import type { Transaction } from "../transaction.ts";

/** Returns the agent's latest use of the same request within the account's window, by the database's clock. */
export async function findEarlierUse(
  tx: Db,
  { id, account, proposer }: Transaction,
  { byCall, byEffects }: RequestUse,
): Promise<EarlierUse | undefined> {
  const { rows } = await sql<EarlierUse>`
    select ${asHex("t.request_hash")} as "requestHash", u.state, u.at,
      greatest(0, extract(epoch from clock_timestamp() - u.at))::float8 as seconds
    from request_uses u join transactions t on t.id = u.transaction_id
    left join settings s on s.account = u.account
    where u.account = ${account} and u.agent = ${proposer} and u.transaction_id <> ${id}
      and (u.by_call = ${byCall} or u.by_effects = ${byEffects}) and u.state <> 'released'
      and u.at > clock_timestamp() - make_interval(secs => coalesce(s.repeat_window_seconds, 86400))
    order by u.at desc limit 1`.execute(tx);
  return rows[0];
}

/** Also for one that was released before. The caller holds the ledger's lock. */
export async function insertUse(
  tx: Db,
  { id, account, proposer }: Transaction,
  { byCall, byEffects, state }: RequestUse & { readonly state: Use },
): Promise<void> {
  await sql`
    insert into request_uses (transaction_id, account, agent, number, by_call, by_effects, state)
    select ${id}, ${account}, ${proposer}, coalesce(max(number), 0) + 1, ${byCall}::bytea, ${byEffects}::bytea, ${state}
    from request_uses where account = ${account} and agent = ${proposer}
    on conflict (transaction_id) do update set state = excluded.state, at = excluded.at`.execute(tx);
}

/** Returns false if the use is not on record. */
export async function updateUse(tx: Db, { id }: Transaction, state: Use): Promise<boolean> {
  const { rows } = await sql`
    update request_uses set state = ${state}, at = case ${state} when 'made' then clock_timestamp() else at end
    where transaction_id = ${id} returning 1`.execute(tx);
  return rows.length > 0;
}
