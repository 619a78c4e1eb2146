import type { Log } from "@countersign/platform/log";
import type { Flows } from "./flows.ts";

/** Sweeps again and again, one sweep after the other, until it is stopped. A failed sweep is said and the next one comes. */
export function startSweeper(
  flows: Flows,
  { everyMs, log }: { readonly everyMs: number; readonly log: Log },
): { readonly stop: () => Promise<void> } {
  let sweeping = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const sweepOnce = async (): Promise<void> => {
    try {
      const count = await flows.sweep();
      if (count > 0) log.info("swept", { count });
    } catch (error) {
      log.warn("a sweep failed; the next one will come", { error });
    }
    if (!stopped) timer = setTimeout(next, everyMs);
  };
  const next = (): void => {
    sweeping = sweepOnce();
  };
  timer = setTimeout(next, everyMs);
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await sweeping;
    },
  };
}
