import { afterAll, expect, it } from "vitest";
import { withClient } from "../engines/postgres.ts";
import { makeTestDatabase, type TestDatabase } from "./database.ts";

const made: TestDatabase[] = [];
async function make(): Promise<TestDatabase> {
  const database = await makeTestDatabase();
  made.push(database);
  return database;
}

afterAll(async () => {
  for (const database of made) await database.drop();
});

it("gives each caller a database of its own", async () => {
  const [first, second] = await Promise.all([make(), make()]);
  await withClient(first.url, (client) => client.query("create table mark (id int)"));
  const find = async (url: string): Promise<number> =>
    withClient(
      url,
      async (client) => (await client.query("select from pg_class where relname = 'mark'")).rowCount ?? 0,
    );
  expect([await find(first.url), await find(second.url)]).toEqual([1, 0]);
});

it("drops a database that still has a client, and can be asked twice", async () => {
  const database = await make();
  await withClient(database.url, async () => {
    await database.drop();
  });
  await database.drop();
  await expect(withClient(database.url, async () => "connected")).rejects.toMatchObject({ code: "3D000" });
});
