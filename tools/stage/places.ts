// Where a service can be made to die: every place that is named by `crashPoint` in the code and reached in a story. They are
// kept in places.json, so that a sweep need not look for them first; `node tools/stage/main.ts` writes it.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "./ground.ts";
import type { Stage } from "./stage.ts";
import type { Kind, Teller } from "./story.ts";

export type App = "api" | "orion";

/** Where to die, in what, and in which kind of story. */
export type Case = { readonly app: App; readonly place: string; readonly kind: Kind };

const apps = ["api", "orion"] as const;
const file = join(import.meta.dirname, "places.json");

/** Rounds, looks and weeks are counted: how far the count goes is chance, and each count is the same place. */
export const withoutCount = (place: string): string => place.replaceAll(/\d+/g, "n");

const nameOf = ({ app, place }: Omit<Case, "kind">): string => `${app} ${withoutCount(place)}`;

/** In the order in which a story comes to them. */
export const readPlaces = (): readonly Case[] => JSON.parse(readFileSync(file, "utf8")) as readonly Case[];

/** A line each, so that a change shows what is new. */
export function writePlaces(cases: readonly Case[]): void {
  const lines = cases.map(
    ({ app, kind, place }) => `  { "app": "${app}", "kind": "${kind}", "place": ${JSON.stringify(place)} }`,
  );
  writeFileSync(file, `[\n${lines.join(",\n")}\n]\n`);
}

/** A verdict may arrive before the registration is recorded, and then this point is skipped. Without orion it is not. */
export const isOvertaken = (place: string): boolean => place.endsWith(", REGISTERED");

/**
 * Whether a story comes to these is chance, and there are others of their kind: a look at the record while the story waits for
 * the wallet or for a lost answer, and a verdict that is stored before the registration is noted.
 */
const isByChance = (place: string): boolean =>
  /(?:before|after) after (?:begin|send) \d/.test(place) || /^change: .*, RECEIVED$/.test(place);

/** Each place once, in the first kind of story that is sure to reach it. */
export function onceEach(cases: readonly Case[]): readonly Case[] {
  const sure = cases.filter(
    ({ place, kind }) => !isByChance(place) && (kind === "unjudged" || !isOvertaken(place)),
  );
  const first = new Map(sure.toReversed().map((one) => [nameOf(one), one]));
  return sure.filter((one) => first.get(nameOf(one)) === one);
}

const listOf = (stage: Stage, app: App): string => join(stage.logDir, `places-of-${app}`);

/** For the start of a service: it writes down the places that it comes to. */
export const listing = (stage: Stage, app: App): Environment => ({ CRASH_LIST: listOf(stage, app) });

function readList(stage: Stage, app: App): readonly string[] {
  const list = listOf(stage, app);
  return existsSync(list) ? readFileSync(list, "utf8").trimEnd().split("\n") : [];
}

/** Crash points that were reached and are not in this list. */
export function findUnlisted(stage: Stage, cases: readonly Case[]): readonly string[] {
  const known = new Set(cases.map(nameOf));
  const reached = apps.flatMap((app) =>
    readList(stage, app)
      .filter((place) => !isByChance(place))
      .map((place) => nameOf({ app, place })),
  );
  return [...new Set(reached)].filter((name) => !known.has(name));
}

/** So little time for a verdict that a story need not wait, and a second nudge within it. */
const unjudged: Environment = { VERDICT_SECONDS: "3", NUDGE_SECONDS: "1" };

/** Stops processes that the scenario does not need, and returns settings for the others. */
export async function prepareFor(stage: Stage, kind: Kind): Promise<Environment> {
  if (kind !== "unjudged") return {};
  await stage.actors.orion.kill();
  return unjudged;
}

function firstOfEach(reached: readonly string[]): readonly string[] {
  const names = reached.map(withoutCount);
  return reached.filter((_, index) => names.indexOf(names[index] ?? "") === index);
}

/** The crash points that each kind of scenario reaches without crashes. Of a counted point, the first. `unjudged` is last. */
export async function listPlaces(
  stage: Stage,
  teller: Teller,
  kinds: readonly Kind[],
): Promise<readonly Case[]> {
  const cases: Case[] = [];
  for (const kind of kinds) {
    const env = await prepareFor(stage, kind);
    const present = apps.filter((app) => app === "api" || kind !== "unjudged");
    const before = apps.map((app) => readList(stage, app).length);
    for (const app of present) await stage.actors[app].start({ ...env, ...listing(stage, app) });
    await teller.tell(kind);
    for (const app of present) {
      const reached = readList(stage, app).slice(before[apps.indexOf(app)]);
      cases.push(...firstOfEach(reached).map((place) => ({ app, place, kind })));
    }
  }
  return cases;
}
