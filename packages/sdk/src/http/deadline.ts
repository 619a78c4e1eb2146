// A signal that aborts with the caller's signal or after a timeout. It uses a plain timer because AbortSignal.any is not
// available in every browser, and some runtimes garbage-collect signals with a timer.

export type Deadline = {
  readonly signal: AbortSignal;
  readonly isLate: () => boolean;
  /** Restarts the timer with this many milliseconds. */
  readonly restart: (ms: number) => void;
  /** Releases the timer and the caller's signal. */
  readonly end: () => void;
};

/** The maximum of a timer, about 24 days. A larger value would fire at once. */
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

/** Rejects with the signal's reason as soon as it is aborted. The work continues for other waiters. */
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
