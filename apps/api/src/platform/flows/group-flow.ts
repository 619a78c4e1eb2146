import { defineFlow, isFinal, type Flow, type Steps } from "@countersign/platform/engine";
import type { FlowStore, GroupKeys } from "./store.ts";

/** The interface for the code of a group: one run of the engine for the rows of a moment. */
export type GroupSteps = Pick<Steps, "step"> & {
  /** Takes those of the run's works that may run now. Call it in a step. Repeated, it returns the same ones. */
  readonly begin: () => Promise<readonly string[]>;
  /** Lets some wait: another run takes them after `seconds`. `limitSeconds` counts from the first time that it is given. */
  readonly wait: (
    keys: readonly string[],
    times: { readonly seconds: number; readonly limitSeconds?: number },
  ) => Promise<void>;
  readonly finish: (keys: readonly string[]) => Promise<void>;
  /** Nothing more happens with them automatically, and the operator has to look. */
  readonly park: (keys: readonly string[], reason: string) => Promise<void>;
};

type Parts = { readonly store: FlowStore };

/**
 * Defines a flow whose rows are worked on in groups. A row that a run leaves without a word stays with that run until it is
 * overdue, as if the engine had lost it: so `run` finishes each row, lets it wait, or parks it.
 */
export function defineGroupFlow(
  { name, run }: { readonly name: string; readonly run: (steps: GroupSteps) => Promise<void> },
  { store }: Parts,
): Flow {
  return defineFlow({
    name,
    run: async ({ key, works, step }) => {
      const of = (keys: readonly string[]): GroupKeys => ({ flow: name, run: key, keys });
      try {
        await run({
          step,
          begin: () => store.beginGroup(name, key, works),
          wait: (keys, times) => store.waitGroup(of(keys), times),
          finish: (keys) => store.finishGroup(of(keys)),
          park: (keys, reason) => store.parkGroup(of(keys), reason),
        });
      } catch (error) {
        // The engine retries everything else until it succeeds.
        if (!isFinal(error)) throw error;
        const { message } = error;
        await step("park", () => store.parkGroup(of(works.map((work) => work.key)), message));
      }
    },
  });
}
