import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { agentName, type AgentId } from "../agent.ts";
import type { Executed } from "../spending.ts";

const readAtMost = 5_000;

/**
 * Returns the agent's transactions that are final since then, newest first, at most 5,000. Payloads that the sender
 * encrypted have no stored report, so their effects are null.
 */
export async function readExecuted(
  db: Db,
  { account, ...agent }: AgentId,
  since: Date,
): Promise<readonly Executed[]> {
  const { rows } = await sql<Executed & { readonly chainId: string }>`
    select to_char(e.at at time zone 'UTC', 'YYYY-MM-DD') as day, t.chain_id as "chainId",
      coalesce(r.summary, r.report) #> '{context,effects}' as effects,
      case when t.mandate_id is not null then 'mandate' when t."user" = 'APPROVED' then 'owner' else 'service' end as by
    from transactions t
    join lateral (select min(created_at) as at from account_events
      where transaction_id = t.id and phase in ('EXECUTED', 'SETTLED')) e on e.at >= ${since}
    left join reports r on r.transaction_id = t.id and t.form <> 'sealed'
    where t.account = ${account} and t.proposer = ${agentName(agent)} and t.final
      and (t.onchain = 'success' or t.onchain = 'used' and t.use_outcome = 'used')
      and t.updated_at >= ${since}
    order by e.at desc, t.id desc limit ${readAtMost}`.execute(db);
  return rows.map(({ chainId, ...rest }) => ({ ...rest, chainId: Number(chainId) }));
}
