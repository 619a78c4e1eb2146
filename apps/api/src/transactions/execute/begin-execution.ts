// Records the durable intent to send. Only here does a transaction become ours to execute.
import type { Transition } from "../transition.ts";
import { apply, type Lifecycle, type LifecycleEvent } from "../lifecycle.ts";
import type { Changed, SenderName, TransactionStore, Within } from "../store/index.ts";
import type { Hex, Transaction } from "../transaction.ts";

type Parts = {
  readonly store: Pick<TransactionStore, "inTransaction" | "insertExecution">;
  readonly transition: Pick<Transition, "changeWithin" | "announce">;
};

type Intent = {
  readonly requestHash: Hex;
  readonly sender: SenderName;
  /** Checks the locked transaction. Throws to refuse. */
  readonly check?: (current: Transaction) => void;
  /** The owner's wallet was to send it; an administrator has us send it instead. */
  readonly isHandedOver?: boolean;
};

/** Another transaction of the same wallet is being sent. Nothing was changed. */
export class WalletBusy extends Error {
  override readonly name = "WalletBusy";
}

const isBegun = ({ before, after }: Changed): boolean => before !== after && after.phase === "EXECUTING";

export type BeginExecution = {
  /** Returns false if it is not waiting to be sent, or another transaction of the same wallet is being sent. */
  readonly begin: (intent: Intent) => Promise<boolean>;
  /**
   * Makes the change and inserts the execution in the caller's database transaction. Throws WalletBusy to
   * roll it back. Undefined if there is no such transaction.
   */
  readonly beginWithin: (tx: Within, intent: Intent) => Promise<Changed | undefined>;
};

export function makeBeginExecution({ store, transition }: Parts): BeginExecution {
  const beginWithin: BeginExecution["beginWithin"] = async (tx, intent) => {
    const { requestHash, sender, check, isHandedOver } = intent;
    const events: readonly LifecycleEvent[] =
      isHandedOver === true ? ["handOver", "startExecution"] : ["startExecution"];
    const changed = await transition.changeWithin(tx, { requestHash }, (current) => {
      check?.(current);
      // Both or neither: a transaction that was handed over and not begun would have no sender.
      const isPossible =
        current.isWatched &&
        !current.isOverdue &&
        current.phase === "READY" &&
        events.reduce<Lifecycle>(apply, current).phase === "EXECUTING";
      return isPossible ? { events } : undefined;
    });
    if (
      changed !== undefined &&
      isBegun(changed) &&
      !(await store.insertExecution(tx, changed.after, sender))
    )
      throw new WalletBusy();
    return changed;
  };
  return {
    beginWithin,
    begin: async (intent) => {
      try {
        const changed = await store.inTransaction((tx) => beginWithin(tx, intent));
        await transition.announce(changed);
        return changed !== undefined && isBegun(changed);
      } catch (error) {
        if (error instanceof WalletBusy) return false;
        throw error;
      }
    },
  };
}
