// Nothing is ever sent without approval, with another call, or after a rejection, an expiry or a revocation: in any
// order of events, and wherever the worker is killed. SENDING_SEED repeats a run.
import { seedFor } from "@countersign/tools/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  beginningAnything,
  comparingNothing,
  sendingMore,
} from "../../../test/transactions/execute/mutants.ts";
import { asItIs, holdSending, type Owners } from "../../../test/transactions/execute/sending-run.ts";
import { setExecutionStage, type ExecutionStage } from "../../../test/transactions/execute/harness.ts";

const seed = seedFor("SENDING_SEED");
const size = { runs: 10, commandsEach: 25, seed };

let harness: ExecutionStage;
let owners: Owners;
beforeAll(async () => {
  harness = await setExecutionStage();
  owners = { agent: await harness.anOwner("agent"), execution: await harness.anOwner("execution") };
});
afterAll(() => harness.close());

test(`10 runs of 25 random commands send nothing that was not allowed (SENDING_SEED=${seed})`, async () => {
  const tally = await holdSending(asItIs(harness), owners, size);
  console.log(`SENDING_SEED=${seed}: ${JSON.stringify(tally)}`);
  // Far below the actual number, so that this does not depend on chance.
  expect(tally.commands).toBeGreaterThan(100);
  expect(tally.orders).toBeGreaterThan(1);
});

/** A seed that reveals all of them early. */
const seedOfMutants = 7;

test.each([
  ["sends a wei more", sendingMore, /another byte/],
  ["begins a transaction without approval", beginningAnything, /begun/],
  ["takes an administrator's word for the bytes", comparingNothing, /begun/],
] as const)("detects a service that %s", async (_what, breaking, complaint) => {
  await expect(
    holdSending(breaking(harness), owners, {
      ...{ ...size, runs: 100, seed: seedOfMutants },
    }),
  ).rejects.toThrow(complaint);
});
