// An engine small enough for one test: it journals step results, keeps them when it is interrupted, and shortens
// pauses.
import { setTimeout as sleep } from "node:timers/promises";
import type { FlowSteps } from "../../../src/platform/flows/index.ts";

/** Called before and after each step. Throws to interrupt the work there. */
export type Edge = (step: string, where: "before" | "after") => void | Promise<void>;

/** The work was interrupted, as by the death of its process. */
export class CutOff extends Error {
  override readonly name = "CutOff";
}

export type Journal = {
  readonly steps: (onEdge?: Edge) => FlowSteps;
};

/** Replaces pauses of up to half a minute. */
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
