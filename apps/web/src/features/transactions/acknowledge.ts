// Acknowledgements before approving. They are for the reader: the service does not require them.
import type { TransactionView } from "@countersign/sdk";
import type { Authority, ReadReport } from "@countersign/sdk/report";
import { grantsOf, isUnlimited } from "../../components/report/effects.ts";
import { partyName, powerOf } from "../../components/report/plain-words.ts";
import { shortHex } from "../../lib/format.ts";
import { firstLineOf, flagReasonOf } from "./status.ts";

const isGrave = (severity: string): boolean => severity.toLowerCase() === "critical";

const unlimitedFirst = (one: Authority, other: Authority): number =>
  Number(isUnlimited(other)) - Number(isUnlimited(one));
const shortParty = (party: string): string => shortHex(partyName(party));

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
  const [held] = report === undefined ? [] : grantsOf(report).toSorted(unlimitedFirst);
  if (held !== undefined)
    return `I understand that ${shortParty(held.spender)} ${powerOf(held)}, now and later.`;
  return report === undefined
    ? "I understand that there’s no report, so this page can’t tell me what it does."
    : undefined;
}
