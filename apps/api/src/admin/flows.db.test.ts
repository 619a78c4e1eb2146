import { afterAll, beforeAll, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
import { connectDatabase, type Database } from "../platform/db/connect.ts";
import { makeFlowStore } from "../platform/flows/index.ts";
import { manageFlows } from "./flows.ts";

let made: TestDatabase;
let database: Database;
beforeAll(async () => {
  made = await makeTestDatabase();
  database = connectDatabase({ url: made.url, poolSize: 1, log: makeLog({ app: "test", level: "silent" }) });
  const store = makeFlowStore(database.db);
  for (const key of ["a", "b", "c"])
    await store.accept(database.db, { flow: "Errand", key, account: "0x0", allowanceSeconds: 60 });
  await store.markStarted({ flow: "Errand", key: "b", attempt: 1 });
  await store.park({ flow: "Errand", key: "c", attempt: 1, reason: "no such place" });
});
afterAll(async () => {
  await database.close();
  await made.drop();
});

const manage = async (
  action?: string,
): Promise<{ readonly known: boolean; readonly lines: readonly string[] }> => {
  const lines: string[] = [];
  const known = await manageFlows(makeFlowStore(database.db), action, (line) => lines.push(line));
  return { known, lines };
};

test("shows the backlog and why each parked flow gave up", async () => {
  const { lines } = await manage();
  expect(lines.slice(0, 4)).toEqual(["accepted  1", "started   1", "waiting   0", "parked    1"]);
  expect(lines[4]).toMatch(/^parked {4}Errand c since .*: no such place$/);
});

test("retries only flows that the engine should be working on", async () => {
  expect((await manage("retry")).lines).toEqual(["1 unfinished flows will be retried by the next sweep."]);
});

test("rejects an unknown command", async () => {
  expect(await manage("delete-everything")).toEqual({ known: false, lines: [] });
});
