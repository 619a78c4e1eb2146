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
