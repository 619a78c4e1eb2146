/** What a second Ctrl-C means has to wait this long: npm passes on the one that the terminal already gave to us. */
const echoMs = 500;
const parentCheckMs = 1_000;

type Reactions = {
  /** Asked to stop, for the first time. */
  readonly stop: () => void;
  /** Asked again: at once, then. */
  readonly kill: () => void;
};

/** Listens to whoever may want us to end: a Ctrl-C, a SIGTERM, a terminal that is closed, an npm that is gone. */
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

/** An npm that is killed cannot tell us. Without it nobody would know that the stack still runs. */
function stopWithParent(ask: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    ask();
  }, parentCheckMs);
  timer.unref();
}
