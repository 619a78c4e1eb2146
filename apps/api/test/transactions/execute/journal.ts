// An engine small enough for one test: it remembers what a step gave, forgets nothing when it is cut off, and does not wait
// as long as it was told to.
import { setTimeout as sleep } from "node:timers/promises";
import type { FlowSteps } from "../../../src/platform/flows/index.ts";

/** Called at each edge of a step; throws to cut the work off there. */
export type Edge = (step: string, where: "before" | "after") => void | Promise<void>;

/** The work was cut off, as by a death of its process. */
export class CutOff extends Error {
  override readonly name = "CutOff";
}

export type Journal = {
  readonly steps: (onEdge?: Edge) => FlowSteps;
};

/** In place of pauses of up to half a minute. */
const longestPauseMs = 60;

export function makeJournal(key: string): Journal {
  const kept = new Map<string, unknown>();
  const steps = (onEdge: Edge = () => undefined): FlowSteps => ({
    key,
    step: async <T>(name: string, effect: () => Promise<T>): Promise<T> => {
      if (kept.has(name)) return kept.get(name) as T;
      await onEdge(name, "before");
      const result = await effect();
      await onEdge(name, "after");
      kept.set(name, result);
      return result;
    },
    waitFor: async (what, read, until) => {
      await onEdge(what, "before");
      const limit = Math.min(until.getTime(), Date.now() + longestPauseMs);
      for (;;) {
        const found = await read();
        if (found !== undefined) return found;
        if (Date.now() >= limit) return undefined;
        await sleep(15);
      }
    },
  });
  return { steps };
}
