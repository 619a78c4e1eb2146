import type { Engine } from "@countersign/platform/engine";
import type { Log } from "@countersign/platform/log";
import { currentTraceparent } from "@countersign/platform/trace";
import type { FlowAttempt, FlowId, FlowStore, Wake } from "./store.ts";

/** After this many overdue attempts, the operator has to look. */
const attemptsAtMost = 5;
const batch = 100;

export type Flows = {
  /** Call after the commit that accepted the work. Never fails: if the engine is down, the sweeper starts it later. */
  readonly start: (work: FlowId) => Promise<void>;
  /** Call after the commit that asked for it. */
  readonly wake: (asked: Wake | undefined) => Promise<void>;
  /** Moves stalled work forward. Returns how many rows it moved. */
  readonly sweep: () => Promise<number>;
};

type Parts = { readonly store: FlowStore; readonly engine: Engine; readonly log: Log };

/** Notifies the engine, then records that. Notifying twice is harmless; recording without notifying would lose work. */
async function tell(
  work: FlowAttempt,
  { log }: Parts,
  act: () => Promise<void>,
  note: () => Promise<void>,
): Promise<boolean> {
  try {
    await act();
    await note();
    return true;
  } catch (error) {
    log.warn("engine not notified, leaving it to the sweeper", { flow: work.flow, key: work.key, error });
    return false;
  }
}

const inputOf = ({ key, attempt, traceparent }: FlowAttempt) => ({
  key,
  attempt,
  ...(traceparent == null ? {} : { traceparent }),
});

export function makeFlows(parts: Parts): Flows {
  const { store, engine, log } = parts;
  const start = (work: FlowAttempt): Promise<boolean> =>
    tell(
      work,
      parts,
      () => engine.start(work.flow, inputOf(work)),
      () => store.markStarted(work),
    );
  const wake = (asked: Wake): Promise<boolean> =>
    tell(
      asked,
      parts,
      () => engine.wake(asked.flow, inputOf(asked), asked.wake),
      () => store.markWoken(asked),
    );
  return {
    start: async (work) => {
      await start({ ...work, attempt: 1, traceparent: currentTraceparent() ?? null });
    },
    wake: async (asked) => {
      if (asked !== undefined) await wake(asked);
    },
    async sweep() {
      const overdue = await store.claimOverdue(batch, attemptsAtMost);
      for (const { flow, key, attempt } of overdue) log.warn("retrying overdue flow", { flow, key, attempt });
      const toStart = [...overdue, ...(await store.claimUnstarted(batch))];
      const toWake = await store.claimUnwoken(batch);
      const moved = await Promise.all([...toStart.map(start), ...toWake.map(wake)]);
      return moved.filter(Boolean).length;
    },
  };
}
