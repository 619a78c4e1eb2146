// Hands a signature or a batch over: only once it is approved, and only once. The service has no key: the wallet's guard asks here
// before it lets the signature out.
import { isInPerson, mayRead, proposerOf, type Caller } from "../caller.ts";
import type { Transition } from "../transition.ts";
import { transactionErrors } from "../errors.ts";
import type { ReadVerdict } from "../execute/read-verdict.ts";
import { transitions } from "../lifecycle.ts";
import type { TransactionStore } from "../store/index.ts";
import type { Hex, Transaction } from "../transaction.ts";
import { proofOf } from "../uses/index.ts";

type Parts = {
  readonly store: Pick<TransactionStore, "find">;
  readonly transition: Pick<Transition, "change">;
  readonly readVerdict: ReadVerdict;
};

/** Throws if this caller may not release exactly this signature or batch now. */
function check(current: Transaction, signingHash: Hex, caller: Caller): void {
  const { account, proposer, shape, isOverdue } = current;
  if (!mayRead(caller, account)) throw transactionErrors.notFound();
  if (!isInPerson(caller, account) && proposerOf(caller) !== proposer) throw transactionErrors.notYours();
  // The shape of an encrypted proposal is known with its verdict.
  if (shape === null) throw transactionErrors.nothingToRelease();
  if (current.signingHash !== signingHash) throw transactionErrors.otherSigningHash();
  if (isOverdue || !transitions.release.when(current)) throw transactionErrors.notReleasable();
}

const noun = ({ shape }: Transaction): string => (shape === "calls" ? "batch" : "signature");

/**
 * Records the release, for its proposer and the owner. A second call is rejected, also with the same caller. The stored
 * attestation is verified again first: a signature cannot be taken back, so the release does not rely on the row.
 */
export const makeRelease = ({ store, transition, readVerdict }: Parts) =>
  async function release(requestHash: Hex, signingHash: Hex, caller: Caller): Promise<void> {
    const transaction = await store.find(requestHash);
    if (transaction === undefined) throw transactionErrors.notFound();
    check(transaction, signingHash, caller);
    const verdict = await readVerdict(transaction);
    if ("why" in verdict)
      throw transactionErrors.notReleasable({
        message: `The ${noun(transaction)} is not released: ${verdict.why.join("; ")}`,
      });
    // The row may have changed since it was read. The members that the verdict repeats never do.
    const changed = await transition.change({ requestHash }, (current) => {
      check(current, signingHash, caller);
      return { events: ["release"], facts: { useKind: proofOf(current)?.kind ?? null } };
    });
    if (changed === undefined) throw transactionErrors.notFound();
  };
