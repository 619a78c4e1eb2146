import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
import { prepareDatabase } from "./prepare.ts";

let migrated: TestDatabase;
let server: pg.Pool;
let empty: { readonly owner: string; readonly service: string };
const lines: string[] = [];
const log = makeLog({ app: "test", level: "info", to: { write: (line) => void lines.push(line) } });

beforeAll(async () => {
  migrated = await makeTestDatabase();
  server = new pg.Pool({ connectionString: inject("postgresUrl"), max: 1 });
  await server.query("create database prepare_test");
  const at = (url: string): string => Object.assign(new URL(url), { pathname: "prepare_test" }).href;
  empty = { owner: at(migrated.url), service: at(migrated.serviceUrl) };
});
afterAll(async () => {
  await server.query("drop database prepare_test with (force)");
  await server.end();
  await migrated.drop();
});

test("refuses to start in strict mode as a role that owns the tables, and otherwise only warns", async () => {
  const options = { url: migrated.url, migrationUrl: undefined, log };
  await expect(prepareDatabase({ ...options, isStrict: true })).rejects.toThrow(
    "could rewrite approvals and events",
  );
  await prepareDatabase({ ...options, isStrict: false });
  expect(lines.join("")).toContain("could rewrite approvals and events");
});

test("accepts the service's role on a migrated database", async () => {
  await prepareDatabase({ url: migrated.serviceUrl, migrationUrl: undefined, isStrict: true, log });
});

test("does not start on a database that is not migrated, and migrates it if the owner's URL is set", async () => {
  const options = { url: empty.service, isStrict: true, log };
  await expect(prepareDatabase({ ...options, migrationUrl: undefined })).rejects.toThrow("is not migrated");
  await Promise.all([1, 2, 3].map(() => prepareDatabase({ ...options, migrationUrl: empty.owner })));
  await prepareDatabase({ ...options, migrationUrl: undefined });
});

test("refuses a role with privileges on one column too many", async () => {
  const client = new pg.Client({ connectionString: migrated.url });
  await client.connect();
  const { username } = new URL(migrated.serviceUrl);
  await client.query(`grant update (decision) on approvals to ${username}`);
  const options = { url: migrated.serviceUrl, migrationUrl: undefined, isStrict: true, log };
  await expect(prepareDatabase(options)).rejects.toThrow("could rewrite");
  // Migrating again revokes it.
  await prepareDatabase({ ...options, migrationUrl: migrated.url });
  await client.end();
});
