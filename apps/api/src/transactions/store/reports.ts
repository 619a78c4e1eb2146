// The validator's reports. SQL that reads inside one takes coalesce(summary, report), which has the same members in both forms.
import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { compressReport, openReport, type ReportRow, type StoredReport } from "./report-form.ts";

type New = { readonly id: string; readonly account: string; readonly report: unknown };

const store = async (report: unknown, isCompressed: boolean): Promise<StoredReport> =>
  isCompressed ? compressReport(report) : { json: JSON.stringify(report) };

const columnsOf = (stored: StoredReport) =>
  "json" in stored
    ? { report: stored.json, compressed: null, dictionary: null, summary: null }
    : { report: null, ...stored };

/** Inserts the reports of these transactions. One that has a report keeps it. */
export async function insertReports(tx: Db, all: readonly New[], isCompressed: boolean): Promise<void> {
  if (all.length === 0) return;
  const rows = await Promise.all(
    all.map(async ({ id, account, report }) => ({
      ...{ id, account },
      ...columnsOf(await store(report, isCompressed)),
    })),
  );
  await sql`
    insert into reports (transaction_id, account, report, compressed, dictionary, summary)
    select * from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ account }) => account)}::text[],
      ${rows.map(({ report }) => report)}::jsonb[], ${rows.map(({ compressed }) => compressed)}::bytea[],
      ${rows.map(({ dictionary }) => dictionary)}::smallint[], ${rows.map(({ summary }) => summary)}::jsonb[])
    on conflict (transaction_id) do nothing`.execute(tx);
}

/** Returns the validator's whole answer, undefined if none is stored. Throws if it cannot be read. */
export async function readReport(db: Db, transactionId: string): Promise<unknown> {
  const { rows } = await sql<ReportRow>`
    select report, compressed, dictionary from reports where transaction_id = ${transactionId}`.execute(db);
  return rows[0] && openReport(rows[0]);
}
