import { sql, type RawBuilder } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import type { NewTransaction } from "../transaction.ts";

export type ContextLogs = Readonly<Record<string, unknown>>;

/** Returns a further part of the statement that inserts a transaction as `t`. */
export const insertContextLogs = ({ contextLogs }: NewTransaction): RawBuilder<unknown> =>
  contextLogs === undefined
    ? sql``
    : sql`, context as (
        insert into context_logs (transaction_id, account, context)
        select id, account, ${JSON.stringify(contextLogs)}::jsonb from t)`;

/** Returns null if the proposer sent none. */
export async function readContextLogs(db: Db, transactionId: string): Promise<ContextLogs | null> {
  const { rows } = await sql<{ context: ContextLogs }>`
    select context from context_logs where transaction_id = ${transactionId}`.execute(db);
  return rows[0]?.context ?? null;
}
