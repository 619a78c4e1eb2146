import type { RollUpStore } from "./store/roll-up.ts";

const batch = 1_000;
/** Bounds one run, so that a long backlog does not delay a shutdown. */
const mostBatches = 50;

/** Updates the public statistics. Any number of processes may run it. Returns how many events were counted. */
export const makeRollUp = ({ store }: { readonly store: Pick<RollUpStore, "countNext"> }) =>
  async function rollUp(): Promise<number> {
    let counted = 0;
    for (let round = 0; round < mostBatches; round++) {
      const count = await store.countNext(batch);
      counted += count;
      if (count < batch) break;
    }
    return counted;
  };
