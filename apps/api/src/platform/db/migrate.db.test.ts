import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
import { CannotStart } from "@countersign/platform/process";
import { explainDatabaseError } from "./explain-database-error.ts";
import { migrate } from "./migrate.ts";

let empty: string;
let server: pg.Pool;
let migrated: TestDatabase;

beforeAll(async () => {
  server = new pg.Pool({ connectionString: inject("postgresUrl"), max: 1 });
  await server.query("create database migrate_test");
  empty = Object.assign(new URL(inject("postgresUrl")), { pathname: "migrate_test" }).href;
  migrated = await makeTestDatabase();
});
afterAll(async () => {
  await server.query("drop database migrate_test with (force)");
  await server.end();
  await migrated.drop();
});

test("of several processes that start at once one migrates, and the others find nothing to do", async () => {
  const results = await Promise.all([migrate(empty), migrate(empty), migrate(empty), migrate(empty)]);
  expect(results.filter((done) => done.length > 0)).toHaveLength(1);
});

test("leaves an up-to-date schema alone", async () => {
  expect(await migrate(migrated.url)).toEqual([]);
});

/** The test server's URL with some parts changed. */
const changed = (parts: Partial<URL>): string => Object.assign(new URL(empty), parts).href;

test.each([
  ["a database that does not exist", { pathname: "migrate_tesu" }, /does not exist/],
  ["a user that does not exist", { username: "postgret" }, /does not allow the user|rejects the user/],
  ["a host that does not resolve", { hostname: "database.invalid" }, /does not resolve/],
])("explains %s in one sentence", async (_, parts, sentence) => {
  const failure = await migrate(changed(parts)).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(CannotStart);
  expect((failure as Error).message).toMatch(sentence);
  expect((failure as Error).message).not.toContain("\n");
});

test("explains a port of another server at once, without the full wait", async () => {
  const server = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await expect(migrate(changed({ port: String(port) }))).rejects.toThrow(/DATABASE_URL/);
  server.close();
});

test("never repeats the password", () => {
  const cause = new Error("connect to postgres://me:hunter2@db failed");
  expect(explainDatabaseError(cause).message).toBe("The database in DATABASE_URL could not be used.");
});
