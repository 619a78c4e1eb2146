import type { RollUpStore } from "./store/roll-up.ts";

const batch = 1_000;
/** So that a long backlog does not keep whoever stops the process waiting. */
const mostBatches = 50;

/** Brings the public statistics up to date. Any number of processes may do it. Returns how many events were counted. */
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
