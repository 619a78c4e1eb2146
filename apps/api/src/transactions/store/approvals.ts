import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { asHex } from "../../platform/db/hex.ts";
import type { Approval } from "../transaction.ts";

export const approvalColumns = sql`a.id, a.transaction_id as "transactionId", a.kind, a.decision, a.type, a.approver,
  a.api_key_id as "apiKeyId", a.label, a.confidence, a.analysis, a.attestation,
  ${asHex("a.report_hash")} as "reportHash", a.verdict_seen as "verdictSeen", a.created_at as "createdAt"`;

/** Those of one transaction, oldest first. */
export async function listApprovals(db: Db, transactionId: string): Promise<readonly Approval[]> {
  const { rows } = await sql<Approval>`
    select ${approvalColumns} from approvals a where a.transaction_id = ${transactionId} order by a.id`.execute(
    db,
  );
  return rows;
}

/** Those of several transactions. */
export async function listApprovalsOf(
  db: Db,
  transactionIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Approval[]>> {
  const { rows } = await sql<Approval>`
    select ${approvalColumns} from approvals a
    where a.transaction_id = any(${transactionIds}::uuid[]) order by a.transaction_id, a.id`.execute(db);
  return Map.groupBy(rows, ({ transactionId }) => transactionId);
}
