// Facts about an account's history that rules refer to.
import { sql } from "kysely";
import type { Account } from "../../accounts/index.ts";
import type { Db } from "../../platform/db/connect.ts";

type Of = { readonly account: Account; readonly transactionId: string };

/** Returns which of these the account has paid, or given an allowance to, in an executed transaction. */
export async function listKnown(
  tx: Db,
  { account }: Of,
  parties: readonly string[],
): Promise<ReadonlySet<string>> {
  if (parties.length === 0) return new Set();
  const { rows } = await sql<{ party: string }>`
    select distinct party from (
      select 'eip155:' || coalesce(e->>'to_chain', t.chain_id::text) || ':' || lower(named) as party
      from transactions t join reports r on r.transaction_id = t.id,
        lateral (select coalesce(r.summary, r.report) #> '{context,effects}') as x (effects),
        jsonb_array_elements(case jsonb_typeof(effects) when 'array' then effects else '[]' end) e,
        lateral (values (e->>'receiver'), (e->'authority'->>'spender')) as names (named)
      where t.account = ${account} and named is not null
        and (t.onchain = 'success' or t.onchain = 'used' and t.use_outcome = 'used')) paid
    where party = any(${[...parties]}::text[])`.execute(tx);
  return new Set(rows.map(({ party }) => party));
}

type Now = { readonly at: Date; readonly dayCount: number };

/** The database's clock, and how many transactions were approved in the last 24 hours, with this one. */
export async function readNow(tx: Db, { account, transactionId }: Of): Promise<Now> {
  const { rows } = await sql<Now>`
    select clock_timestamp() as at, 1 + count(*)::int as "dayCount" from request_uses
    where account = ${account} and state <> 'released' and transaction_id <> ${transactionId}
      and at > clock_timestamp() - interval '24 hours'`.execute(tx);
  const [now] = rows;
  if (now === undefined) throw new Error("a count returned nothing");
  return now;
}
