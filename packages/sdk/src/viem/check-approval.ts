// Checks an approval before the wallet sends: the status, the transaction, and the verdict's signature.
import { hashData, hashIntent } from "@countersign/wire";
import type { Countersign } from "../client.ts";
import {
  verifyReceipt,
  type SignedVerdict,
  type Trust,
  type Verification,
} from "../receipt/verify-receipt.ts";
import type { Hex, TransactionView } from "../types.ts";
import { NotApprovedError } from "./not-approved.ts";
import type { ExactCall } from "./read-send.ts";

/** Our own copy of the proposal. */
export type Asked = {
  readonly call: ExactCall;
  readonly chainId: number;
  readonly escrow: Hex;
  readonly words: string;
};

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Checks the service's record: approved, and exactly this transaction. */
export function checkRecord(decided: TransactionView, requestHash: string, asked: Asked): void {
  const { status, reason, approvals, executor } = decided;
  if (status !== "APPROVED" && status !== "EXECUTED") {
    const why = approvals.orion[0]?.analysis ?? reason;
    throw new NotApprovedError(`Not sent: ${status}${why === null ? "" : `. ${why}`}`, decided);
  }
  if (decided.phase === "LAPSED")
    throw new NotApprovedError("Not sent: the approval has expired. Check the wallet first", decided);
  if (!same(decided.requestHash, requestHash) || !isAbout(decided, asked))
    throw new NotApprovedError("Not sent: the approved transaction differs from the requested one", decided);
  if (status === "EXECUTED" && executor !== "service")
    throw new NotApprovedError("Not sent: it was already sent", decided);
}

const isAbout = ({ tx, chainId, escrowAddress }: TransactionView, { call, ...asked }: Asked): boolean =>
  tx !== null &&
  same(tx.to, call.to) &&
  tx.value === call.value.toString() &&
  same(tx.data, call.data) &&
  chainId === asked.chainId &&
  same(escrowAddress, asked.escrow);

/**
 * Checks the verdict's signature, so that the service does not have to be trusted. An UNDECIDED verdict needs the
 * owner's approval, which only the service reports.
 */
export async function checkReceipt(
  { countersign, trust }: { readonly countersign: Countersign; readonly trust: Trust },
  decided: TransactionView,
  asked: Asked,
): Promise<void> {
  const receipt = await countersign.receipt(decided.requestHash);
  const problem = problemOf(await verifyReceipt(receipt, trust), decided, asked);
  if (problem !== undefined) throw new NotApprovedError(`Not sent: ${problem}`, decided);
}

function problemOf(found: Verification, decided: TransactionView, asked: Asked): string | undefined {
  if (!found.isValid) return `its receipt is invalid. ${found.problems.join(" ")}`;
  if (!isSigned(found.verdict, decided.requestHash, asked))
    return "the signed verdict belongs to another transaction";
  if (found.validUntil.getTime() < Date.now()) return "the signed verdict has expired";
  if (found.decision === "APPROVED") return undefined;
  // An approval given before an UNDECIDED verdict does not count for it.
  const isOwnersYes = decided.approvals.user.some(
    ({ decision, verdictSeen }) => decision === "APPROVED" && verdictSeen !== null,
  );
  return found.decision === "UNDECIDED" && isOwnersYes
    ? undefined
    : `the signed verdict is ${found.decision}, but the service reports an approval`;
}

const isSigned = (verdict: SignedVerdict, requestHash: string, { call, ...asked }: Asked): boolean =>
  same(verdict.requestHash, requestHash) &&
  same(verdict.to, call.to) &&
  verdict.value === call.value &&
  same(verdict.dataHash, hashData(call.data)) &&
  same(verdict.intentHash, hashIntent(asked.words)) &&
  verdict.chainId === asked.chainId &&
  same(verdict.escrow, asked.escrow);
