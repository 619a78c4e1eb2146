// Whatever happens, in whatever order: the service answers and records what the pure rules say, and nothing else.
import { seedFor } from "@countersign/tools/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { holdAgainstModel } from "../../test/transactions/model-run.ts";
import { openHarness, type Harness } from "../../test/transactions/model-harness.ts";

const seed = seedFor("MODEL_SEED");

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

test(`20 accounts, 40 random commands each, agree with the rules (MODEL_SEED=${seed})`, async () => {
  const { commands, phases } = await holdAgainstModel(harness, { runs: 20, commandsEach: 40, seed });
  console.log(`MODEL_SEED=${seed}: ${commands} commands, through ${[...phases].join(", ")}`);
  // Far less than there is, so that this does not depend on luck.
  expect(commands).toBeGreaterThan(200);
  expect([...phases]).toEqual(expect.arrayContaining(["PINNED", "READY", "REJECTED"]));
}, 180_000);
