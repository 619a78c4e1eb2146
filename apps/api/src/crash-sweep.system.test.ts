// Kills both services with SIGKILL at the crash points that the stories reach: before and after each step of a flow,
// each commit and each message to another service. A run covers every eighth point where money is sent through
// custody, and every sixteenth of the others: chosen by SWEEP_SEED (0 to 15), or all of them (SWEEP_SEED=all).
import { findRunSeed } from "@countersign/tools/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  consult,
  findUnlisted,
  makeTeller,
  nothing,
  readPlaces,
  setStage,
  summarise,
  sweep,
} from "../../../tools/stage/index.ts";
import type { Death, Stage, Teller } from "../../../tools/stage/index.ts";

let stage: Stage;
let teller: Teller;
beforeAll(async () => {
  stage = await setStage({ isEngineHeld: true });
  stage.chain.mineEvery(200);
  teller = makeTeller(stage);
});
afterAll(() => stage.end());

const seed = process.env["SWEEP_SEED"] ?? String(findRunSeed() % 16);
const all = readPlaces();
const places = all.filter(
  ({ kind }, index) => seed === "all" || (index - Number(seed)) % (kind === "custody" ? 8 : 16) === 0,
);
const deaths: Death[] = [];
const nameOf = ({ app, place }: { readonly app: string; readonly place: string }) => `${app} ${place}`;

test(
  `whichever step a service dies at, what was accepted comes to its end, once (SWEEP_SEED=${seed})`,
  { timeout: 1_200_000 },
  async () => {
    // From the fifth failure of the same work on, the engine's backoff is longer than a service needs to start.
    deaths.push(...(await sweep({ stage, teller, atOnce: 2, inARow: 4 }, places)));
    expect(deaths.map(nameOf).sort()).toEqual(places.map(nameOf).sort());
  },
);

test("nothing is lost, nothing is done twice, no status goes backwards", async () => {
  const findings = await consult(stage, teller);
  console.log(summarise(findings, deaths));
  expect(findings).toEqual(nothing);
});

test("no unlisted crash point was reached: node tools/stage/main.ts lists them again", () => {
  expect(findUnlisted(stage, all)).toEqual([]);
});
