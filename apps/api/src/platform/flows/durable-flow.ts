import type { Clock } from "@countersign/platform/clock";
import {
  defineFlow,
  FlowCannotGoOn,
  isFinal,
  type Flow,
  type Journalled,
  type Steps,
} from "@countersign/platform/engine";
import type { FlowStore } from "./store.ts";

/** The interface for a flow's own code. */
export type FlowSteps = Pick<Steps, "key" | "step"> & {
  /**
   * Reads the database until `read` returns a value or the time is up. A transaction that changes the data
   * also wakes the flow; the flow trusts the database, never the call that woke it.
   */
  readonly waitFor: <T extends Journalled>(
    what: string,
    read: () => Promise<T | undefined>,
    until: Date,
  ) => Promise<T | undefined>;
};

type Parts = { readonly store: FlowStore; readonly clock: Clock };

type Look<T> = { readonly wakes: number; readonly leftMs: number; readonly found?: T };

function makeWaitFor(flow: string, steps: Steps, { store, clock }: Parts): FlowSteps["waitFor"] {
  return async <T extends Journalled>(
    what: string,
    read: () => Promise<T | undefined>,
    until: Date,
  ): Promise<T | undefined> => {
    for (let look = 1; ; look++) {
      const seen = await steps.step(`${what}, look ${look}`, async (): Promise<Look<T> | null> => {
        // Count first, then read: a change after this read asks for a wake-up beyond the count.
        const wakes = await store.readWakes({ flow, key: steps.key, attempt: steps.attempt });
        if (wakes === undefined) return null;
        const found = await read();
        return {
          wakes,
          leftMs: until.getTime() - clock.now().getTime(),
          ...(found === undefined ? {} : { found }),
        };
      });
      if (seen === null) throw new FlowCannotGoOn("another attempt has taken over this work");
      if (seen.found !== undefined) return seen.found;
      if (seen.leftMs <= 0) return undefined;
      await steps.sleepUntilWoken(seen.wakes + 1, seen.leftMs);
    }
  };
}

/** Defines a flow that starts and ends in the database: it runs only unfinished work, and records when it is done. */
export function defineDurableFlow(
  { name, run }: { readonly name: string; readonly run: (steps: FlowSteps) => Promise<void> },
  parts: Parts,
): Flow {
  return defineFlow({
    name,
    run: async (steps) => {
      const work = { flow: name, key: steps.key, attempt: steps.attempt };
      if (!(await steps.step("begin", () => parts.store.begin(work)))) return;
      try {
        await run({ key: steps.key, step: steps.step, waitFor: makeWaitFor(name, steps, parts) });
      } catch (error) {
        // The engine retries everything else until it succeeds.
        if (!isFinal(error)) throw error;
        const reason = error.message;
        await steps.step("park", () => parts.store.park({ ...work, reason }));
        return;
      }
      await steps.step("finish", () => parts.store.finish(work));
    },
  });
}
