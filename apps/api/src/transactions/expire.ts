import type { Door } from "./door.ts";
import type { TransactionStore } from "./store/index.ts";

type Parts = {
  readonly store: Pick<TransactionStore, "listOverdue">;
  readonly door: Pick<Door, "change">;
};

const atOnce = 100;

/** Ends what is past its time. Returns how many it looked at: as many as it may means that there may be more. */
export const makeExpireOverdue = ({ store, door }: Parts) =>
  async function expireOverdue(): Promise<number> {
    const overdue = await store.listOverdue(atOnce);
    // The change itself sees that the time is up, in the same way as every other one does.
    for (const requestHash of overdue) await door.change({ requestHash }, () => undefined);
    return overdue.length;
  };
