import { afterAll, beforeAll, expect, test } from "vitest";
import { setStage, type Stage } from "./testing/stage.ts";

// What holds when the process that runs a flow is killed with SIGKILL and another takes its place.
let stage: Stage;
let worker: Awaited<ReturnType<Stage["startWorker"]>>;

const replaceWorker = async (): Promise<void> => {
  await worker.kill();
  worker = await stage.startWorker();
};

beforeAll(async () => {
  stage = await setStage();
  worker = await stage.startWorker();
  await stage.register(worker.port);
});
afterAll(() => stage.end());

test("killed between two steps: another instance finishes, and no journalled step is repeated", async () => {
  await stage.close("between prepare and publish");
  await stage.accept("between");
  await stage.until("prepared", async () => (await stage.tries("between", "prepare", "end")) === 1);
  await replaceWorker();
  await stage.open("between prepare and publish");
  await stage.decide("between", "yes");
  await stage.finished("between");
  expect(await stage.tries("between", "prepare")).toBe(1);
  expect(await stage.effects("between")).toEqual(["prepare by 1", "publish by 1", "record yes by 1"]);
});

test("killed in the middle of a step: that step runs again, its effect is there once, earlier ones are not repeated", async () => {
  await stage.close("in publish");
  await stage.accept("middle");
  await stage.until("publishing", async () => (await stage.tries("middle", "publish")) === 1);
  await replaceWorker();
  await stage.until("publishing again", async () => (await stage.tries("middle", "publish")) === 2);
  await stage.open("in publish");
  await stage.decide("middle", "yes");
  await stage.finished("middle");
  expect(await stage.tries("middle", "prepare")).toBe(1);
  expect(await stage.effects("middle")).toEqual(["prepare by 1", "publish by 1", "record yes by 1"]);
});

test("killed while it waits, decided while nobody is there: the next instance finds the decision in the record", async () => {
  await stage.accept("waiting");
  await stage.until("published", async () => (await stage.tries("waiting", "publish", "end")) === 1);
  await worker.kill();
  await stage.decide("waiting", "no");
  worker = await stage.startWorker();
  await stage.finished("waiting");
  expect(await stage.effects("waiting")).toEqual(["prepare by 1", "publish by 1", "record no by 1"]);
});

test("decided before the flow looks, or several times: it acts on the record, once", async () => {
  await stage.close("in publish");
  await stage.accept("early");
  await stage.decide("early", "yes");
  await stage.decide("early", "yes");
  await stage.open("in publish");
  await stage.finished("early");
  expect(await stage.tries("early", "record yes")).toBe(1);
});

test("a call to wake that was lost is made good by the next one", async () => {
  await stage.accept("lost");
  await stage.until("published", async () => (await stage.tries("lost", "publish", "end")) === 1);
  // It waits for the first call, which never comes; the second is all that the engine hears of.
  await stage.changeUntold("lost");
  await stage.decide("lost", "yes");
  await stage.finished("lost");
  expect(await stage.tries("lost", "record yes")).toBe(1);
});

test.each([
  ["hopeless", "there is no such place"],
  // From inside a step the error comes back out of the journal, where it is no longer of our own class.
  ["hopeless step", "nobody knows the way"],
])(
  "a flow that cannot go on is parked with its reason, not retried and not lost: %s",
  async (key, reason) => {
    await stage.accept(key);
    await stage.until("parked", async () => (await stage.row(key)).status === "parked");
    expect(await stage.row(key)).toMatchObject({ reason, attempt: 1 });
  },
);

test("readiness is a real call: it fails without a worker although the engine calls itself healthy", async () => {
  await stage.until("the engine reaches the worker", async () => {
    await stage.engine.probe();
    return true;
  });
  await worker.kill();
  const health = await fetch(`${stage.restate.ingressUrl}/restate/health`);
  expect(health.ok).toBe(true);
  await expect(stage.engine.probe()).rejects.toThrow();
  worker = await stage.startWorker();
});
