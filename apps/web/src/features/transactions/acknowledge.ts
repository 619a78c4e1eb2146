// Acknowledgements before approving. They are for the reader: the service does not require them.
import type { TransactionView } from "@countersign/sdk";
import type { ReadReport } from "@countersign/sdk/report";
import { firstLineOf, flagReasonOf } from "./status.ts";

const isGrave = (severity: string): boolean => severity.toLowerCase() === "critical";

/** Returns the sentence to tick, or undefined if nothing is flagged. */
export function toAcknowledge(
  transaction: TransactionView,
  report: ReadReport | undefined,
): string | undefined {
  const [verdict] = transaction.approvals.orion;
  if (verdict?.decision === "UNDECIDED")
    return `I understand that this hasn’t been verified. ${flagReasonOf(transaction) ?? ""}`.trim();
  const grave = report?.issues.find(({ severity, isOpen }) => isGrave(severity) && !isOpen);
  if (grave !== undefined)
    return `I understand the risk and still want to approve: ${firstLineOf(grave.reasoning)}`;
  return report === undefined
    ? "I understand that there’s no report, so this page can’t tell me what it does."
    : undefined;
}
