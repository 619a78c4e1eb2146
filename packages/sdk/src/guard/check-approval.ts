// Checks an approval before the wallet sends or signs: the status, what was approved, and the verdict's signature.
import { hashData, hashIntent, type Shape } from "@countersign/wire";
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
export type Asked = (
  | { readonly call: ExactCall }
  | {
      readonly shape: Shape;
      /** The hash that the wallet would sign, or that of the batch, computed here. */
      readonly signingHash: Hex;
    }
) & {
  readonly chainId: number;
  readonly escrow: Hex;
  readonly words: string;
};

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The beginning of every refusal. */
export const refusalOf = (asked: Asked): "Not sent" | "Not signed" =>
  "call" in asked || asked.shape === "calls" ? "Not sent" : "Not signed";

/** Checks the service's record: approved, and exactly this transaction or signature. */
export function checkRecord(decided: TransactionView, requestHash: string, asked: Asked): void {
  const { status, reason, approvals } = decided;
  const refuse = (why: string): never => {
    throw new NotApprovedError(`${refusalOf(asked)}: ${why}`, decided);
  };
  if (status !== "APPROVED" && status !== "EXECUTED") {
    const why = approvals.orion[0]?.analysis ?? reason;
    refuse(`${status}${why === null ? "" : `. ${why}`}`);
  }
  if (decided.phase === "LAPSED") refuse("the approval has expired. Check the wallet first");
  if (!same(decided.requestHash, requestHash) || !isAbout(decided, asked))
    refuse("the approved transaction differs from the requested one");
  if (status === "EXECUTED") checkUnused(decided, asked, refuse);
}

/** The service may have sent a transaction for its owner. It never signs. */
function checkUnused({ executor }: TransactionView, asked: Asked, refuse: (why: string) => never): void {
  if (!("call" in asked))
    refuse(`the ${asked.shape === "calls" ? "batch" : "signature"} was already released`);
  if (executor !== "service") refuse("it was already sent");
}

const isAbout = (view: TransactionView, asked: Asked): boolean =>
  ("call" in asked ? isCall(view, asked.call) : isPayload(view, asked)) &&
  view.chainId === asked.chainId &&
  same(view.escrowAddress, asked.escrow);

const isCall = ({ tx }: TransactionView, call: ExactCall): boolean =>
  tx !== null && same(tx.to, call.to) && tx.value === call.value.toString() && same(tx.data, call.data);

type AskedPayload = Extract<Asked, { readonly shape: Shape }>;

const isPayload = ({ shape, signingHash }: TransactionView, ours: AskedPayload): boolean =>
  shape === ours.shape && signingHash !== null && same(signingHash, ours.signingHash);

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
  if (problem !== undefined) throw new NotApprovedError(`${refusalOf(asked)}: ${problem}`, decided);
}

function problemOf(found: Verification, decided: TransactionView, asked: Asked): string | undefined {
  if (!found.isValid) return `its receipt is invalid. ${found.problems.join(" ")}`;
  if (!isVerdictAbout(found.verdict, decided.requestHash, asked))
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

const isVerdictAbout = (verdict: SignedVerdict, requestHash: string, asked: Asked): boolean =>
  same(verdict.requestHash, requestHash) &&
  isVerdictOf(verdict, asked) &&
  same(verdict.intentHash, hashIntent(asked.words)) &&
  verdict.chainId === asked.chainId &&
  same(verdict.escrow, asked.escrow);

/** A verdict of version 1 is about a transaction, one of version 2 about the exact hash that is signed. */
function isVerdictOf(verdict: SignedVerdict, asked: Asked): boolean {
  if ("shape" in verdict)
    return "shape" in asked && verdict.shape === asked.shape && same(verdict.signingHash, asked.signingHash);
  if (!("call" in asked)) return false;
  const { call } = asked;
  return (
    same(verdict.to, call.to) && verdict.value === call.value && same(verdict.dataHash, hashData(call.data))
  );
}
