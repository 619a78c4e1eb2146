// The durable intent to send: the one place where a transaction becomes ours to execute.
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
  /** Looks at it once it is locked; throws to refuse. */
  readonly check?: (current: Transaction) => void;
  /** Its owner's wallet was to send it; an administrator has us do it. */
  readonly isHandedOver?: boolean;
};

/** Something else from the same wallet is on its way. Whoever catches it has had nothing changed. */
export class WalletBusy extends Error {
  override readonly name = "WalletBusy";
}

const isBegun = ({ before, after }: Changed): boolean => before !== after && after.phase === "EXECUTING";

export type BeginExecution = {
  /** False: it is not, or no longer, waiting to be sent, or something else from the same wallet is on its way. */
  readonly begin: (intent: Intent) => Promise<boolean>;
  /**
   * The change and the row of the intent, in somebody's database transaction; throws WalletBusy to have that undone.
   * Undefined if there is no such transaction.
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
      // All of it or nothing: what is handed over and not begun would be nobody's.
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
