import { readAttestation, type Attestation } from "@countersign/wire";
import type { CheckAttestation } from "../decide/check-attestation.ts";
import { unixSeconds } from "../record/seal.ts";
import type { TransactionStore } from "../store/index.ts";
import type { Transaction } from "../transaction.ts";
import { whyNotComplete } from "./read-completely.ts";

/** Until when the decision counts, in Unix seconds, or why it does not authorize sending. */
type Authority = { readonly validUntil: number } | { readonly why: readonly string[] };
export type ReadVerdict = (transaction: Transaction) => Promise<Authority>;

type Parts = {
  readonly store: Pick<TransactionStore, "listApprovals" | "readReport">;
  readonly checkAttestation: CheckAttestation;
};

const refuse = (...why: readonly string[]): Authority => ({ why });

/**
 * Verifies the stored attestation again, as if it had just arrived: its signature, the values it repeats of
 * the transaction, its validity, and that its signer is an active verification service. The row was checked
 * when it was written, but sending money does not rely on it being unchanged.
 */
export const makeReadVerdict = ({ store, checkAttestation }: Parts): ReadVerdict => {
  const verify = async (
    transaction: Transaction,
    stored: unknown,
  ): Promise<Attestation | { readonly why: readonly string[] }> => {
    const decision = readAttestation(stored)?.verdict.decision;
    if (decision === undefined) return { why: ["its attestation cannot be read"] };
    const report = await store.readReport(transaction.id);
    try {
      const checked = await checkAttestation(transaction, { decision, attestation: stored, report });
      return checked.service === null
        ? { why: ["no verification service is registered that could have signed it"] }
        : checked.attestation;
    } catch (error) {
      return {
        why: [`its attestation is not valid: ${error instanceof Error ? error.message : "unreadable"}`],
      };
    }
  };

  const readByVerdict = async (transaction: Transaction, attestation: Attestation): Promise<Authority> => {
    const { decision, validUntil } = attestation.verdict;
    if (decision !== "APPROVED")
      return refuse("its verdict is not APPROVED: the owner's own wallet may send it");
    // Its owner sends it; we only confirm that this call was approved.
    if (transaction.policy.external) return { validUntil };
    const why = whyNotComplete(await store.readReport(transaction.id));
    return why.length > 0 ? { why } : { validUntil };
  };

  return async (transaction) => {
    const { user, policy, deadline } = transaction;
    const approvals = await store.listApprovals(transaction.id);
    const stored = approvals.find(({ kind }) => kind === "orion")?.attestation ?? undefined;
    const isOwners = policy.external && user === "APPROVED";
    if (stored === undefined)
      return isOwners ? { validUntil: unixSeconds(deadline) } : refuse("no signed verdict approves it");
    const found = await verify(transaction, stored);
    if ("why" in found) return found;
    return isOwners && found.verdict.decision === "UNDECIDED"
      ? { validUntil: unixSeconds(deadline) }
      : readByVerdict(transaction, found);
  };
};
