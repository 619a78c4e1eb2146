import type { Transition } from "../transition.ts";
import type { TransactionStore } from "../store/index.ts";

type Parts = {
  readonly store: Pick<TransactionStore, "listUnreminded">;
  readonly transition: Pick<Transition, "change">;
};

const atOnce = 100;

/**
 * Reminds owners of transactions that wait for them and expire soon: once, when a quarter of the time to decide is
 * left, and at most an hour. Returns how many it looked at: if that is the maximum, there may be more.
 */
export const makeRemindOwners = ({ store, transition }: Parts) =>
  async function remindOwners(): Promise<number> {
    const waiting = await store.listUnreminded(atOnce);
    for (const requestHash of waiting)
      await transition.change({ requestHash }, ({ phase, remindedAt }) =>
        phase === "AWAITING" && remindedAt === null ? { facts: { remindedAt: "now" } } : undefined,
      );
    return waiting.length;
  };
