import { setTimeout as sleep } from "node:timers/promises";
import { makeRandom } from "@countersign/tools/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setHarness, type Harness } from "../../../test/platform/flows/harness.ts";

// Kills workers and the engine at random moments while flows run. `SEED=… npm run soak` repeats a run's choices, but
// not the exact moment at which a process is killed.
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const rounds = 40;
const flowsPerRound = 10;

let harness: Harness;
let worker: Awaited<ReturnType<Harness["startWorker"]>>;
beforeAll(async () => {
  harness = await setHarness();
  worker = await harness.startWorker();
  await harness.register(worker.port);
});
afterAll(() => harness.end());

async function killSomething(random: () => number): Promise<"worker" | "engine"> {
  await sleep(random() * 250);
  if (random() < 0.7) {
    await worker.kill();
    await sleep(random() * 100);
    worker = await harness.startWorker();
    return "worker";
  }
  await harness.restate.kill9();
  await sleep(random() * 100);
  await harness.restate.restart();
  return "engine";
}

test(`nothing accepted is lost and nothing is done twice (SEED=${seed})`, async () => {
  const random = makeRandom(seed);
  const killed = { worker: 0, engine: 0 };
  let begun = 0;
  for (let round = 0; round < rounds; round++) {
    const keys = Array.from({ length: flowsPerRound }, (_, index) => `soak-${round}-${index}`);
    const work = Promise.all(
      keys.map(async (key) => {
        await harness.accept(key);
        await sleep(random() * 200);
        await harness.decide(key, "yes");
      }),
    );
    for (let kill = 0; kill < 1 + Math.floor(random() * 2); kill++) killed[await killSomething(random)]++;
    await work;
    for (const key of keys)
      await harness.until(`${key} is finished`, async () => {
        await harness.flows.sweep();
        return (await harness.row(key)).status === "finished";
      });
    for (const key of keys) {
      expect(await harness.effects(key)).toEqual(["prepare by 1", "publish by 1", "record yes by 1"]);
      expect((await harness.row(key)).attempt).toBe(1);
      for (const step of ["prepare", "publish", "record yes"]) begun += await harness.tries(key, step);
    }
  }
  const flows = rounds * flowsPerRound;
  console.log(
    `seed ${seed}: ${flows} flows, ${killed.worker} workers and ${killed.engine} engines killed, ` +
      `0 lost, 0 effects doubled, ${begun - flows * 3} of ${flows * 3} steps begun again`,
  );
});
