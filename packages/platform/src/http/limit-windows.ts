import type { Clock } from "../clock.ts";

/** So many counted in a window that ends then. */
export type Window = { readonly count: number; readonly endsAtMs: number };

/** The window as it stood after one request was counted in it. */
type Counted = Window & {
  /**
   * Takes in what all processes together have counted, this request included, and says which of the two binds it. The
   * window follows the shared one, so that what is known here goes on from there when the shared one is lost.
   */
  readonly learn: (shared: Window) => Window;
};

export type Windows = { readonly count: (id: string) => Counted };

/** Ends that lie so close are those of one window, seen through a network or by a clock that is being corrected. */
const toleranceMs = 1_000;

type Held = { count: number; endsAtMs: number };

function learn(held: Held, counted: number, shared: Window): Window {
  if (shared.count <= counted) return { count: counted, endsAtMs: held.endsAtMs };
  const isFirst = counted === 1;
  // A shared window that ends well before ours counts for this request, but is not ours: we counted while it was away.
  if (!isFirst && shared.endsAtMs < held.endsAtMs - toleranceMs) return shared;
  // A window that opens here during a shared one joins it. Otherwise its end never moves closer: within a window this
  // process allows at most the limit, whatever happens to the shared counts.
  held.endsAtMs = isFirst ? shared.endsAtMs : Math.max(held.endsAtMs, shared.endsAtMs);
  held.count = Math.max(held.count, shared.count);
  return { count: shared.count, endsAtMs: held.endsAtMs };
}

/** Fixed windows in memory. Each begins with the first request in it; those that ended are forgotten. */
export function makeWindows(clock: Clock, windowMs: number): Windows {
  const windows = new Map<string, Held>();
  let tidyAtMs = 0;
  // Further off than a whole window it is of the time before a clock was set back, and would hold for as long again.
  const isAhead = (atMs: number, nowMs: number): boolean =>
    nowMs < atMs && atMs <= nowMs + windowMs + toleranceMs;
  const tidy = (nowMs: number): void => {
    if (isAhead(tidyAtMs, nowMs)) return;
    tidyAtMs = nowMs + windowMs;
    for (const [id, { endsAtMs }] of windows) if (endsAtMs <= nowMs) windows.delete(id);
  };
  const open = (id: string, nowMs: number): Held => {
    const held = windows.get(id);
    if (held !== undefined && isAhead(held.endsAtMs, nowMs)) return held;
    const opened = { count: 0, endsAtMs: nowMs + windowMs };
    windows.set(id, opened);
    return opened;
  };
  return {
    count(id) {
      const nowMs = clock.now().getTime();
      tidy(nowMs);
      const held = open(id, nowMs);
      const count = ++held.count;
      return { count, endsAtMs: held.endsAtMs, learn: (shared) => learn(held, count, shared) };
    },
  };
}
