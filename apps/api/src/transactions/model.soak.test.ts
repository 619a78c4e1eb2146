// The same as model.db.test.ts at full size. `MODEL_SEED=… npm run soak` repeats a run.
import { randomInt } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { transitions, statusOfPhase } from "./lifecycle.ts";
import { holdAgainstModel } from "./testing/model-run.ts";
import { openStage, type Stage } from "./testing/model-stage.ts";

const seed = Number(process.env["MODEL_SEED"] ?? randomInt(2 ** 31));

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

/** Only what we send ourselves goes through these, and until custody comes we send nothing. */
const ofCustody = ["EXECUTING", "BROADCAST"];
const eventsOfCustody = ["startExecution", "failPreflight", "broadcast", "seeMismatch", "loseNonce"];

test(`300 accounts, 40 random commands each, agree with the rules (MODEL_SEED=${seed})`, async () => {
  const { commands, phases, events } = await holdAgainstModel(stage, { runs: 300, commandsEach: 40, seed });
  console.log(`MODEL_SEED=${seed}: ${commands} commands, ${[...events].join(", ")}`);
  const unseen = (all: object, seen: ReadonlySet<string>, never: readonly string[]) =>
    Object.keys(all).filter((name) => !seen.has(name) && !never.includes(name));
  expect(unseen(statusOfPhase, phases, ofCustody)).toEqual([]);
  expect(unseen(transitions, events, eventsOfCustody)).toEqual([]);
});
