// Ends a mandate, and decides again about what was approved under it and is not sent yet. One database transaction:
// there is no moment in which the mandate has ended and a transaction is still approved by it.
import { mandateErrors } from "./errors.ts";
import type { Mandate, MandateStore, Within } from "./store/mandates.ts";

/** The transactions that are approved under a mandate. Locks are taken in this order: transactions, then the ledger. */
export type ApprovedUnder = {
  readonly lock: (tx: Within, mandateId: string) => Promise<readonly string[]>;
  readonly list: (tx: Within, mandateId: string) => Promise<readonly string[]>;
  /** Returns a function to call after the commit. */
  readonly reopen: (tx: Within, ids: readonly string[]) => Promise<() => Promise<void>>;
};

type Parts = {
  readonly store: Pick<MandateStore, "inTransaction" | "end">;
  readonly approvedUnder: ApprovedUnder;
};

type Ending = {
  /** Runs after the mandate has ended and before its transactions are decided again. */
  readonly before?: (tx: Within) => Promise<void>;
};

const attempts = 5;

/** A transaction was approved between the two locks. */
class Missed extends Error {
  override readonly name = "Missed";
}

async function endWithin(
  tx: Within,
  { store, approvedUnder }: Parts,
  mandate: Pick<Mandate, "id" | "account">,
  { before }: Ending,
): Promise<() => Promise<void>> {
  const locked = new Set(await approvedUnder.lock(tx, mandate.id));
  await store.end(tx, mandate);
  const all = await approvedUnder.list(tx, mandate.id);
  if (all.some((id) => !locked.has(id))) throw new Missed();
  await before?.(tx);
  return approvedUnder.reopen(tx, all);
}

export type EndMandate = ReturnType<typeof makeEndMandate>;

export const makeEndMandate = (parts: Parts) =>
  async function endMandate(mandate: Pick<Mandate, "id" | "account">, ending: Ending = {}): Promise<void> {
    for (let attempt = 0; attempt < attempts; attempt++)
      try {
        const announce = await parts.store.inTransaction((tx) => endWithin(tx, parts, mandate, ending));
        await announce();
        return;
      } catch (error) {
        if (!(error instanceof Missed)) throw error;
      }
    throw mandateErrors.busy();
  };
