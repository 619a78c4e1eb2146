// Dies at every place where dying could matter, and sees that it does not. A place is named in the code by `crashPoint`; a
// first run, in which nobody dies, lists those that the stories reach.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Child } from "../engines/supervisor.ts";
import type { Environment, Stage } from "./stage.ts";
import type { Kind, Teller } from "./story.ts";

type App = "api" | "orion";

/** Where to die, in what, and in which kind of story. */
type Case = { readonly app: App; readonly place: string; readonly kind: Kind };

export type Death = Case & { readonly recoveryMs: number };

const apps = ["api", "orion"] as const;

/** Rounds, looks and weeks are counted: how far the count goes is chance, and each count is the same place. */
export const withoutCount = (place: string): string => place.replaceAll(/\d+/g, "n");

const listOf = (stage: Stage, app: App): string => join(stage.logDir, `places-of-${app}`);

function readList(stage: Stage, app: App): readonly string[] {
  const file = listOf(stage, app);
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
}

type Listing = Pick<Sweep, "stage" | "teller" | "env"> & { readonly kinds: readonly Kind[] };

/** Reached only when orion takes its time, which it must then be made to. */
const isOfTheSlow = (place: string): boolean =>
  place.includes("mend before nudge") || place.endsWith("REGISTERED");

/** The latest first: then coming back after one death seldom leads past the place of the next. */
const distinct = (reached: readonly string[]): readonly string[] => [
  ...new Map(reached.toReversed().map((place) => [withoutCount(place), place])).values(),
];

/** Which places each kind of story reaches. Of a place that is counted, the first. */
export async function listPlaces({ stage, teller, env, kinds }: Listing): Promise<readonly Case[]> {
  const cases: Case[] = [];
  for (const app of apps)
    if (app !== "orion" || !kinds.includes("unjudged"))
      await stage.actors[app].start({ ...env, CRASH_LIST: listOf(stage, app) });
  for (const kind of kinds) {
    const before = apps.map((app) => readList(stage, app).length);
    await teller.tell(kind);
    for (const [index, app] of apps.entries()) {
      const places = distinct(readList(stage, app).slice(before[index]));
      const wanted = places.filter((place) => kind === "slow" || !isOfTheSlow(place));
      cases.push(...wanted.map((place) => ({ app, place, kind })));
    }
  }
  return cases;
}

/** Each place once, in the first kind of story that reaches it. */
export function onceEach(cases: readonly Case[]): readonly Case[] {
  const nameOf = ({ app, place }: Case): string => `${app} ${withoutCount(place)}`;
  const first = new Map(cases.toReversed().map((one) => [nameOf(one), one]));
  return cases.filter((one) => first.get(nameOf(one)) === one);
}

/** A place may be passed by in one story, if another was quicker. */
const missesAtMost = 2;

type Sweep = {
  readonly stage: Stage;
  readonly teller: Teller;
  /** How many proposals are under way at a time. */
  readonly atOnce: number;
  /** Further settings of the service that dies. */
  readonly env?: Environment;
};

/**
 * Tells one story after the other to a service that dies at the place of the case, and is started again with the place of
 * the next one. Each story is told to its end, so each death is lived through. Throws if a place is not reached.
 */
export async function sweep(given: Sweep, cases: readonly Case[]): Promise<readonly Death[]> {
  const deaths: Death[] = [];
  for (const app of apps) {
    const ofApp = cases.filter((one) => one.app === app);
    if (ofApp.length > 0) deaths.push(...(await sweepApp(given, app, ofApp)));
  }
  return deaths;
}

/**
 * The same, slower and one by one: after each death the service is started without a place to die at, and only once the
 * story is over with the place of the next case.
 */
export async function sweepOneByOne(given: Sweep, cases: readonly Case[]): Promise<readonly Death[]> {
  const deaths: Death[] = [];
  for (const one of cases) deaths.push(await dieOnce(given, one));
  return deaths;
}

async function dieOnce({ stage, teller, atOnce, env = {} }: Sweep, one: Case): Promise<Death> {
  const actor = stage.actors[one.app];
  for (let tries = 0; tries <= missesAtMost; tries++) {
    const starting = actor.start({ ...env, CRASH_AT: one.place });
    const dying = lifeOf(starting);
    await starting.catch(() => undefined);
    const telling = Promise.all(Array.from({ length: atOnce }, () => teller.tell(one.kind)));
    const reason = await Promise.race([dying, telling.then(() => undefined)]);
    if (reason === undefined) continue;
    const diedAt = performance.now();
    await actor.start(env);
    await telling;
    return { ...one, recoveryMs: Math.round(performance.now() - diedAt) };
  }
  throw new Error(`${one.app} never reaches "${one.place}" in a story of the kind ${one.kind}`);
}

async function sweepApp(given: Sweep, app: App, cases: readonly Case[]): Promise<readonly Death[]> {
  const { teller, atOnce } = given;
  const reaper = startReaper(given, app, cases);
  const deaths: Death[] = [];
  let misses = 0;
  let head = reaper.next();
  while (head !== undefined) {
    const { kind, place } = head;
    await Promise.all(Array.from({ length: atOnce }, () => teller.tell(kind)));
    deaths.push(...reaper.collect());
    misses = reaper.next() === head ? misses + 1 : 0;
    if (misses > missesAtMost)
      throw new Error(`${app} never reaches "${place}" in a story of the kind ${kind}`);
    head = reaper.next();
  }
  reaper.leave();
  return deaths;
}

type Reaper = {
  /** Where it dies next. Throws if it ended in another way than it was told to. */
  readonly next: () => Case | undefined;
  /** The deaths since it was last asked, all of them lived through by now. */
  readonly collect: () => readonly Death[];
  /** From now on it is left alone. */
  readonly leave: () => void;
};

function startReaper({ stage, env = {} }: Sweep, app: App, cases: readonly Case[]): Reaper {
  const waiting = [...cases];
  const dead: Case[] = [];
  let diedAt = 0;
  const leaving = new AbortController();
  let failure: Error | undefined;
  const run = async (): Promise<void> => {
    for (;;) {
      const [head] = waiting;
      const reason = await lifeOf(
        stage.actors[app].start({ ...env, ...(head === undefined ? {} : { CRASH_AT: head.place }) }),
      );
      if (leaving.signal.aborted) return;
      if (reason !== "SIGKILL" || head === undefined) throw new Error(`${app} ended by itself: ${reason}`);
      diedAt = performance.now();
      dead.push(head);
      waiting.shift();
    }
  };
  run().catch((error: unknown) => {
    failure = new Error("the reaper failed", { cause: error });
  });
  return {
    next: () => {
      if (failure !== undefined) throw failure;
      return waiting[0];
    },
    collect: () => {
      // What died again on its way back has been coming back since the last time.
      const recoveryMs = Math.round(performance.now() - diedAt);
      return dead.splice(0).map((one) => ({ ...one, recoveryMs }));
    },
    leave: () => {
      leaving.abort();
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
