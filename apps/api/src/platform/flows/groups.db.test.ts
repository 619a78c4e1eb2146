// Rows that are worked on in groups: which run takes them, and when they are taken up again. Tests move times in the database,
// whose clock is the one that counts.
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { FlowInput } from "@countersign/platform/engine";
import { makeLog } from "@countersign/platform/log";
import { waitUntil, makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
import { connectDatabase, type Database } from "../db/connect.ts";
import { makeFlows } from "./flows.ts";
import { finishingOf, makeFlowStore, type FlowStore } from "./store.ts";

const log = makeLog({ app: "test", level: "silent" });
let testDatabase: TestDatabase;
let database: Database;
let store: FlowStore;
beforeAll(async () => {
  testDatabase = await makeTestDatabase();
  database = connectDatabase({ url: testDatabase.url, poolSize: 4, log });
  store = makeFlowStore(database.db);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});
beforeEach(async () => {
  await sql`delete from flows`.execute(database.db);
});

const flow = "test";
const works = (...keys: readonly string[]) => keys.map((key) => ({ key, attempt: 1 }));
const accept = async (...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await store.accept(database.db, { flow, key, account: "a", allowanceSeconds: 60 });
};
const statuses = async (): Promise<Readonly<Record<string, string>>> => {
  const { rows } = await sql<{ key: string; status: string }>`
    select key, status from flows order by key`.execute(database.db);
  return Object.fromEntries(rows.map(({ key, status }) => [key, status]));
};
const makeDue = (column: "sweep_at" | "due_at" | "wait_until"): Promise<unknown> =>
  sql`update flows set ${sql.ref(column)} = now() - interval '1 second'`.execute(database.db);
const begin = async (run: string, ...keys: readonly string[]): Promise<readonly string[]> =>
  (await store.beginGroup(flow, run, works(...keys))).toSorted();

describe("a run", () => {
  test("takes what was accepted, and takes the same again when it is repeated", async () => {
    await accept("a", "b");
    expect(await begin("run", "a", "b", "unknown")).toEqual(["a", "b"]);
    expect(await begin("run", "a", "b")).toEqual(["a", "b"]);
    expect(await statuses()).toEqual({ a: "started", b: "started" });
  });
  test("leaves out what another run has taken", async () => {
    await accept("a", "b");
    await begin("one", "a");
    expect(await begin("other", "a", "b")).toEqual(["b"]);
    expect(await begin("one", "a", "b")).toEqual(["a"]);
  });
  test("of two at once, each row is taken by one", async () => {
    const keys = Array.from({ length: 20 }, (_, index) => `k${index}`);
    await accept(...keys);
    const taken = await Promise.all([begin("one", ...keys), begin("other", ...keys.toReversed())]);
    expect(taken.flat().toSorted()).toEqual(keys.toSorted());
  });
  test("does not take what is finished, parked, or of another attempt", async () => {
    await accept("a", "b", "c");
    await begin("one", "a", "b");
    await store.finishGroup({ flow, run: "one", keys: ["a"] });
    await store.parkGroup({ flow, run: "one", keys: ["b"] }, "reason");
    expect(await begin("one", "a", "b")).toEqual([]);
    expect(await store.beginGroup(flow, "two", [{ key: "c", attempt: 2 }])).toEqual([]);
    expect(await statuses()).toEqual({ a: "finished", b: "parked", c: "accepted" });
  });
  test("finishes, parks and lets wait only its own rows", async () => {
    await accept("a");
    await begin("one", "a");
    const others = { flow, run: "other", keys: ["a"] };
    await store.finishGroup(others);
    await store.parkGroup(others, "reason");
    await store.waitGroup(others, { seconds: 1 });
    expect(await statuses()).toEqual({ a: "started" });
  });
  test("that is overdue loses its rows to the next attempt", async () => {
    await accept("a");
    await begin("one", "a");
    await makeDue("due_at");
    expect(await store.claimOverdue(10, 5)).toMatchObject([{ key: "a", attempt: 2 }]);
    expect(await begin("one", "a")).toEqual([]);
    await store.finishGroup({ flow, run: "one", keys: ["a"] });
    expect(await statuses()).toEqual({ a: "accepted" });
    expect(await store.beginGroup(flow, "two", [{ key: "a", attempt: 2 }])).toEqual(["a"]);
  });
});

describe("a row that waits", () => {
  const wait = async (limitSeconds?: number): Promise<void> => {
    await accept("a");
    await begin("one", "a");
    const limit = limitSeconds === undefined ? {} : { limitSeconds };
    await store.waitGroup({ flow, run: "one", keys: ["a"] }, { seconds: 60, ...limit });
  };

  test("is taken up again once its time has come, by any run", async () => {
    await wait();
    expect(await store.claimUnstarted(10)).toEqual([]);
    await makeDue("sweep_at");
    expect(await store.claimUnstarted(10)).toMatchObject([{ key: "a", attempt: 1 }]);
    expect(await store.claimUnstarted(10)).toEqual([]);
    expect(await begin("two", "a")).toEqual(["a"]);
  });
  test("is not overdue, however long it waits", async () => {
    await wait();
    await makeDue("due_at");
    expect(await store.claimOverdue(10, 5)).toEqual([]);
  });
  test("has one limit, which counts from the first time", async () => {
    await wait(3600);
    const limit = async () =>
      (await sql<{ at: Date }>`select wait_until as at from flows`.execute(database.db)).rows[0]?.at;
    const first = await limit();
    await begin("two", "a");
    await store.waitGroup({ flow, run: "two", keys: ["a"] }, { seconds: 60, limitSeconds: 7200 });
    expect(await limit()).toEqual(first);
    expect(await store.listPastLimit(flow, ["a"])).toEqual([]);
    await makeDue("wait_until");
    expect(await store.listPastLimit(flow, ["a", "b"])).toEqual(["a"]);
  });
  test("is taken up at its limit, if that comes first", async () => {
    await wait(10);
    const { rows } = await sql<{ same: boolean }>`select sweep_at = wait_until as same from flows`.execute(
      database.db,
    );
    expect(rows).toEqual([{ same: true }]);
  });
  test("is finished by a change, also while a run has it or before one does, if the change says so", async () => {
    await wait();
    await accept("b", "c");
    await begin("two", "b");
    const keys = sql`select unnest(array['a', 'b', 'c'])`;
    await finishingOf(flow, keys, sql`status = 'waiting'`).execute(database.db);
    expect(await statuses()).toEqual({ a: "finished", b: "started", c: "accepted" });
    await finishingOf(flow, keys).execute(database.db);
    expect(await statuses()).toEqual({ a: "finished", b: "finished", c: "finished" });
    await store.waitGroup({ flow, run: "two", keys: ["b"] }, { seconds: 1 });
    expect(await statuses()).toMatchObject({ b: "finished" });
  });
});

describe("the engine", () => {
  const recorded = () => {
    const told: FlowInput[] = [];
    const running = new Set<string>();
    let isAway = false;
    const flows = makeFlows({
      ...{ store, log, groups: [flow] },
      engine: {
        start: async (_flow, input) => {
          if (isAway) throw new Error("away");
          told.push(input);
        },
        wake: async () => undefined,
        isRunning: async (_flow, run) => {
          if (isAway) throw new Error("away");
          return running.has(run);
        },
        probe: async () => undefined,
      },
    });
    return { told, flows, running, setAway: (away: boolean) => void (isAway = away) };
  };
  const keysOf = (input: FlowInput | undefined) => input?.works?.map(({ key }) => key);

  test("is told of all rows of a moment in one run, and nothing waits for that", async () => {
    const { told, flows } = recorded();
    await accept("a", "b", "c");
    for (const key of ["a", "b", "c"]) await flows.start({ flow, key });
    await waitUntil("all are told of", async () => {
      if (told.flatMap(keysOf).length < 3) throw new Error("not yet");
    });
    expect(told.length).toBeLessThanOrEqual(2);
    expect(told.flatMap(keysOf).toSorted()).toEqual(["a", "b", "c"]);
    expect(new Set(told.map(({ key }) => key)).size).toBe(told.length);
  });
  test("is told again by the sweeper, in one run, and as long as it does not begin", async () => {
    const { told, flows, running, setAway } = recorded();
    await accept("a", "b");
    setAway(true);
    await makeDue("sweep_at");
    expect(await flows.sweep()).toBe(0);
    setAway(false);
    await makeDue("sweep_at");
    expect(await flows.sweep()).toBe(2);
    expect(told.map((input) => keysOf(input)?.toSorted())).toEqual([["a", "b"]]);
    await begin(told[0]?.key ?? "", "a", "b");
    running.add(told[0]?.key ?? "");
    await makeDue("sweep_at");
    expect(await flows.sweep()).toBe(0);
  });

  describe("that does not have a run", () => {
    const attempts = async (): Promise<Readonly<Record<string, string>>> => {
      const { rows } = await sql<{ key: string; state: string }>`
        select key, status || ' ' || attempt as state from flows order by key`.execute(database.db);
      return Object.fromEntries(rows.map(({ key, state }) => [key, state]));
    };

    test("is told of its rows again, in a new run, and the old one has lost them", async () => {
      const { told, flows, running } = recorded();
      await accept("a", "b", "c");
      await begin("lost", "a", "b");
      await begin("alive", "c");
      running.add("alive");
      await makeDue("sweep_at");
      expect(await flows.sweep()).toBe(2);
      expect(told.map((input) => keysOf(input)?.toSorted())).toEqual([["a", "b"]]);
      expect(await attempts()).toEqual({ a: "accepted 2", b: "accepted 2", c: "started 1" });
      expect(await begin("lost", "a", "b")).toEqual([]);
    });
    test("is told of rows that were started without a run, as versions did that know no groups", async () => {
      const { told, flows } = recorded();
      await accept("a", "b");
      await sql`update flows set status = 'started' where key = 'a'`.execute(database.db);
      await sql`update flows set sweep_at = now() + interval '1 hour' where key = 'b'`.execute(database.db);
      await sql`update flows set sweep_at = now() where key = 'a'`.execute(database.db);
      expect(await flows.sweep()).toBe(1);
      expect(told.map(keysOf)).toEqual([["a"]]);
    });
    test("is not asked about a young run, nor twice within a minute", async () => {
      const { told, flows, running } = recorded();
      await accept("a");
      await begin("young", "a");
      expect(await flows.sweep()).toBe(0);
      running.add("young");
      await makeDue("sweep_at");
      expect(await flows.sweep()).toBe(0);
      running.clear();
      expect(await flows.sweep()).toBe(0);
      await makeDue("sweep_at");
      expect(await flows.sweep()).toBe(1);
      expect(told.map(keysOf)).toEqual([["a"]]);
    });
    test("takes nothing back while it does not answer", async () => {
      const { told, flows, setAway } = recorded();
      await accept("a");
      await begin("run", "a");
      setAway(true);
      await makeDue("sweep_at");
      expect(await flows.sweep()).toBe(0);
      expect([told, await attempts()]).toEqual([[], { a: "started 1" }]);
    });
    test("takes nothing back that the run let wait or finished while it was asked", async () => {
      await accept("a", "b");
      await begin("run", "a", "b");
      await makeDue("sweep_at");
      const looked = await store.claimUnseen([flow], 10);
      expect(looked.map(({ key }) => key).toSorted()).toEqual(["a", "b"]);
      await store.finishGroup({ flow, run: "run", keys: ["a"] });
      await store.waitGroup({ flow, run: "run", keys: ["b"] }, { seconds: 60 });
      expect(await store.takeBack(looked, 5)).toEqual([]);
      expect(await attempts()).toEqual({ a: "finished 1", b: "waiting 1" });
    });
    test("parks rows whose runs are lost too often", async () => {
      const { flows } = recorded();
      await accept("a");
      await sql`update flows set attempt = 5`.execute(database.db);
      await store.beginGroup(flow, "run", [{ key: "a", attempt: 5 }]);
      await makeDue("sweep_at");
      expect(await flows.sweep()).toBe(0);
      expect(await store.listParked(10)).toMatchObject([{ key: "a", reason: "its run was lost, too often" }]);
    });
  });
});
