import { crashPoint } from "@countersign/platform/crash";
import type { Flows } from "../platform/flows/index.ts";
import type { Changed, Key, Rule, TransactionStore, Within } from "./store/index.ts";

type Parts = {
  readonly store: Pick<TransactionStore, "change">;
  readonly flows: Pick<Flows, "start" | "wake">;
  /** Notifies waiting requests in this process. Other processes find out by reading the events. */
  readonly poke: () => void;
};

/** The only way a proposal changes: commit first, then notify. */
export type Transition = {
  /** Changes a locked transaction according to the rule. Undefined if the transaction does not exist. */
  readonly change: (key: Key, rule: Rule) => Promise<Changed | undefined>;
  /** The same inside the caller's database transaction. The caller calls `announce` after the commit. */
  readonly changeWithin: (tx: Within, key: Key, rule: Rule) => Promise<Changed | undefined>;
  readonly announce: (changed: Changed | undefined) => Promise<void>;
};

export function makeTransition({ store, flows, poke }: Parts): Transition {
  const announce = async (changed: Changed | undefined): Promise<void> => {
    if (changed === undefined || changed.after === changed.before) return;
    const { phase } = changed.after;
    crashPoint(`change: after commit, ${phase}`);
    poke();
    if (changed.start !== undefined) await flows.start(changed.start);
    await flows.wake(changed.wake);
    crashPoint(`change: after wake, ${phase}`);
  };
  return {
    announce,
    changeWithin: (tx, key, rule) => store.change(key, rule, tx),
    change: async (key, rule) => {
      const changed = await store.change(key, rule);
      await announce(changed);
      return changed;
    },
  };
}
