import { afterAll, beforeAll, expect, test } from "vitest";
import { errandGroup } from "../../../test/platform/flows/errand.ts";
import { setHarness, type Harness } from "../../../test/platform/flows/harness.ts";

// Rows of a group flow that no run of the engine has: the sweeper takes them back.
let harness: Harness;
let worker: Awaited<ReturnType<Harness["startWorker"]>>;

beforeAll(async () => {
  harness = await setHarness();
  worker = await harness.startWorker();
  await harness.register(worker.port);
});
afterAll(() => harness.end());

const begun = (key: string): Promise<void> =>
  harness.until(`${key} is begun`, async () => (await harness.tries(key, "publish")) > 0);

test("the engine says of a run whether it goes on, also while it is being retried", async () => {
  const { engine } = harness;
  expect(await engine.isRunning(errandGroup, "unknown")).toBe(false);
  await harness.close("in publish");
  await harness.acceptInGroup("asked");
  await engine.start(errandGroup, { key: "a run", attempt: 1, works: [{ key: "asked", attempt: 1 }] });
  await begun("asked");
  expect(await engine.isRunning(errandGroup, "a run")).toBe(true);
  await worker.kill();
  expect(await engine.isRunning(errandGroup, "a run")).toBe(true);
  worker = await harness.startWorker();
  await harness.open("in publish");
  await harness.finished("asked");
  await harness.until("the run has ended", async () => !(await engine.isRunning(errandGroup, "a run")));
});

test("a row that a version without groups has marked as started is finished by the new one", async () => {
  await harness.acceptInGroup("planted");
  // As the sweeper of that version does: one run for one row, and no word of which rows it has.
  await harness.engine.start(errandGroup, { key: "planted", attempt: 1 });
  await harness.store.markStarted({ flow: errandGroup, key: "planted", attempt: 1 });
  await harness.until(
    "its run has ended",
    async () => !(await harness.engine.isRunning(errandGroup, "planted")),
  );
  expect(await harness.row("planted")).toMatchObject({ status: "started", attempt: 1 });

  await harness.makeUnseen("planted");
  await harness.flows.sweep();
  await harness.finished("planted");
  expect(await harness.effects("planted")).toEqual(["publish by 1"]);
});

test("a row whose run is alive is left alone", async () => {
  await harness.close("in publish");
  await harness.acceptInGroup("slow");
  await harness.flows.start({ flow: errandGroup, key: "slow" });
  await begun("slow");
  await harness.makeUnseen("slow");
  expect(await harness.flows.sweep()).toBe(0);
  await harness.open("in publish");
  await harness.finished("slow");
  expect(await harness.row("slow")).toMatchObject({ attempt: 1 });
  expect(await harness.tries("slow", "publish")).toBe(1);
});

test("an engine that lost its state: the rows of its runs are finished by others, without an operator", async () => {
  await harness.close("in publish");
  await harness.acceptInGroup("forgotten");
  await harness.flows.start({ flow: errandGroup, key: "forgotten" });
  await begun("forgotten");
  await harness.restate.kill9();
  await harness.restate.restartEmpty();
  await harness.makeUnseen("forgotten");
  // Not registered yet: the engine knows neither the run nor the flow, and the row waits for it.
  await harness.flows.sweep();
  expect(await harness.row("forgotten")).toMatchObject({ status: "accepted", attempt: 2 });

  await harness.register(worker.port);
  await harness.open("in publish");
  await harness.until("it is swept to its end", async () => {
    await harness.flows.sweep();
    return (await harness.row("forgotten")).status === "finished";
  });
  expect(await harness.effects("forgotten")).toEqual(["publish by 1"]);
});
