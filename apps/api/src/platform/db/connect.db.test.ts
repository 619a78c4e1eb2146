import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
import { connectDatabase, type Database } from "./connect.ts";

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await makeTestDatabase();
  const log = makeLog({ app: "test", level: "silent" });
  database = connectDatabase({ url: testDatabase.url, poolSize: 2, log });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

test("losing a connection between two statements fails the transaction, not the process", async () => {
  // An unhandled error event would end the process; here the test runner would report it.
  const work = database.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database.db);
    // Lets the loss arrive while no query is in progress.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await sql`select 1`.execute(tx);
  });
  await expect(work).rejects.toThrow();
  await expect(database.ping()).resolves.toBeUndefined();
});
