import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
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

test("several processes that start at once: one migrates, the others find nothing left to do", async () => {
  const results = await Promise.all([migrate(empty), migrate(empty), migrate(empty), migrate(empty)]);
  expect(results.filter((done) => done.length > 0)).toHaveLength(1);
});

test("an up-to-date schema is left alone", async () => {
  expect(await migrate(migrated.url)).toEqual([]);
});

test("a database that is not there is said to be so", async () => {
  const nowhere = Object.assign(new URL(empty), { pathname: "no_such_database" }).href;
  await expect(migrate(nowhere)).rejects.toMatchObject({ code: "3D000" });
});
