// For any sequence of events, the service answers and stores exactly what the pure rules say.
import { seedFor, sizeOf } from "@countersign/tools/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { holdAgainstModel } from "../../test/transactions/model-run.ts";
import { openHarness, type Harness } from "../../test/transactions/model-harness.ts";

const seed = seedFor("MODEL_SEED");

const runs = sizeOf({ part: 8, all: 20 });

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

test(`${runs} accounts, 40 random commands each, agree with the rules (MODEL_SEED=${seed})`, async () => {
  const { commands, phases } = await holdAgainstModel(harness, { runs, commandsEach: 40, seed });
  console.log(`MODEL_SEED=${seed}: ${commands} commands, through ${[...phases].join(", ")}`);
  // Far below the actual number, so that this does not depend on chance.
  expect(commands).toBeGreaterThan(5 * runs);
  expect([...phases]).toEqual(expect.arrayContaining(["PINNED", "READY", "REJECTED"]));
}, 180_000);
