// Between an approval and a wallet: is it one, is it about these very bytes, and did the arbiter sign that?
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

/** What was asked for, as we know it ourselves. */
export type Asked = {
  readonly call: ExactCall;
  readonly chainId: number;
  readonly escrow: Hex;
  readonly words: string;
};

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** By the service's own word: approved, and these very bytes. */
export function checkRecord(decided: TransactionView, requestHash: string, asked: Asked): void {
  const { status, reason, approvals, executor } = decided;
  if (status !== "APPROVED" && status !== "EXECUTED") {
    const why = approvals.orion[0]?.analysis ?? reason;
    throw new NotApprovedError(`Not sent: ${status}${why === null ? "" : `. ${why}`}`, decided);
  }
  if (decided.phase === "LAPSED")
    throw new NotApprovedError("Not sent: the approval has expired. Check the wallet first", decided);
  if (!same(decided.requestHash, requestHash) || !isAbout(decided, asked))
    throw new NotApprovedError("Not sent: something else was approved than was asked for", decided);
  if (status === "EXECUTED" && executor !== "service")
    throw new NotApprovedError("Not sent: it has been sent already", decided);
}

const isAbout = ({ tx, chainId, escrowAddress }: TransactionView, { call, ...asked }: Asked): boolean =>
  tx !== null &&
  same(tx.to, call.to) &&
  tx.value === call.value.toString() &&
  same(tx.data, call.data) &&
  chainId === asked.chainId &&
  same(escrowAddress, asked.escrow);

/**
 * By the arbiter's signature, so that the service need not be believed. Where the arbiter could not decide, the owner's
 * yes is needed, and for that there is the service's word alone.
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
  if (!found.isValid) return `its receipt does not hold. ${found.problems.join(" ")}`;
  if (!isSigned(found.verdict, decided.requestHash, asked))
    return "the signed verdict is about something else";
  if (found.validUntil.getTime() < Date.now()) return "the signed verdict has run out";
  if (found.decision === "APPROVED") return undefined;
  // An approval given before an UNDECIDED verdict does not count for it.
  const isOwnersYes = decided.approvals.user.some(
    ({ decision, verdictSeen }) => decision === "APPROVED" && verdictSeen !== null,
  );
  return found.decision === "UNDECIDED" && isOwnersYes
    ? undefined
    : `the signed verdict says ${found.decision}, whatever the record says`;
}

const isSigned = (verdict: SignedVerdict, requestHash: string, { call, ...asked }: Asked): boolean =>
  same(verdict.requestHash, requestHash) &&
  same(verdict.to, call.to) &&
  verdict.value === call.value &&
  same(verdict.dataHash, hashData(call.data)) &&
  same(verdict.intentHash, hashIntent(asked.words)) &&
  verdict.chainId === asked.chainId &&
  same(verdict.escrow, asked.escrow);
