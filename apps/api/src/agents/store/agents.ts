import { sql } from "kysely";
import type { Account } from "../../accounts/index.ts";
import type { Db } from "../../platform/db/connect.ts";
import { agentName, type Agent, type AgentId, type Figures } from "../agent.ts";

/** Keys and grants in one form. A grant without a usable token counts as expired, as in the list of connected apps. */
const all = (account: Account) => sql`
  select 'key' as kind, k.id, k.name, k.prefix, null as client_id, k.scopes, k.created_at, k.last_used_at,
    not k.active as is_revoked, coalesce(k.expires_at <= now(), false) as is_expired
  from api_keys k where k.account = ${account}
  union all
  select 'oauth', g.id, g.client_name, null, g.client_id, g.scopes, g.created_at, g.last_used_at,
    g.revoked_at is not null,
    g.ends_at <= now() or not exists (select from oauth_refresh_tokens t where t.grant_id = g.id and t.expires_at > now())
      and not exists (select from oauth_codes c where c.grant_id = g.id and c.used_at is null and c.expires_at > now())
  from oauth_grants g where g.account = ${account}`;

/** Those in use first, then newest first. */
const select = (account: Account) => sql`
  select a.kind, a.id, a.name, a.prefix, a.client_id as "clientId", a.scopes, a.created_at as "createdAt",
    a.last_used_at as "lastUsedAt", p.paused_at as "pausedAt",
    case when a.is_revoked then 'REVOKED' when a.is_expired then 'EXPIRED'
      when p.paused_at is not null then 'PAUSED' else 'ACTIVE' end as status
  from (${all(account)}) a
  left join agent_pauses p on p.account = ${account} and p.agent = a.kind || ':' || a.id`;

export type AgentStore = ReturnType<typeof makeAgentStore>;

export function makeAgentStore(db: Db) {
  return {
    async list(account: Account): Promise<readonly Agent[]> {
      const { rows } = await sql<Agent>`
        ${select(account)} order by a.is_revoked or a.is_expired, a.created_at desc, a.id desc limit 1000`.execute(
        db,
      );
      return rows;
    },

    async find({ account, kind, id }: AgentId): Promise<Agent | undefined> {
      const { rows } = await sql<Agent>`
        ${select(account)} where a.kind = ${kind} and a.id = ${id}`.execute(db);
      return rows[0];
    },

    /** By the agent's name. Agents without proposals are missing. */
    async readFigures(
      account: Account,
      { since, only }: { readonly since: Date; readonly only?: AgentId },
    ): Promise<ReadonlyMap<string, Figures>> {
      const agent = only === undefined ? null : agentName(only);
      const { rows } = await sql<Figures & { readonly agent: string }>`
        select proposer as agent, count(*)::int as proposals,
          (count(*) filter (where orion = 'APPROVED'))::int as matches,
          (count(*) filter (where orion = 'UNDECIDED'))::int as undecided,
          (count(*) filter (where orion = 'REJECTED'))::int as differs,
          (count(*) filter (where mandate_id is not null))::int as "byMandate",
          (count(*) filter (where final
            and (onchain = 'success' or onchain = 'used' and use_outcome = 'used')))::int as executed
        from transactions where account = ${account} and created_at >= ${since}
          and (${agent}::text is null or proposer = ${agent})
        group by proposer`.execute(db);
      return new Map(rows.map(({ agent: name, ...figures }) => [name, figures]));
    },
  };
}
