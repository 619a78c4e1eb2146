// Dies at every place where dying could matter, and sees that it does not.
import type { Child } from "../engines/supervisor.ts";
import { isOvertaken, listing, prepareFor, type Case } from "./places.ts";
import type { Stage } from "./stage.ts";
import type { Teller } from "./story.ts";

/** How long it took from there to the next death, or to the end of the stories. */
export type Death = Case & { readonly recoveryMs: number };

type Sweep = {
  readonly stage: Stage;
  readonly teller: Teller;
  /** How many proposals are under way at a time. */
  readonly atOnce: number;
  /** How many deaths a story lives through. */
  readonly inARow: number;
  /** Called when a death has been got over. */
  readonly onRecovery?: (death: Death) => void;
};

/** A place may be passed by in one story, if another was quicker. */
const missesAtMost = 2;

const neverReached = ({ app, place, kind }: Case): Error =>
  new Error(
    `${app} never reaches "${place}" in a story of the kind ${kind}. If it no longer exists, regenerate the list: node tools/stage/main.ts`,
  );

/** Longer than a registration takes to be noted. */
const thinkingMs = 4_000;

async function tellSome({ stage, teller, atOnce }: Sweep, { kind, place }: Case): Promise<void> {
  const isSlow = kind !== "unjudged" && isOvertaken(place);
  if (isSlow) stage.proxies.validator.fail({ delayMs: thinkingMs });
  await Promise.all(Array.from({ length: atOnce }, () => teller.tell(kind)));
  if (isSlow) stage.proxies.validator.fail();
}

/** No step has more places in it. One that was cut off is done again from its beginning. */
const placesOfAStep = 6;

/**
 * Some places in a row as they are on the way, then others so far before them that what is coming back does not reach those
 * any more: it comes to its end, and they are for the stories after it.
 */
export function inStretches<T>(cases: readonly T[], inARow: number): readonly T[] {
  const count = Math.ceil(cases.length / inARow);
  const stretches = Array.from({ length: count }, (_, index) =>
    cases.slice(index * inARow, (index + 1) * inARow),
  ).toReversed();
  const apart = Math.max(1, Math.ceil((placesOfAStep + 1 - inARow) / inARow));
  const passes = Array.from({ length: apart }, (_, pass) =>
    stretches.filter((__, index) => index % apart === pass),
  );
  return passes.flat().flat();
}

/**
 * Tells stories to a service that dies at the place of the case and is started again with the place of the next one. Each
 * is told to its end. Throws if a place is not reached.
 */
export async function sweep(given: Sweep, cases: readonly Case[]): Promise<readonly Death[]> {
  const deaths: Death[] = [];
  const acts = Map.groupBy(cases, ({ app, kind }) => `${app} ${kind === "unjudged" ? kind : "judged"}`);
  for (const act of acts.values()) {
    const byKind = [...Map.groupBy(act, ({ kind }) => kind).values()];
    const order = byKind.flatMap((ofKind) => inStretches(ofKind, given.inARow));
    deaths.push(...(await sweepApp(given, order)));
  }
  return deaths;
}

async function sweepApp(given: Sweep, cases: readonly Case[]): Promise<readonly Death[]> {
  const reaper = await startReaper(given, cases);
  let misses = 0;
  let head = reaper.next();
  while (head !== undefined) {
    await reaper.isUp();
    await Promise.race([tellSome(given, head), reaper.failed]);
    reaper.noteRecovery();
    misses = reaper.next() === head ? misses + 1 : 0;
    if (misses > missesAtMost) throw neverReached(head);
    head = reaper.next();
  }
  return reaper.leave();
}

type Reaper = {
  /** Where it dies next. */
  readonly next: () => Case | undefined;
  /** Returns when it listens, or has died before it did. Deadlines are short: a story should not begin without it. */
  readonly isUp: () => Promise<unknown>;
  /** Rejected when it ended in another way than it was told to. */
  readonly failed: Promise<never>;
  /** Everything has come to its end. */
  readonly noteRecovery: () => void;
  /** Once it is up it is left alone. All its deaths. */
  readonly leave: () => Promise<readonly Death[]>;
};

async function startReaper({ stage, onRecovery }: Sweep, cases: readonly Case[]): Promise<Reaper> {
  const { app, kind } = cases[0] ?? ({ app: "api", kind: "user" } as const);
  const env = { ...(await prepareFor(stage, kind)), ...listing(stage, app) };
  const waiting = [...cases];
  const deaths: Death[] = [];
  const leaving = new AbortController();
  let last: { readonly of: Case; readonly at: number } | undefined;
  let starting: Promise<Child> | undefined;
  const noteRecovery = (): void => {
    if (last === undefined) return;
    const death = { ...last.of, recoveryMs: Math.round(performance.now() - last.at) };
    last = undefined;
    deaths.push(death);
    onRecovery?.(death);
  };
  const run = async (): Promise<void> => {
    for (;;) {
      const [head] = waiting;
      const place = head === undefined ? {} : { CRASH_AT: head.place };
      starting = stage.actors[app].start({ ...env, ...place });
      const reason = await lifeOf(starting);
      if (leaving.signal.aborted) return;
      if (reason !== "SIGKILL" || head === undefined)
        throw new Error(`${app} exited unexpectedly: ${reason}`);
      noteRecovery();
      last = { of: head, at: performance.now() };
      waiting.shift();
    }
  };
  const running = run();
  const failed = new Promise<never>((_, reject) => {
    running.catch(reject);
  });
  failed.catch(() => undefined);
  return {
    next: () => waiting[0],
    isUp: () => Promise.allSettled([starting]),
    failed,
    noteRecovery,
    leave: async () => {
      await starting;
      leaving.abort();
      noteRecovery();
      return deaths;
    },
  };
}

/** How it ended. It may die before it has even begun to listen. */
async function lifeOf(starting: Promise<Child>): Promise<string> {
  try {
    return (await (await starting).exited).reason;
  } catch (error) {
    return /\bended \((.+?)\)/.exec(String(error))?.[1] ?? String(error);
  }
}
