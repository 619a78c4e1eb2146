/** A circuit breaker for a failing provider, and a budget that limits the cost of calls. */
import type { Clock } from "@countersign/platform/clock";

export type Breaker = {
  readonly mayCall: () => boolean;
  readonly succeeded: () => void;
  readonly failed: () => void;
  readonly state: () => "ok" | "resting";
};

type BreakerOptions = { readonly clock: Clock; readonly failures: number; readonly restMs: number };

/** Rests for `restMs` after `failures` consecutive failures. Then it lets one call through, which decides whether it resumes. */
export function makeBreaker({ clock, failures, restMs }: BreakerOptions): Breaker {
  let inARow = 0;
  let restsUntil = 0;
  const now = (): number => clock.now().getTime();
  return {
    mayCall: () => {
      if (inARow < failures) return true;
      if (now() < restsUntil) return false;
      restsUntil = now() + restMs;
      return true;
    },
    succeeded: () => {
      inARow = 0;
    },
    failed: () => {
      inARow += 1;
      if (inARow >= failures) restsUntil = now() + restMs;
    },
    state: () => (inARow >= failures ? "resting" : "ok"),
  };
}

const minuteMs = 60_000;

/** Returns a function that takes a call from this minute's budget and returns false if there is none left. */
export function makeBudget({
  clock,
  perMinute,
}: {
  readonly clock: Clock;
  readonly perMinute: number;
}): () => boolean {
  let minute = 0;
  let taken = 0;
  return () => {
    const current = Math.floor(clock.now().getTime() / minuteMs);
    if (current !== minute) taken = 0;
    minute = current;
    taken += 1;
    return taken <= perMinute;
  };
}
