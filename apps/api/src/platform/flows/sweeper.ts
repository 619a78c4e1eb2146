import type { Log } from "@countersign/platform/log";
import { startRounds, type Rounds } from "@countersign/platform/rounds";
import type { Flows } from "./flows.ts";

/** Sweeps repeatedly until it is stopped. */
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
      log.warn("sweep failed, retrying in the next round", { error });
    },
  });
