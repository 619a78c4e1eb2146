import { afterAll, beforeAll, expect, test } from "vitest";
import { setStage, type Stage } from "./testing/stage.ts";

// What holds when the engine itself is killed, is away, or forgets.
let stage: Stage;
let worker: Awaited<ReturnType<Stage["startWorker"]>>;

beforeAll(async () => {
  stage = await setStage();
  worker = await stage.startWorker();
  await stage.register(worker.port);
});
afterAll(() => stage.end());

const allEffects = ["prepare by 1", "publish by 1", "record yes by 1"];
const sweepUntilFinished = (key: string): Promise<void> =>
  stage.until(`${key} is swept to its end`, async () => {
    await stage.flows.sweep();
    return (await stage.row(key)).status === "finished";
  });

type Invocation = { readonly id: string };
async function findInvocation(key: string): Promise<string> {
  const query = `select id from sys_invocation where target_service_key = '${key}' and target_handler_name = 'run'`;
  const response = await fetch(`${stage.restate.adminUrl}/query`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ query }),
  });
  const { rows } = (await response.json()) as { rows: readonly Invocation[] };
  if (rows[0] === undefined) throw new Error(`the engine knows no flow ${key}`);
  return rows[0].id;
}
const tellEngine = async (key: string, what: "kill" | "purge"): Promise<void> => {
  const response = await fetch(`${stage.restate.adminUrl}/invocations/${await findInvocation(key)}/${what}`, {
    method: "PATCH",
  });
  if (!response.ok) throw new Error(`${what}: ${response.status} ${await response.text()}`);
};

test("killed in the middle of a step and started again: the flow finishes, every effect is there once", async () => {
  await stage.close("in publish");
  await stage.accept("engine");
  await stage.until("publishing", async () => (await stage.tries("engine", "publish")) === 1);
  await stage.restate.kill9();
  await stage.restate.restart();
  // The engine does not stop the attempt it lost sight of: two of them may stand in the step at the same time.
  await stage.until("publishing again", async () => (await stage.tries("engine", "publish")) >= 2);
  await stage.open("in publish");
  await stage.decide("engine", "yes");
  await stage.finished("engine");
  expect(await stage.tries("engine", "prepare")).toBe(1);
  expect(await stage.effects("engine")).toEqual(allEffects);
});

test("away while work is accepted and decided: nothing committed is lost, the sweeper starts and wakes it", async () => {
  await stage.accept("before");
  await stage.until("published", async () => (await stage.tries("before", "publish", "end")) === 1);
  await stage.restate.kill9();
  await stage.accept("meanwhile");
  await stage.decide("before", "yes");
  expect((await stage.row("meanwhile")).status).toBe("accepted");
  await stage.restate.restart();
  await sweepUntilFinished("before");
  await stage.decide("meanwhile", "yes");
  await sweepUntilFinished("meanwhile");
  expect(await stage.effects("before")).toEqual(allEffects);
  expect(await stage.effects("meanwhile")).toEqual(allEffects);
});

test("asked again to start what is finished, after it forgot it: the row refuses the second run", async () => {
  await stage.accept("once");
  await stage.decide("once", "yes");
  await stage.finished("once");
  await stage.until("completed in the engine", async () => {
    await tellEngine("once", "purge");
    return true;
  });
  await stage.engine.start("Errand", { key: "once", attempt: 1 });
  await stage.until("run again and over", async () => {
    await tellEngine("once", "purge");
    return true;
  });
  expect(await stage.tries("once", "prepare")).toBe(1);
});

test("killed there by hand, past its time: the sweeper takes the work up anew, and only then", async () => {
  await stage.close("in publish");
  await stage.accept("overdue", { allowanceSeconds: 4 });
  await stage.until("publishing", async () => (await stage.tries("overdue", "publish")) === 1);
  await tellEngine("overdue", "kill");
  await stage.open("in publish");
  await stage.flows.sweep();
  expect((await stage.row("overdue")).attempt).toBe(1);
  await stage.until("taken up anew", async () => {
    await stage.flows.sweep();
    return (await stage.row("overdue")).attempt === 2;
  });
  await stage.decide("overdue", "yes");
  await sweepUntilFinished("overdue");
  expect(await stage.effects("overdue")).toEqual(allEffects);
});

test("its disk lost: everything unfinished is taken up from the record, and no effect is made twice", async () => {
  await stage.accept("survivor");
  await stage.until("published", async () => (await stage.tries("survivor", "publish", "end")) === 1);
  await stage.restate.restartEmpty();
  await stage.register(worker.port);
  expect(await stage.store.makeAllDue()).toBe(1);
  await stage.decide("survivor", "yes");
  await sweepUntilFinished("survivor");
  expect(await stage.row("survivor")).toMatchObject({ attempt: 2 });
  expect(await stage.effects("survivor")).toEqual(allEffects);
});

test("never finished in time: parked after five attempts, for a person to look at", async () => {
  await stage.close("in prepare");
  await stage.accept("never", { allowanceSeconds: 0.2 });
  await stage.until("parked", async () => {
    await stage.flows.sweep();
    return (await stage.row("never")).status === "parked";
  });
  expect(await stage.row("never")).toMatchObject({ attempt: 5, reason: "not finished in time, too often" });
  await stage.open("in prepare");
});

test("told to retry for ever: no flow of ours is ever paused silently", async () => {
  const response = await fetch(`${stage.restate.adminUrl}/services/Errand`);
  expect(await response.json()).toMatchObject({
    retry_policy: { max_attempts: 2 ** 31 - 1, on_max_attempts: "Kill" },
  });
});
