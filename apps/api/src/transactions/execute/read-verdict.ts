import { readAttestation } from "@countersign/wire";
import { unixSeconds } from "../seal.ts";
import type { TransactionStore } from "../store/index.ts";
import type { Transaction } from "../transaction.ts";

/** Until when what was decided counts, in Unix seconds; undefined when nobody whose word is enough has said yes. */
export type ReadVerdict = (transaction: Transaction) => Promise<{ readonly validUntil: number } | undefined>;

/**
 * A signed verdict, for as long as its signer says. Without one the owner must have approved in person, and that counts until
 * the deadline: an arbiter's key alone, without its signature, moves no money.
 */
export const makeReadVerdict =
  ({ store }: { readonly store: Pick<TransactionStore, "listApprovals"> }): ReadVerdict =>
  async (transaction) => {
    const approvals = await store.listApprovals(transaction.id);
    const attestation = readAttestation(
      approvals.find(({ kind }) => kind === "orion")?.attestation ?? undefined,
    );
    if (attestation?.verdict.decision === "APPROVED") return { validUntil: attestation.verdict.validUntil };
    return transaction.user === "APPROVED" ? { validUntil: unixSeconds(transaction.deadline) } : undefined;
  };
