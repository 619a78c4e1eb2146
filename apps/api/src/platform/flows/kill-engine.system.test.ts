import { afterAll, beforeAll, expect, test } from "vitest";
import { setHarness, type Harness } from "../../../test/platform/flows/harness.ts";

// Guarantees when the engine itself is killed, down, or loses its state.
let harness: Harness;
let worker: Awaited<ReturnType<Harness["startWorker"]>>;

beforeAll(async () => {
  harness = await setHarness();
  worker = await harness.startWorker();
  await harness.register(worker.port);
});
afterAll(() => harness.end());

const allEffects = ["prepare by 1", "publish by 1", "record yes by 1"];
const sweepUntilFinished = (key: string): Promise<void> =>
  harness.until(`${key} is swept to its end`, async () => {
    await harness.flows.sweep();
    return (await harness.row(key)).status === "finished";
  });

type Invocation = { readonly id: string };
async function findInvocation(key: string): Promise<string> {
  const query = `select id from sys_invocation where target_service_key = '${key}' and target_handler_name = 'run'`;
  const response = await fetch(`${harness.restate.adminUrl}/query`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ query }),
  });
  const { rows } = (await response.json()) as { rows: readonly Invocation[] };
  if (rows[0] === undefined) throw new Error(`the engine knows no flow ${key}`);
  return rows[0].id;
}
const tellEngine = async (key: string, what: "kill" | "purge"): Promise<void> => {
  const response = await fetch(
    `${harness.restate.adminUrl}/invocations/${await findInvocation(key)}/${what}`,
    {
      method: "PATCH",
    },
  );
  if (!response.ok) throw new Error(`${what}: ${response.status} ${await response.text()}`);
};

test("killed in the middle of a step and restarted: the flow finishes, and every effect happens once", async () => {
  await harness.close("in publish");
  await harness.accept("engine");
  await harness.until("publishing", async () => (await harness.tries("engine", "publish")) === 1);
  await harness.restate.kill9();
  await harness.restate.restart();
  // The engine does not stop the attempt that it lost: two attempts may run the step at the same time.
  await harness.until("publishing again", async () => (await harness.tries("engine", "publish")) >= 2);
  await harness.open("in publish");
  await harness.decide("engine", "yes");
  await harness.finished("engine");
  expect(await harness.tries("engine", "prepare")).toBe(1);
  expect(await harness.effects("engine")).toEqual(allEffects);
});

test("down while work is accepted and decided: nothing committed is lost, and the sweeper starts and wakes it", async () => {
  await harness.accept("before");
  await harness.until("published", async () => (await harness.tries("before", "publish", "end")) === 1);
  await harness.restate.kill9();
  await harness.accept("meanwhile");
  await harness.decide("before", "yes");
  expect((await harness.row("meanwhile")).status).toBe("accepted");
  await harness.restate.restart();
  await sweepUntilFinished("before");
  await harness.decide("meanwhile", "yes");
  await sweepUntilFinished("meanwhile");
  expect(await harness.effects("before")).toEqual(allEffects);
  expect(await harness.effects("meanwhile")).toEqual(allEffects);
});

test("asked to start finished work after it lost its state: the row refuses the second run", async () => {
  await harness.accept("once");
  await harness.decide("once", "yes");
  await harness.finished("once");
  await harness.until("completed in the engine", async () => {
    await tellEngine("once", "purge");
    return true;
  });
  await harness.engine.start("Errand", { key: "once", attempt: 1 });
  await harness.until("run again and over", async () => {
    await tellEngine("once", "purge");
    return true;
  });
  expect(await harness.tries("once", "prepare")).toBe(1);
});

test("invocation killed by hand and overdue: the sweeper retries the work, and not earlier", async () => {
  await harness.close("in publish");
  await harness.accept("overdue", { allowanceSeconds: 4 });
  await harness.until("publishing", async () => (await harness.tries("overdue", "publish")) === 1);
  await tellEngine("overdue", "kill");
  await harness.open("in publish");
  await harness.flows.sweep();
  expect((await harness.row("overdue")).attempt).toBe(1);
  await harness.until("retrying overdue flow", async () => {
    await harness.flows.sweep();
    return (await harness.row("overdue")).attempt === 2;
  });
  await harness.decide("overdue", "yes");
  await sweepUntilFinished("overdue");
  expect(await harness.effects("overdue")).toEqual(allEffects);
});

test("its disk lost: all unfinished work resumes from the database, and no effect happens twice", async () => {
  await harness.accept("survivor");
  await harness.until("published", async () => (await harness.tries("survivor", "publish", "end")) === 1);
  await harness.restate.restartEmpty();
  await harness.register(worker.port);
  expect(await harness.store.makeAllDue()).toBe(1);
  await harness.decide("survivor", "yes");
  await sweepUntilFinished("survivor");
  expect(await harness.row("survivor")).toMatchObject({ attempt: 2 });
  expect(await harness.effects("survivor")).toEqual(allEffects);
});

test("never finished in time: parked after five attempts for the operator", async () => {
  await harness.close("in prepare");
  await harness.accept("never", { allowanceSeconds: 0.2 });
  await harness.until("parked", async () => {
    await harness.flows.sweep();
    return (await harness.row("never")).status === "parked";
  });
  expect(await harness.row("never")).toMatchObject({ attempt: 5, reason: "not finished in time, too often" });
  await harness.open("in prepare");
});

test("configured to retry forever: no flow is ever paused silently", async () => {
  const response = await fetch(`${harness.restate.adminUrl}/services/Errand`);
  expect(await response.json()).toMatchObject({
    retry_policy: { max_attempts: 2 ** 31 - 1, on_max_attempts: "Kill" },
  });
});
