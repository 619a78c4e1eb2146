import type { Log } from "@countersign/platform/log";
import { startRounds } from "@countersign/platform/rounds";
import type { Flows } from "../platform/flows/index.ts";
import { flowName } from "./run-key.ts";
import type { QueueStore } from "./store/queue.ts";

type Parts = {
  readonly store: QueueStore;
  readonly flows: Pick<Flows, "start">;
  readonly log: Log;
  readonly everyMs: number;
};

const eventsAtOnce = 500;
const runsAtOnce = 100;
const clearedAtOnce = 1000;
const clearEveryMs = 60_000;

/** Queues events for channels and starts a flow for each channel with messages to send, until it is stopped. */
export function startNotifying({ store, flows, log, everyMs }: Parts): {
  readonly stop: () => Promise<void>;
} {
  const queueAll = async (signal: AbortSignal): Promise<void> => {
    while ((await store.queueNext(eventsAtOnce)) === eventsAtOnce && !signal.aborted);
    const keys = await store.acceptRuns(runsAtOnce);
    await Promise.all(keys.map((key) => flows.start({ flow: flowName, key })));
  };
  const all = [
    { name: "queueing notifications", everyMs, run: queueAll },
    { name: "clearing notifications", everyMs: clearEveryMs, run: () => store.clear(clearedAtOnce) },
  ].map(({ name, everyMs: pauseMs, run }) =>
    startRounds({
      everyMs: pauseMs,
      run,
      onError: (error) => {
        log.warn(`${name} failed, retrying`, { error });
      },
    }),
  );
  return {
    stop: async () => {
      await Promise.all(all.map(({ stop }) => stop()));
    },
  };
}
