// What somebody must have understood before they approve. The service would take the approval without it: this is to be read,
// not a rule.
import type { TransactionView } from "@countersign/sdk";
import type { ReadReport } from "@countersign/sdk/report";
import { beginningOf, objectionOf } from "./status.ts";

const isGrave = (severity: string): boolean => severity.toLowerCase() === "critical";

/** The sentence to tick, or undefined where nothing stands against it. */
export function toAcknowledge(
  transaction: TransactionView,
  report: ReadReport | undefined,
): string | undefined {
  const [verdict] = transaction.approvals.orion;
  if (verdict?.decision === "UNDECIDED")
    return `I understand that this could not be verified, and that the decision is mine. ${objectionOf(transaction) ?? ""}`.trim();
  const grave = report?.issues.find(({ severity, isOpen }) => isGrave(severity) && !isOpen);
  if (grave !== undefined)
    return `I understand that a critical check objects, and approve it all the same. ${beginningOf(grave.reasoning)}`;
  return report === undefined
    ? "I understand that there is no report to see here, and that I cannot tell from this page what it does."
    : undefined;
}
