// Whatever happens, in whatever order: the service answers and records what the pure rules say, and nothing else.
import { seedFor, sizeOf } from "@countersign/tools/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { holdAgainstModel } from "./testing/model-run.ts";
import { openStage, type Stage } from "./testing/model-stage.ts";

const seed = seedFor("MODEL_SEED");

const runs = sizeOf({ part: 8, all: 20 });

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

test(`${runs} accounts, 40 random commands each, agree with the rules (MODEL_SEED=${seed})`, async () => {
  const { commands, phases } = await holdAgainstModel(stage, { runs, commandsEach: 40, seed });
  console.log(`MODEL_SEED=${seed}: ${commands} commands, through ${[...phases].join(", ")}`);
  // Far less than there is, so that this does not depend on luck.
  expect(commands).toBeGreaterThan(5 * runs);
  expect([...phases]).toEqual(expect.arrayContaining(["PINNED", "READY", "REJECTED"]));
}, 180_000);
