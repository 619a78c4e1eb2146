// Inserts the evidence of decisions: the decision, the validator's report and its inputs.
import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { bytesOf } from "../../platform/db/hex.ts";
import type { Approval, NewApproval, Transaction } from "../transaction.ts";
import { approvalColumns } from "./approvals.ts";
import type { StoredBundle } from "./bundles.ts";
import { insertReports } from "./reports.ts";

export type Evidence = {
  readonly approval?: NewApproval;
  /** The validator's whole answer, stored for the owner. */
  readonly report?: unknown;
  /** The inputs of that answer, gzipped. */
  readonly bundle?: StoredBundle;
};

type Of = { readonly before: Transaction; readonly evidence: Evidence };

const approvalRow = ({ before: { id, account }, evidence: { approval } }: Of) =>
  approval === undefined
    ? []
    : [{ ...approval, account, transactionId: id, reportHash: approval.reportHash?.slice(2) ?? null }];

/** Nothing is stored for payloads that the sender encrypted: report and inputs show them. */
const isShown = ({ before: { form } }: Of): boolean => form !== "sealed";

async function insertApprovals(tx: Db, all: readonly Of[]): Promise<ReadonlyMap<string, Approval>> {
  const rows = all.flatMap(approvalRow);
  if (rows.length === 0) return new Map();
  const inserted = await sql<Approval>`
    insert into approvals as a (id, account, transaction_id, kind, decision, type, approver, api_key_id, label,
      confidence, analysis, attestation, report_hash, verdict_seen)
    select r.id, r.account, r."transactionId", r.kind, r.decision, r.type, r.approver, r."apiKeyId", r.label, r.confidence,
      r.analysis, r.attestation, decode(r."reportHash", 'hex'), r."verdictSeen"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, account text, "transactionId" uuid, kind text,
      decision text, type text, approver text, "apiKeyId" uuid, label text, confidence double precision, analysis text,
      attestation jsonb, "reportHash" text, "verdictSeen" text)
    returning ${approvalColumns}`.execute(tx);
  return new Map(inserted.rows.map((approval) => [approval.transactionId, approval]));
}

/** Those that are stored. */
const reportsOf = (all: readonly Of[]) =>
  all
    .filter(isShown)
    .flatMap(({ before: { id, account }, evidence: { report } }) =>
      report === undefined ? [] : [{ id, account, report }],
    );

async function insertBundles(tx: Db, all: readonly Of[]): Promise<void> {
  const rows = all
    .filter(isShown)
    .flatMap(({ before: { id, account }, evidence: { bundle } }) =>
      bundle === undefined ? [] : [{ id, account, hash: bytesOf(bundle.hash), content: bundle.content }],
    );
  if (rows.length === 0) return;
  await sql`
    insert into bundles (transaction_id, account, hash, content)
    select * from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ account }) => account)}::text[],
      ${rows.map(({ hash }) => hash)}::bytea[], ${rows.map(({ content }) => content)}::bytea[])
    on conflict (transaction_id) do nothing`.execute(tx);
}

/** Returns the inserted decisions by the ids of their transactions. */
export async function insertEvidence(
  tx: Db,
  all: readonly Of[],
  { compactStorage }: { readonly compactStorage: boolean },
): Promise<ReadonlyMap<string, Approval>> {
  await insertReports(tx, reportsOf(all), compactStorage);
  await insertBundles(tx, all);
  return insertApprovals(tx, all);
}
