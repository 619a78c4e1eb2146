/** Something that is done again and again, one round after the other, until it is stopped. */
export type Rounds = {
  /** Brings the next round forward; one that is under way is followed by another at once. */
  readonly goNow: () => void;
  /** No round begins any more. Waits for the one under way, whose signal is aborted. */
  readonly stop: () => Promise<void>;
};

type Options = {
  readonly everyMs: number;
  readonly run: (signal: AbortSignal) => Promise<unknown>;
  /** A failed round is reported, and the next one runs. */
  readonly onError: (error: unknown) => void;
};

/** The first round begins at once. */
export function startRounds({ everyMs, run, onError }: Options): Rounds {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let pauseMs = everyMs;

  const round = async (): Promise<void> => {
    pauseMs = everyMs;
    try {
      await run(stopping.signal);
    } catch (error) {
      onError(error);
    }
    running = undefined;
    if (!stopping.signal.aborted) timer = setTimeout(begin, pauseMs);
  };
  const begin = (): void => {
    running = round();
  };
  begin();
  return {
    goNow: () => {
      pauseMs = 0;
      if (running !== undefined || stopping.signal.aborted) return;
      clearTimeout(timer);
      begin();
    },
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
