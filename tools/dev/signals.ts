/** Ignores a second Ctrl-C for this long, because npm forwards the signal that the terminal already sent to us. */
const echoMs = 500;
const parentCheckMs = 1_000;

type Reactions = {
  /** Asked to stop, for the first time. */
  readonly stop: () => void;
  /** Asked again: at once, then. */
  readonly kill: () => void;
};

/** Listens for reasons to stop: Ctrl-C, SIGTERM, a closed terminal, a dead npm. */
export function listenForTheEnd({ stop, kill }: Reactions): void {
  let askedAt: number | undefined;
  const ask = (): void => {
    const now = performance.now();
    if (askedAt === undefined) {
      askedAt = now;
      stop();
    } else if (now - askedAt > echoMs) kill();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, ask);
  // Writing to a terminal or a pipe that was closed must not end us before everything is stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  if (process.env["npm_lifecycle_event"] !== undefined) stopWithParent(ask);
}

/** A killed npm cannot notify us, and without it the user would not notice that the stack still runs. */
function stopWithParent(ask: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    ask();
  }, parentCheckMs);
  timer.unref();
}
