import type { Log } from "@countersign/platform/log";
import { startRounds } from "@countersign/platform/rounds";

type Parts = {
  readonly mirrorServices: () => Promise<void>;
  readonly rollUp: () => Promise<number>;
  readonly log: Log;
  readonly mirrorEveryMs?: number;
  readonly rollUpEveryMs?: number;
};

/** Keeps the directory up to date with the chain and the events until it is stopped. For a worker. */
export function startKeepingUp(parts: Parts): { readonly stop: () => Promise<void> } {
  const { mirrorServices, rollUp, log, mirrorEveryMs = 30_000, rollUpEveryMs = 1_000 } = parts;
  const works = [
    { name: "reading the service registry", everyMs: mirrorEveryMs, run: mirrorServices },
    { name: "counting events", everyMs: rollUpEveryMs, run: rollUp },
  ].map(({ name, everyMs, run }) =>
    startRounds({
      everyMs,
      run,
      onError: (error) => {
        log.warn(`${name} failed, retrying`, { error });
      },
    }),
  );
  return {
    stop: async () => {
      await Promise.all(works.map(({ stop }) => stop()));
    },
  };
}
