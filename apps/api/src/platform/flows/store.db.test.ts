// Which attempt may run, and what the sweeper picks up. Tests move times in the database, whose clock is the one that
// counts.
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { inTrace, readTraceparent } from "@countersign/platform/trace";
import { makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
import { connectDatabase, type Database } from "../db/connect.ts";
import { makeFlows } from "./flows.ts";
import { hasUnfinished, makeFlowStore, type FlowStore, type Wake } from "./store.ts";

const log = makeLog({ app: "test", level: "silent" });
let testDatabase: TestDatabase;
let database: Database;
let store: FlowStore;
beforeAll(async () => {
  testDatabase = await makeTestDatabase();
  database = connectDatabase({ url: testDatabase.url, poolSize: 2, log });
  store = makeFlowStore(database.db);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});
beforeEach(async () => {
  await sql`delete from flows`.execute(database.db);
});

const id = { flow: "test", key: "one" };
const attempt = (number: number) => ({ ...id, attempt: number });
const accept = () => store.accept(database.db, { ...id, account: "a", allowanceSeconds: 60 });
const move = async (column: "sweep_at" | "due_at", seconds: number): Promise<void> => {
  await sql`update flows set ${sql.ref(column)} = now() + make_interval(secs => ${seconds})`.execute(
    database.db,
  );
};
const row = async () =>
  (
    await sql<{ status: string; attempt: number; wakes_asked: number; wakes_sent: number }>`
      select status, attempt, wakes_asked, wakes_sent from flows`.execute(database.db)
  ).rows[0];
const askWake = async (): Promise<Wake> => {
  const wake = await store.askWake(database.db, id);
  if (wake === undefined) throw new Error("nothing to wake");
  return wake;
};

describe("the trace of the request that accepted work", () => {
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const acceptInTrace = () => inTrace("request", { parent: readTraceparent(traceparent) }, accept);

  test("is stored with it, and not replaced by that of another request", async () => {
    expect(await store.readTraceparent(id)).toBeUndefined();
    await acceptInTrace();
    await accept();
    expect(await store.readTraceparent(id)).toBe(traceparent);
  });
  test("is absent for work that was accepted outside of a trace", async () => {
    await accept();
    expect(await store.readTraceparent(id)).toBeUndefined();
  });
  test("goes to the engine with the first attempt, from the sweeper and with a later attempt", async () => {
    const started: unknown[] = [];
    const engine = {
      start: async (_flow: string, input: object) => void started.push(input),
      wake: async () => undefined,
      isRunning: async () => true,
      probe: async () => undefined,
    };
    const flows = makeFlows({ store, engine, log });
    await inTrace("request", { parent: readTraceparent(traceparent) }, async () => {
      await accept();
      await flows.start(id);
    });
    await sql`update flows set status = 'accepted'`.execute(database.db);
    await move("sweep_at", -1);
    await flows.sweep();
    await move("due_at", -1);
    await flows.sweep();
    expect(started).toEqual([1, 1, 2].map((number) => ({ key: "one", attempt: number, traceparent })));
  });
  test("is refused by the database in any other form", async () => {
    await accept();
    await expect(sql`update flows set traceparent = 'send everything'`.execute(database.db)).rejects.toThrow(
      "flows_traceparent_check",
    );
  });
});

describe("an attempt", () => {
  test("may begin if it is the current one, repeatedly", async () => {
    await accept();
    expect(await store.begin(attempt(1))).toBe(true);
    expect(await store.begin(attempt(1))).toBe(true);
    expect(await row()).toMatchObject({ status: "started", attempt: 1 });
  });
  test("may not begin once a later attempt has taken over", async () => {
    await accept();
    await store.begin(attempt(1));
    await move("due_at", -1);
    expect(await store.claimOverdue(10, 5)).toMatchObject([attempt(2)]);
    expect(await store.begin(attempt(1))).toBe(false);
    expect(await row()).toMatchObject({ status: "accepted", attempt: 2 });
    expect(await store.begin(attempt(2))).toBe(true);
    expect(await store.begin(attempt(1))).toBe(false);
  });
  test("may not begin before its turn", async () => {
    await accept();
    expect(await store.begin(attempt(2))).toBe(false);
    expect(await store.begin(attempt(0))).toBe(false);
    expect(await row()).toMatchObject({ status: "accepted", attempt: 1 });
  });
  test("may not begin for another key or flow", async () => {
    await accept();
    expect(await store.begin({ ...attempt(1), key: "onf" })).toBe(false);
    expect(await store.begin({ ...attempt(1), flow: "tesu" })).toBe(false);
  });
  test.each([
    ["finished", () => store.finish(attempt(1))],
    ["parked", () => store.park({ ...attempt(1), reason: "r" })],
  ])("may not begin once the work is %s", async (status, end) => {
    await accept();
    await store.begin(attempt(1));
    await end();
    expect(await store.begin(attempt(1))).toBe(false);
    expect(await row()).toMatchObject({ status });
  });
  test("that is stale neither finishes nor parks the work, nor reads its wake-ups", async () => {
    await accept();
    await store.begin(attempt(1));
    await move("due_at", -1);
    await store.claimOverdue(10, 5);
    await store.finish(attempt(1));
    await store.park({ ...attempt(1), reason: "r" });
    await store.markStarted(attempt(1));
    expect(await store.readWakes(attempt(1))).toBeUndefined();
    expect(await row()).toMatchObject({ status: "accepted", attempt: 2 });
    expect(await store.readWakes(attempt(2))).toBe(0);
  });
});

describe("the sweep", () => {
  test("picks up a wake-up that was requested and not sent", async () => {
    await accept();
    await store.begin(attempt(1));
    const wake = await askWake();
    await move("sweep_at", -1);
    expect(await store.claimUnwoken(10)).toEqual([{ ...attempt(1), wake: wake.wake }]);
  });
  test("picks up the second of two wake-ups when only the first was sent", async () => {
    await accept();
    await store.begin(attempt(1));
    await store.markWoken(await askWake());
    const second = await askWake();
    await move("sweep_at", -1);
    expect(await store.claimUnwoken(10)).toEqual([{ ...attempt(1), wake: second.wake }]);
  });
  test("leaves work alone without a requested wake-up, and work that was woken", async () => {
    await accept();
    await store.begin(attempt(1));
    await move("sweep_at", -1);
    expect(await store.claimUnwoken(10)).toEqual([]);
    await store.markWoken(await askWake());
    await move("sweep_at", -1);
    expect(await store.claimUnwoken(10)).toEqual([]);
  });
  test("waits until the row's time, and again after an attempt", async () => {
    await accept();
    await store.begin(attempt(1));
    await askWake();
    await move("sweep_at", 1);
    expect(await store.claimUnwoken(10)).toEqual([]);
    await move("sweep_at", -1);
    expect(await store.claimUnwoken(10)).toHaveLength(1);
    expect(await store.claimUnwoken(10)).toEqual([]);
  });
  test("wakes nothing that has not started or is finished", async () => {
    await accept();
    await askWake();
    await move("sweep_at", -1);
    expect(await store.claimUnwoken(10)).toEqual([]);
    await store.begin(attempt(1));
    await store.finish(attempt(1));
    await move("sweep_at", -1);
    expect(await store.claimUnwoken(10)).toEqual([]);
    expect(await store.askWake(database.db, id)).toBeUndefined();
  });
  test("starts work that was accepted and not started, once its time has come", async () => {
    await accept();
    expect(await store.claimUnstarted(10)).toEqual([]);
    await move("sweep_at", -1);
    expect(await store.claimUnstarted(10)).toEqual([{ ...attempt(1), traceparent: null }]);
    expect(await store.claimUnstarted(10)).toEqual([]);
    await store.markStarted(attempt(1));
    await move("sweep_at", -1);
    expect(await store.claimUnstarted(10)).toEqual([]);
  });
  test("takes over only overdue work, and parks it after the last attempt", async () => {
    await accept();
    await store.begin(attempt(1));
    await move("due_at", 1);
    expect(await store.claimOverdue(10, 2)).toEqual([]);
    await move("due_at", -1);
    expect(await store.claimOverdue(10, 2)).toMatchObject([attempt(2)]);
    await store.begin(attempt(2));
    await move("due_at", -1);
    expect(await store.claimOverdue(10, 2)).toEqual([]);
    expect(await row()).toMatchObject({ status: "parked", attempt: 2 });
  });
  test("sends the engine exactly the missing wake-up, and records it afterwards", async () => {
    const told: unknown[] = [];
    let isAway = true;
    const engine = {
      start: () => Promise.reject(new Error("nothing to start")),
      wake: (flow: string, { key }: { readonly key: string }, wake: number) => {
        if (isAway) return Promise.reject(new Error("away"));
        told.push({ flow, key, wake });
        return Promise.resolve();
      },
    } as unknown as Parameters<typeof makeFlows>[0]["engine"];
    const flows = makeFlows({ store, engine, log });
    await accept();
    await store.begin(attempt(1));
    expect(await flows.sweep()).toBe(0);
    await flows.wake(await askWake());
    await move("sweep_at", -1);
    expect(await flows.sweep()).toBe(0);
    expect(await row()).toMatchObject({ wakes_asked: 1, wakes_sent: 0 });
    isAway = false;
    await move("sweep_at", -1);
    expect(await flows.sweep()).toBe(1);
    expect(told).toEqual([{ ...id, wake: 1 }]);
    await move("sweep_at", -1);
    expect(await flows.sweep()).toBe(0);
    expect(told).toHaveLength(1);
  });
});

describe("the operator", () => {
  const acceptKey = (key: string) =>
    store.accept(database.db, { ...id, key, account: "a", allowanceSeconds: 60 });
  const parkKey = async (key: string): Promise<void> => {
    await acceptKey(key);
    await store.park({ ...id, key, attempt: 1, reason: `reason of ${key}` });
  };

  test("makes everything due that the engine should be working on, and nothing else", async () => {
    for (const key of ["accepted", "one", "two", "finished"]) await acceptKey(key);
    for (const key of ["one", "two", "finished"]) await store.begin({ ...id, key, attempt: 1 });
    await store.finish({ ...id, key: "finished", attempt: 1 });
    expect(await store.claimOverdue(10, 5)).toEqual([]);
    expect(await store.makeAllDue()).toBe(2);
    const claimed = await store.claimOverdue(10, 5);
    expect(claimed.map(({ key }) => key).toSorted()).toEqual(["one", "two"]);
  });

  test("sees parked work, the latest first, with its reason", async () => {
    await parkKey("early");
    await parkKey("late");
    await acceptKey("accepted");
    const parked = await store.listParked(10);
    expect(parked).toMatchObject([
      { flow: "test", key: "late", reason: "reason of late" },
      { flow: "test", key: "early", reason: "reason of early" },
    ]);
    expect(parked[0]?.finishedAt).toBeInstanceOf(Date);
    expect(await store.listParked(1)).toHaveLength(1);
  });

  test("counts the work in each status", async () => {
    for (const key of ["one", "two", "three"]) await acceptKey(key);
    await store.begin({ ...id, key: "three", attempt: 1 });
    expect(await store.countByStatus("accepted")).toBe(2);
    expect(await store.countByStatus("started")).toBe(1);
    expect(await store.countByStatus("parked")).toBe(0);
  });
});

test("work is unfinished from its acceptance to its end, for its own key and flow only", async () => {
  const isUnfinished = async (flow: string, key: string): Promise<boolean | undefined> => {
    const condition = hasUnfinished(flow, sql`${key}`);
    return (await sql<{ is: boolean }>`select ${condition} as "is"`.execute(database.db)).rows[0]?.is;
  };
  expect(await isUnfinished("test", "one")).toBe(false);
  await accept();
  expect(await isUnfinished("test", "one")).toBe(true);
  expect(await isUnfinished("test", "two")).toBe(false);
  expect(await isUnfinished("other", "one")).toBe(false);
  await store.begin(attempt(1));
  expect(await isUnfinished("test", "one")).toBe(true);
  await store.finish(attempt(1));
  expect(await isUnfinished("test", "one")).toBe(false);
});

test("finished work of a flow is deleted after a day, at most so many at once", async () => {
  const finishAt = async (key: string, age: string, flow = id.flow): Promise<void> => {
    await store.accept(database.db, { flow, key, account: "a", allowanceSeconds: 60 });
    await store.finish({ flow, key, attempt: 1 });
    await sql`update flows set finished_at = now() - ${age}::interval where key = ${key}`.execute(
      database.db,
    );
  };
  await finishAt("old", "25 hours");
  await finishAt("older", "26 hours");
  await finishAt("recent", "23 hours");
  await finishAt("of another flow", "25 hours", "other");
  await accept();
  expect([await store.clearFinished("test", 1), await store.clearFinished("test", 10)]).toEqual([1, 1]);
  const { rows } = await sql<{ key: string }>`select key from flows order by key`.execute(database.db);
  expect(rows.map(({ key }) => key)).toEqual(["of another flow", "one", "recent"]);
});
