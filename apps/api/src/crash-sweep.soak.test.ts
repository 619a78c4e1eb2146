// The sweep at full size: every place in every kind of story that reaches it, one death at a time.
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  consult,
  listPlaces,
  makeTeller,
  nothing,
  setStage,
  summarise,
  sweepOneByOne,
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

const hoursMs = 3 * 60 * 60 * 1000;

test("every place, for every execution type", { timeout: hoursMs }, async () => {
  const kinds = ["user", "direct", "agent", "rejected", "expired", "lapsed", "slow"] as const;
  const deaths: Death[] = [];
  deaths.push(
    ...(await sweepOneByOne({ stage, teller, atOnce: 2 }, await listPlaces({ stage, teller, kinds }))),
  );

  await stage.actors.orion.kill();
  const env = { VERDICT_SECONDS: "2" };
  const unjudged = await listPlaces({ stage, teller, env, kinds: ["unjudged"] });
  deaths.push(...(await sweepOneByOne({ stage, teller, atOnce: 2, env }, unjudged)));

  const findings = await consult(stage, teller);
  console.log(summarise(findings, deaths));
  expect(findings).toEqual(nothing);
});
