// The sweep at full size: at every crash point, for every execution type that reaches it, with one kill in most
// stories.
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  consult,
  listPlaces,
  makeTeller,
  nothing,
  onceEach,
  readPlaces,
  setStage,
  summarise,
  sweep,
} from "../../../tools/stage/index.ts";
import type { Case, Death, Stage, Teller } from "../../../tools/stage/index.ts";

let stage: Stage;
let teller: Teller;
beforeAll(async () => {
  stage = await setStage();
  stage.chain.mineEvery(200);
  teller = makeTeller(stage);
});
afterAll(() => stage.end());

const anHourMs = 60 * 60 * 1000;
/** A kind of story for each execution type, 1, 0 and 2, and for transactions that we send. */
const ofTypes = ["user", "direct", "agent", "custody"] as const;
const nameOf = ({ app, place }: Case): string => `${app} ${place.replaceAll(/\d+/g, "n")}`;
const deaths: Death[] = [];
let cases: readonly Case[] = [];

test("the stories reach the listed crash points, and no others", { timeout: anHourMs }, async () => {
  const kinds = [...ofTypes, "rejected", "expired", "lapsed", "unjudged"] as const;
  const reached = await listPlaces(stage, teller, kinds);
  expect(onceEach(reached).map(nameOf).sort()).toEqual(readPlaces().map(nameOf).sort());
  const others = onceEach(reached).filter(({ kind }) => !ofTypes.some((type) => type === kind));
  cases = [...reached.filter(({ kind }) => ofTypes.some((type) => type === kind)), ...others];
  await stage.actors.orion.start();
});

test("every crash point, for every execution type, few per story", { timeout: anHourMs }, async () => {
  const began = performance.now();
  const before = teller.count();
  const onRecovery = (death: Death): void => {
    deaths.push(death);
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(`${deaths.length} of ${cases.length} after ${seconds} s: ${death.kind}, ${nameOf(death)}`);
  };
  await sweep({ stage, teller, atOnce: 1, inARow: 1, onRecovery }, cases);
  expect(deaths.map(nameOf).sort()).toEqual(cases.map(nameOf).sort());
  console.log(`${teller.count() - before} stories for ${deaths.length} deaths`);
});

test("nothing is lost, nothing is done twice, no status goes backwards", async () => {
  const findings = await consult(stage, teller);
  console.log(summarise(findings, deaths));
  expect(findings).toEqual(nothing);
});
