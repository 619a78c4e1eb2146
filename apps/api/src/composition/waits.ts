// Composition of what waits for changes.
import { makeKeepAlive, makeWaitForChange, type KeepAlive, type Tail } from "../events/index.ts";

type Waits = {
  readonly keepAlive: KeepAlive;
  readonly stopping: AbortSignal;
  readonly waitForChange: ReturnType<typeof makeWaitForChange>;
  readonly endWaits: () => void;
};

/** Parts that wait for changes, until the process stops. */
export function makeWaits(tail: Tail): Waits {
  const stopping = new AbortController();
  const { signal } = stopping;
  const keepAlive = makeKeepAlive(15_000);
  return {
    ...{ keepAlive, stopping: signal, waitForChange: makeWaitForChange(tail, signal) },
    endWaits: (): void => {
      stopping.abort();
      keepAlive.endAll();
    },
  };
}
