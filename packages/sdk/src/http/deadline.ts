// A signal that aborts when the caller's does, or when its time is up. Made of a plain timer, which is let go of at the end:
// signals joined by the runtime are not in every browser yet, and some runtimes lose those that hold a timer.

export type Deadline = {
  readonly signal: AbortSignal;
  readonly isLate: () => boolean;
  /** The time begins anew, and is this long. */
  readonly restart: (ms: number) => void;
  /** Lets go of the timer and of the caller's signal. */
  readonly end: () => void;
};

/** What a timer can hold, about 24 days. It takes more than that for none at all. */
const longestMs = 2 ** 31 - 1;

export function makeDeadline(ms: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  let isLate = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const follow = (): void => {
    controller.abort(outer?.reason);
  };
  const restart = (time: number): void => {
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        isLate = true;
        controller.abort();
      },
      Math.min(time, longestMs),
    );
  };
  if (outer?.aborted === true) follow();
  else outer?.addEventListener("abort", follow, { once: true });
  restart(ms);
  return {
    signal: controller.signal,
    isLate: () => isLate,
    restart,
    end: () => {
      clearTimeout(timer);
      outer?.removeEventListener("abort", follow);
    },
  };
}

/** Rejects with the signal's reason as soon as it is aborted; what was begun goes on, for whoever else waits for it. */
export function orAborted<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener("abort", stop);
    });
  });
}
