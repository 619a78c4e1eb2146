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

test("shows how much work there is, and why each parked piece gave up", async () => {
  const { lines } = await manage();
  expect(lines.slice(0, 3)).toEqual(["accepted  1", "started   1", "parked    1"]);
  expect(lines[3]).toMatch(/^parked {4}Errand c since .*: no such place$/);
});

test("takes up anew only what the engine should be working on", async () => {
  expect((await manage("take-up-anew")).lines).toEqual([
    "1 unfinished flows will be taken up anew by the next sweep.",
  ]);
});

test("does nothing for a word it does not know", async () => {
  expect(await manage("delete-everything")).toEqual({ known: false, lines: [] });
});
