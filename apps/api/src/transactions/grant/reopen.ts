// Decides again about approved transactions whose mandate ends before they are sent.
import type { Transition } from "../transition.ts";
import type { Changed, TransactionStore, Within } from "../store/index.ts";

type Parts = {
  readonly store: Pick<TransactionStore, "listGranted">;
  readonly transition: Pick<Transition, "changeWithin" | "announce">;
};

export type Reopen = {
  /** Locks the transactions that are approved under the mandate and not sent yet. Returns their ids. */
  readonly lock: (tx: Within, mandateId: string) => Promise<readonly string[]>;
  /** The same without a lock, for a caller that holds the ledger's. */
  readonly list: (tx: Within, mandateId: string) => Promise<readonly string[]>;
  /**
   * Asks the owner about each, unless another mandate allows it. Returns a function to call after the commit, which
   * announces the changes.
   */
  readonly reopen: (tx: Within, ids: readonly string[]) => Promise<() => Promise<void>>;
};

export const makeReopen = ({ store, transition }: Parts): Reopen => ({
  lock: (tx, mandateId) => store.listGranted(tx, mandateId, { lock: true }),
  list: (tx, mandateId) => store.listGranted(tx, mandateId, { lock: false }),
  reopen: async (tx, ids) => {
    const changes: (Changed | undefined)[] = [];
    for (const id of ids)
      changes.push(await transition.changeWithin(tx, { id }, () => ({ events: ["reopen"] })));
    return async () => {
      for (const changed of changes) await transition.announce(changed);
    };
  },
});
