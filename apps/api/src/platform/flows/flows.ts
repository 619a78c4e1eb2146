import type { Engine } from "@countersign/platform/engine";
import { newId } from "@countersign/platform/ids";
import type { Log } from "@countersign/platform/log";
import { currentTraceparent } from "@countersign/platform/trace";
import { makeCollector, type Collector } from "./collect.ts";
import type { FlowAttempt, FlowStart, FlowStore, Wake } from "./store.ts";

/** After this many overdue attempts, the operator has to look. */
const attemptsAtMost = 5;
const batch = 100;
/** The moment whose rows of a group flow are started together. */
const momentMs = 25;

export type Flows = {
  /**
   * Call after the commit that accepted the work. Never fails: if the engine is down, the sweeper starts it later. Work of a group
   * flow is collected for a moment, and this does not wait for it.
   */
  readonly start: (work: FlowStart) => Promise<void>;
  /** Call after the commit that asked for it. */
  readonly wake: (asked: Wake | undefined) => Promise<void>;
  /** Moves stalled work forward. Returns how many rows it moved. */
  readonly sweep: () => Promise<number>;
};

type Parts = {
  readonly store: FlowStore;
  readonly engine: Engine;
  readonly log: Log;
  /** Flows whose rows are worked on in groups. */
  readonly groups?: readonly string[];
};

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

/** Starts one run for all of these. Which rows it takes is noted when it begins. */
const makeStartGroup =
  ({ engine, log }: Parts, flow: string) =>
  async (works: readonly FlowAttempt[]): Promise<boolean> => {
    try {
      await engine.start(flow, { key: newId(), attempt: 1, works: works.map(inputOf) });
      return true;
    } catch (error) {
      log.warn("engine not notified, leaving it to the sweeper", { flow, count: works.length, error });
      return false;
    }
  };

type Starters = {
  readonly startGroup: ReadonlyMap<string, ReturnType<typeof makeStartGroup>>;
  readonly start: (work: FlowAttempt) => Promise<boolean>;
  readonly wake: (asked: Wake) => Promise<boolean>;
};

/** Whether the engine has that run. If it does not answer, that is not known, and the row stays where it is. */
async function isLost({ engine, log }: Parts, flow: string, run: string | null): Promise<boolean> {
  if (run === null) return true;
  try {
    return !(await engine.isRunning(flow, run));
  } catch (error) {
    log.warn("engine does not say whether it has a run", { flow, key: run, error });
    return false;
  }
}

/** Takes back the rows of runs that the engine does not have: it lost them, or an older version started them without one. */
const makeTakeBack = (parts: Parts) => async (): Promise<readonly FlowAttempt[]> => {
  const { store, log, groups = [] } = parts;
  if (groups.length === 0) return [];
  const taken = await store.claimUnseen(groups, batch);
  const byRun = Map.groupBy(taken, ({ flow, run }) => `${flow} ${run ?? ""}`);
  const lost = await Promise.all(
    Array.from(byRun.values(), async (works) => {
      const [first] = works;
      return first !== undefined && (await isLost(parts, first.flow, first.run)) ? works : [];
    }),
  );
  const works = lost.flat();
  if (works.length === 0) return [];
  log.warn("taking rows of lost runs back", { count: works.length });
  return store.takeBack(works, attemptsAtMost);
};

function makeSweep(parts: Parts, { startGroup, start, wake }: Starters): Flows["sweep"] {
  const { store, log } = parts;
  const takeBack = makeTakeBack(parts);
  return async () => {
    const overdue = await store.claimOverdue(batch, attemptsAtMost);
    for (const { flow, key, attempt } of overdue) log.warn("retrying overdue flow", { flow, key, attempt });
    const toStart = [...overdue, ...(await takeBack()), ...(await store.claimUnstarted(batch))];
    const toWake = await store.claimUnwoken(batch);
    const alone = toStart.filter(({ flow }) => !startGroup.has(flow));
    const moved = await Promise.all([...alone.map(start), ...toWake.map(wake)]);
    let inGroups = 0;
    for (const [flow, works] of Map.groupBy(toStart, (work) => work.flow))
      if ((await startGroup.get(flow)?.(works)) === true) inGroups += works.length;
    return moved.filter(Boolean).length + inGroups;
  };
}

export function makeFlows(parts: Parts): Flows {
  const { store, engine, groups = [] } = parts;
  const startGroup = new Map(groups.map((flow) => [flow, makeStartGroup(parts, flow)]));
  const collectors = new Map<string, Collector<FlowAttempt>>(
    Array.from(startGroup, ([flow, send]) => [
      flow,
      makeCollector<FlowAttempt>({
        send: async (works) => void (await send(works)),
        everyMs: momentMs,
        atMost: batch,
      }),
    ]),
  );
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
      const attempt = { ...work, attempt: 1, traceparent: work.traceparent ?? currentTraceparent() ?? null };
      const collector = collectors.get(work.flow);
      if (collector === undefined) await start(attempt);
      else collector.add(attempt);
    },
    wake: async (asked) => {
      if (asked !== undefined) await wake(asked);
    },
    sweep: makeSweep(parts, { startGroup, start, wake }),
  };
}
