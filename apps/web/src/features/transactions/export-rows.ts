// The audit export: one record per proposal, with who decided what and when.
import type { TransactionView } from "@countersign/sdk";

const columns = [
  "requestHash",
  "createdAt",
  "updatedAt",
  "status",
  "phase",
  "reason",
  "agent",
  "description",
  "intentProvenance",
  "chainId",
  "escrowAddress",
  "to",
  "value",
  "data",
  "verdict",
  "verdictAt",
  "ownerDecision",
  "ownerDecidedAt",
  "ownerSigned",
  "mandateId",
  "transactionHash",
  "alert",
] as const;

type Row = Readonly<Record<(typeof columns)[number], string>>;

/** Returns who decided what and when. Empty where a decision is missing. */
function decisionsOf({ approvals }: TransactionView) {
  const [verdict] = approvals.orion;
  const owner = approvals.user.at(-1);
  return {
    ...{ verdict: verdict?.decision ?? "", verdictAt: verdict?.createdAt ?? "" },
    ...{ ownerDecision: owner?.decision ?? "", ownerDecidedAt: owner?.createdAt ?? "" },
    ownerSigned: owner === undefined ? "" : String(owner.type === "user"),
  };
}

export function exportRow(transaction: TransactionView, nameOf: (agent: string) => string): Row {
  const { to, value, data } = transaction.tx ?? { to: null, value: "", data: "" };
  return {
    requestHash: transaction.requestHash,
    createdAt: transaction.createdAt,
    updatedAt: transaction.updatedAt,
    status: transaction.status,
    phase: transaction.phase,
    reason: transaction.reason ?? "",
    agent: nameOf(transaction.agent),
    description: transaction.description,
    intentProvenance: transaction.intentProvenance,
    chainId: String(transaction.chainId),
    escrowAddress: transaction.escrowAddress,
    ...{ to: to ?? "", value, data },
    ...decisionsOf(transaction),
    mandateId: transaction.mandateId ?? "",
    transactionHash: transaction.transactionHash ?? "",
    alert: transaction.alert ?? "",
  };
}

/** Spreadsheets run cells that begin like a formula: such text, which an agent may have written, gets an apostrophe. */
const inert = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell);
const quoted = (cell: string): string => `"${inert(cell).replaceAll('"', '""')}"`;

/** Returns RFC 4180 text, with a header line. */
export const toCsv = (rows: readonly Row[]): string =>
  [columns.join(","), ...rows.map((row) => columns.map((name) => quoted(row[name])).join(","))]
    .map((line) => `${line}\r\n`)
    .join("");

export const toJson = (rows: readonly Row[]): string => `${JSON.stringify(rows, null, 2)}\n`;
