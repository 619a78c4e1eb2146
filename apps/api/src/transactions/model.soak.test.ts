// The same as model.db.test.ts at full size. `MODEL_SEED=… npm run soak` repeats a run.
import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { transitions, statusOfPhase } from "./lifecycle.ts";
import { holdAgainstModel } from "../../test/transactions/model-run.ts";
import { openHarness } from "../../test/transactions/model-harness.ts";

const seed = Number(process.env["MODEL_SEED"] ?? randomInt(2 ** 31));

const seen = { commands: 0, phases: new Set<string>(), events: new Set<string>() };

// A session lasts 15 minutes, so the tests do not share a harness.
const shares = Array.from({ length: 10 }, (_, share) => share);

test.each(shares)(
  `30 accounts, 40 random commands each, agree with the rules (MODEL_SEED=${seed}, share %i)`,
  async (share) => {
    const harness = await openHarness();
    try {
      const tally = await holdAgainstModel(harness, { runs: 30, commandsEach: 40, seed: seed + share });
      seen.commands += tally.commands;
      for (const phase of tally.phases) seen.phases.add(phase);
      for (const event of tally.events) seen.events.add(event);
    } finally {
      await harness.close();
    }
  },
);

/** Events of mandates and policies: mandates-model.soak.test.ts and grant/policies.db.test.ts reach them. */
const elsewhere = new Set(["grant", "reopen", "policyDenies"]);

test("the runs covered every possible outcome of a transaction", () => {
  console.log(`MODEL_SEED=${seed}: ${seen.commands} commands, ${[...seen.events].join(", ")}`);
  const unseen = (all: object, reached: ReadonlySet<string>) =>
    Object.keys(all).filter((name) => !reached.has(name));
  expect(unseen(statusOfPhase, seen.phases)).toEqual([]);
  expect(unseen(transitions, seen.events).filter((event) => !elsewhere.has(event))).toEqual([]);
});
