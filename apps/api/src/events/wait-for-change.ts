import { setMaxListeners } from "node:events";
import type { Hex } from "@countersign/wire";
import type { Tail } from "./tail.ts";

/**
 * Returns when the transaction has a version beyond the given one, at the timeout, or when the process stops. `read` returns the
 * current version; it is called after listening has begun, so that no change is missed.
 */
export type WaitForChange = (wait: {
  readonly requestHash: Hex;
  readonly since: number;
  readonly read: () => Promise<number>;
  readonly forMs: number;
}) => Promise<void>;

export function makeWaitForChange(tail: Pick<Tail, "listen">, stopping: AbortSignal): WaitForChange {
  setMaxListeners(0, stopping);
  return async ({ requestHash, since, read, forMs }) => {
    const { promise: changed, resolve } = Promise.withResolvers<undefined>();
    const listening = await tail.listen((event) => {
      if (event.requestHash === requestHash && event.version > since) resolve(undefined);
    });
    const stop = (): void => {
      resolve(undefined);
    };
    stopping.addEventListener("abort", stop);
    if (stopping.aborted) stop();
    const timer = setTimeout(stop, forMs);
    try {
      if ((await read()) <= since) await changed;
    } finally {
      clearTimeout(timer);
      stopping.removeEventListener("abort", stop);
      listening.stop();
    }
  };
}
