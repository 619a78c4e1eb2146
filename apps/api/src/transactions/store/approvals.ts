import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { asHex, bytesOf } from "../../platform/db/hex.ts";
import type { Approval, NewApproval, Transaction } from "../transaction.ts";

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

export async function insertApproval(
  tx: Db,
  { id: transactionId, account }: Transaction,
  approval: NewApproval,
): Promise<Approval> {
  const { attestation, reportHash } = approval;
  const { rows } = await sql<Approval>`
    insert into approvals as a (id, account, transaction_id, kind, decision, type, approver, api_key_id, label,
      confidence, analysis, attestation, report_hash, verdict_seen)
    values (${approval.id}, ${account}, ${transactionId}, ${approval.kind}, ${approval.decision}, ${approval.type},
      ${approval.approver}, ${approval.apiKeyId}, ${approval.label}, ${approval.confidence}, ${approval.analysis},
      ${attestation === null || attestation === undefined ? null : JSON.stringify(attestation)},
      ${reportHash === null ? null : bytesOf(reportHash)}, ${approval.verdictSeen})
    returning ${approvalColumns}`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error("an insert returned nothing");
  return row;
}
