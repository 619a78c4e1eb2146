import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { sql } from "kysely";
import { retentionSettings } from "../config-retention.ts";
import { connectDatabase, type Database } from "../platform/db/connect.ts";
import { aTestApi, type TestApi } from "../../test/test-api.ts";
import { tablePlans } from "./table-plans.ts";

let api: TestApi;
let database: Database;
beforeAll(async () => {
  api = await aTestApi();
  database = connectDatabase({
    ...{ url: api.config.DATABASE_URL, poolSize: 1, log: makeLog({ app: "api", level: "silent" }) },
  });
});
afterAll(async () => {
  await database.close();
  await api.close();
});

test("every table has a plan for its growth, and every plan has a table", async () => {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not like 'migrations%'`.execute(database.db);
  expect(Object.keys(tablePlans).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

test("the service's role cannot delete from a table of evidence that is append-only", async () => {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' and c.relname not like 'migrations%'
      and not has_table_privilege(c.oid, 'delete')`.execute(database.db);
  expect(rows.length).toBeGreaterThan(5);
  const deletable = rows.filter(({ name }) => ["retention", "swept"].includes(tablePlans[name]?.plan ?? ""));
  expect(deletable).toEqual([]);
});

test("each setting of a plan exists", () => {
  const named = Object.values(tablePlans).flatMap((plan) =>
    plan.plan === "retention" ? [plan.setting] : [],
  );
  expect([...new Set(named)].toSorted()).toEqual(Object.keys(retentionSettings).toSorted());
});

test("the reference lists each table", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/reference/data.md"), "utf8");
  for (const table of Object.keys(tablePlans)) expect(page).toContain(`| \`${table}\``);
});
