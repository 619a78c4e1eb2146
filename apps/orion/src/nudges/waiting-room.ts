import type { Clock } from "@countersign/platform/clock";
import type { Hex } from "@countersign/wire";
import type { Nudge } from "@countersign/wire/nudge";

/** A nudge's content beyond its hash. */
export type Hint = Pick<Nudge, "cid" | "unsealed">;

export type WaitingRoom = {
  readonly put: (nudge: Nudge) => void;
  readonly find: (requestHash: Hex) => Hint | undefined;
  readonly remove: (requestHash: Hex) => void;
};

const stayMs = 15 * 60 * 1000;
const seats = 1_024;

/**
 * Holds the content of a nudge for the flow that verifies it. In memory, because a request must reach neither
 * a journal nor a disk; if it is lost with the process, the next nudge brings it again. When full, drops the
 * oldest.
 */
export function makeWaitingRoom(clock: Clock): WaitingRoom {
  const waiting = new Map<Hex, Hint & { readonly until: number }>();
  const dropOld = (now: number): void => {
    for (const [requestHash, { until }] of waiting)
      if (until <= now || waiting.size > seats) waiting.delete(requestHash);
  };
  return {
    put: ({ requestHash, cid, unsealed }) => {
      if (cid === undefined && unsealed === undefined) return;
      const now = clock.now().getTime();
      // Removed first, so that the order is that of the last nudge.
      waiting.delete(requestHash);
      waiting.set(requestHash, {
        ...(cid === undefined ? {} : { cid }),
        ...(unsealed === undefined ? {} : { unsealed }),
        until: now + stayMs,
      });
      dropOld(now);
    },
    find: (requestHash) => {
      dropOld(clock.now().getTime());
      return waiting.get(requestHash);
    },
    remove: (requestHash) => {
      waiting.delete(requestHash);
    },
  };
}
