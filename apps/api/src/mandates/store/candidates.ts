import { sql } from "kysely";
import type { Account } from "../../accounts/index.ts";
import type { Db } from "../../platform/db/connect.ts";
import type { Terms } from "../terms.ts";

/** A mandate that might allow a transaction. */
type Candidate = {
  readonly id: string;
  readonly terms: Terms;
  /** Valid by the database's clock, and not revoked. */
  readonly isLive: boolean;
};

/** Every mandate that the agent ever had, newest first. */
export async function listCandidates(
  tx: Db,
  { account, agent }: { readonly account: Account; readonly agent: string },
): Promise<readonly Candidate[]> {
  const { rows } = await sql<Candidate>`
    select id, terms,
      ended_at is null and clock_timestamp() >= valid_from and clock_timestamp() < valid_until as "isLive"
    from mandates where account = ${account} and agent = ${agent} order by created_at desc, id desc`.execute(
    tx,
  );
  return rows;
}

/**
 * Whether an agent without mandates needs one. A key or connection that was made after the account's first mandate does:
 * otherwise a new key would lift the limits of the one that it replaces. The owner in person needs none.
 */
export async function needsMandate(
  tx: Db,
  { account, agent }: { readonly account: Account; readonly agent: string },
): Promise<boolean> {
  if (!/^(?:key|oauth):/.test(agent)) return false;
  const id = agent.slice(agent.indexOf(":") + 1);
  const { rows } = await sql`
    select from mandates m where m.account = ${account} and m.created_at <= coalesce(
      (select created_at from api_keys where id::text = ${id}),
      (select created_at from oauth_grants where id::text = ${id}), 'infinity') limit 1`.execute(tx);
  return rows.length > 0;
}
