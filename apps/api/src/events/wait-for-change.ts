import type { Hex } from "@countersign/wire";
import type { Tail } from "./tail.ts";

/**
 * Returns when the transaction has a version beyond the given one, or at the timeout. `read` returns the
 * current version; it is called after listening has begun, so that no change is missed.
 */
export type WaitForChange = (wait: {
  readonly requestHash: Hex;
  readonly since: number;
  readonly read: () => Promise<number>;
  readonly forMs: number;
}) => Promise<void>;

export const makeWaitForChange =
  (tail: Pick<Tail, "listen">): WaitForChange =>
  async ({ requestHash, since, read, forMs }) => {
    const { promise: changed, resolve } = Promise.withResolvers<undefined>();
    const listening = await tail.listen((event) => {
      if (event.requestHash === requestHash && event.version > since) resolve(undefined);
    });
    const timer = setTimeout(() => {
      resolve(undefined);
    }, forMs);
    try {
      if ((await read()) <= since) await changed;
    } finally {
      clearTimeout(timer);
      listening.stop();
    }
  };
