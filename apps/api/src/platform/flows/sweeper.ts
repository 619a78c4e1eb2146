import type { Log } from "@countersign/platform/log";
import { startRounds, type Rounds } from "@countersign/platform/rounds";
import type { Flows } from "./flows.ts";

/** Sweeps again and again until it is stopped. */
export const startSweeper = (
  flows: Pick<Flows, "sweep">,
  { everyMs, log }: { readonly everyMs: number; readonly log: Log },
): Rounds =>
  startRounds({
    everyMs,
    run: async () => {
      const count = await flows.sweep();
      if (count > 0) log.info("swept", { count });
    },
    onError: (error) => {
      log.warn("a sweep failed; the next one will come", { error });
    },
  });
