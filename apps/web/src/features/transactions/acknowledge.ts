// What somebody must have understood before they approve. The service would take the approval without it: this is to be read,
// not a rule.
import type { TransactionView } from "@countersign/sdk";
import type { ReadReport } from "@countersign/sdk/report";
import { beginningOf, flagReasonOf } from "./status.ts";

const isGrave = (severity: string): boolean => severity.toLowerCase() === "critical";

/** The sentence to tick, or undefined where nothing stands against it. */
export function toAcknowledge(
  transaction: TransactionView,
  report: ReadReport | undefined,
): string | undefined {
  const [verdict] = transaction.approvals.orion;
  if (verdict?.decision === "UNDECIDED")
    return `I understand that this hasn’t been verified. ${flagReasonOf(transaction) ?? ""}`.trim();
  const grave = report?.issues.find(({ severity, isOpen }) => isGrave(severity) && !isOpen);
  if (grave !== undefined)
    return `I understand the risk and still want to approve: ${beginningOf(grave.reasoning)}`;
  return report === undefined
    ? "I understand that there’s no report, so this page can’t tell me what it does."
    : undefined;
}
