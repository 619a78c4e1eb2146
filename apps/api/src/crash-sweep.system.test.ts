// Both services die, by SIGKILL, at every place that their stories reach: before and after each step of a flow, each commit
// and each message to somebody else.
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  consult,
  listPlaces,
  makeTeller,
  nothing,
  onceEach,
  setStage,
  summarise,
  sweep,
  withoutCount,
} from "../../../tools/stage/index.ts";
import type { Death, Stage, Teller } from "../../../tools/stage/index.ts";

let stage: Stage;
let teller: Teller;
beforeAll(async () => {
  stage = await setStage();
  stage.chain.mineEvery(200);
  teller = makeTeller(stage);
});
afterAll(() => stage.end());

const deaths: Death[] = [];
/** Places that the first stories reach. */
const known = new Set<string>();

/** CRASH_PLACES=some goes to every other place, all to each. */
const chosen = <T>(cases: readonly T[]): readonly T[] =>
  process.env["CRASH_PLACES"] === "all" ? cases : cases.filter((_, index) => index % 2 === 0);

test(
  "whichever step a service dies at, what was accepted comes to its end, once",
  { timeout: 900_000 },
  async () => {
    const kinds = ["user", "direct", "rejected", "expired", "lapsed", "slow"] as const;
    const all = onceEach(await listPlaces({ stage, teller, kinds }));
    for (const { place } of all) known.add(withoutCount(place));
    const cases = chosen(all);
    deaths.push(...(await sweep({ stage, teller, atOnce: 2 }, cases)));
    expect(deaths.map(({ app, place }) => `${app} ${place}`).sort()).toEqual(
      cases.map(({ app, place }) => `${app} ${place}`).sort(),
    );
  },
);

test("the same while nobody judges", { timeout: 300_000 }, async () => {
  await stage.actors.orion.kill();
  const env = { VERDICT_SECONDS: "2" };
  const listed = onceEach(await listPlaces({ stage, teller, env, kinds: ["unjudged"] }));
  const cases = listed.filter(({ place }) => !known.has(withoutCount(place)));
  expect(cases.map(({ place }) => place)).toContain("transaction: before no verdict in time");
  deaths.push(...(await sweep({ stage, teller, atOnce: 2, env }, chosen(cases))));
});

test("nothing is lost, nothing is done twice, no status goes backwards", async () => {
  const findings = await consult(stage, teller);
  console.log(summarise(findings, deaths));
  expect(findings).toEqual(nothing);
});
