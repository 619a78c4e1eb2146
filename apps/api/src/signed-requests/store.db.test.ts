import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
import { connectDatabase, type Database } from "../platform/db/connect.ts";
import { makeSignedRequestStore } from "./store.ts";

const account = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const inSeconds = (seconds: number): Date => new Date(Date.now() + seconds * 1000);

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await makeTestDatabase();
  const log = makeLog({ app: "api", level: "silent" });
  database = connectDatabase({ url: testDatabase.url, poolSize: 10, log });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const kept = async (): Promise<readonly string[]> =>
  (
    await sql<{ nonce: string }>`select nonce from signed_request_nonces order by nonce`.execute(database.db)
  ).rows.map(({ nonce }) => nonce);

test("a nonce is taken once, and deleted only after it has expired", async () => {
  const store = makeSignedRequestStore(database.db);
  const take = (nonce: string, seconds: number) =>
    store.takeNonce({ account, nonce, expiresAt: inSeconds(seconds) });
  expect(await take("good", 60)).toBe(true);
  expect(await take("past", -1)).toBe(true);
  expect(await kept()).toEqual(["good", "past"]);
  expect(await take("next", 60)).toBe(true);
  expect(await kept()).toEqual(["good", "next"]);
  expect(await take("good", 60)).toBe(false);
});

test("concurrent calls that take nonces and sweep do not interfere", async () => {
  const store = makeSignedRequestStore(database.db);
  const take = (nonce: string, seconds: number) =>
    store.takeNonce({ account, nonce, expiresAt: inSeconds(seconds) });
  await Promise.all(Array.from({ length: 100 }, (_, index) => take(`old-${index}`, -1)));
  const taken = await Promise.all(Array.from({ length: 100 }, (_, index) => take(`new-${index % 50}`, 60)));
  expect(taken.filter(Boolean)).toHaveLength(50);
  await take("last", 60);
  expect((await kept()).filter((nonce) => nonce.startsWith("old-"))).toEqual([]);
});
