import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "@countersign/platform/clock";
import { makeLog } from "@countersign/platform/log";
import { makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
import { connectDatabase, type Database } from "../platform/db/connect.ts";
import { makeLocalKek, makeSecretStore } from "../platform/secrets/index.ts";
import { tokenKeyPurpose } from "../sign-in/index.ts";
import { manageTokenKeys } from "./token-keys.ts";

let made: TestDatabase;
let database: Database;
let client: pg.Client;
beforeAll(async () => {
  made = await makeTestDatabase();
  database = connectDatabase({ url: made.url, poolSize: 2, log: makeLog({ app: "test", level: "silent" }) });
  client = new pg.Client({ connectionString: made.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.close();
  await made.drop();
});

const kek = makeLocalKek(randomBytes(32));
const secrets = () => makeSecretStore({ db: database.db, keks: [kek] });
const manage = async (action?: string) => {
  const lines: string[] = [];
  const known = await manageTokenKeys({ secrets: secrets(), clock: systemClock }, action, (line) =>
    lines.push(line),
  );
  return { known, lines };
};
const age = (id: string, days: number) =>
  client.query("update secrets set created_at = now() - make_interval(days => $2) where id = $1", [id, days]);
const current = async () => (await secrets().listCurrent(tokenKeyPurpose)).map(({ id }) => id);

test("rotation adds a key and retires one only when all its tokens have expired", async () => {
  await manage("rotate");
  const [oldest = ""] = await current();
  await age(oldest, 100);
  await manage("rotate");
  const [middle = ""] = await current();
  expect(await current()).toEqual([middle, oldest]);

  await age(middle, 20);
  await manage("rotate");
  expect(await current()).toContain(oldest);

  await age(middle, 32);
  const { lines } = await manage("rotate");
  expect(await current()).not.toContain(oldest);
  expect(await current()).toContain(middle);
  expect(lines[0]).toContain(`${oldest} is retired`);
});

test("lists the keys by id and date, never their values", async () => {
  const { lines } = await manage();
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.every((line) => /^[0-9a-f-]{36} {2}since \S+$/.test(line))).toBe(true);
});

test("rejects an unknown command", async () => {
  expect(await manage("delete")).toEqual({ known: false, lines: [] });
});
