import { afterAll, beforeAll, expect, test } from "vitest";
import { setHarness, type Harness } from "../../../test/platform/flows/harness.ts";

// Guarantees when the process that runs a flow is killed with SIGKILL and another replaces it.
let harness: Harness;
let worker: Awaited<ReturnType<Harness["startWorker"]>>;

const replaceWorker = async (): Promise<void> => {
  await worker.kill();
  worker = await harness.startWorker();
};

beforeAll(async () => {
  harness = await setHarness();
  worker = await harness.startWorker();
  await harness.register(worker.port);
});
afterAll(() => harness.end());

test("killed between two steps: another instance finishes, and no journalled step is repeated", async () => {
  await harness.close("between prepare and publish");
  await harness.accept("between");
  await harness.until("prepared", async () => (await harness.tries("between", "prepare", "end")) === 1);
  await replaceWorker();
  await harness.open("between prepare and publish");
  await harness.decide("between", "yes");
  await harness.finished("between");
  expect(await harness.tries("between", "prepare")).toBe(1);
  expect(await harness.effects("between")).toEqual(["prepare by 1", "publish by 1", "record yes by 1"]);
});

test("killed in the middle of a step: that step runs again, its effect happens once, earlier steps are not repeated", async () => {
  await harness.close("in publish");
  await harness.accept("middle");
  await harness.until("publishing", async () => (await harness.tries("middle", "publish")) === 1);
  await replaceWorker();
  await harness.until("publishing again", async () => (await harness.tries("middle", "publish")) === 2);
  await harness.open("in publish");
  await harness.decide("middle", "yes");
  await harness.finished("middle");
  expect(await harness.tries("middle", "prepare")).toBe(1);
  expect(await harness.effects("middle")).toEqual(["prepare by 1", "publish by 1", "record yes by 1"]);
});

test("killed while it waits, decided while no worker runs: the next instance finds the decision in the database", async () => {
  await harness.accept("waiting");
  await harness.until("published", async () => (await harness.tries("waiting", "publish", "end")) === 1);
  await worker.kill();
  await harness.decide("waiting", "no");
  worker = await harness.startWorker();
  await harness.finished("waiting");
  expect(await harness.effects("waiting")).toEqual(["prepare by 1", "publish by 1", "record no by 1"]);
});

test("decided before the flow looks, or several times: it acts on the database, once", async () => {
  await harness.close("in publish");
  await harness.accept("early");
  await harness.decide("early", "yes");
  await harness.decide("early", "yes");
  await harness.open("in publish");
  await harness.finished("early");
  expect(await harness.tries("early", "record yes")).toBe(1);
});

test("a lost wake-up is made up for by the next one", async () => {
  await harness.accept("lost");
  await harness.until("published", async () => (await harness.tries("lost", "publish", "end")) === 1);
  // It waits for the first call, which never comes. The engine receives only the second.
  await harness.changeUntold("lost");
  await harness.decide("lost", "yes");
  await harness.finished("lost");
  expect(await harness.tries("lost", "record yes")).toBe(1);
});

test.each([
  ["hopeless", "there is no such place"],
  // An error from inside a step comes back from the journal and is no longer of our own class.
  ["hopeless step", "there is no way to continue"],
])(
  "a flow that cannot continue is parked with its reason, neither retried nor lost: %s",
  async (key, reason) => {
    await harness.accept(key);
    await harness.until("parked", async () => (await harness.row(key)).status === "parked");
    expect(await harness.row(key)).toMatchObject({ reason, attempt: 1 });
  },
);

test("readiness is a real call: it fails without a worker although the engine reports itself healthy", async () => {
  await harness.until("the engine reaches the worker", async () => {
    await harness.engine.probe();
    return true;
  });
  await worker.kill();
  const health = await fetch(`${harness.restate.ingressUrl}/restate/health`);
  expect(health.ok).toBe(true);
  await expect(harness.engine.probe()).rejects.toThrow();
  worker = await harness.startWorker();
});
