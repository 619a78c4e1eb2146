import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
import { connectDatabase, type Database } from "../platform/db/connect.ts";
import { makeLocalKek, makeSecretStore, type Keks } from "../platform/secrets/index.ts";
import { manageSecrets } from "./secrets.ts";

let made: TestDatabase;
let database: Database;
const [oldKek, newKek, lostKek] = [randomBytes(32), randomBytes(32), randomBytes(32)].map(makeLocalKek) as [
  Keks[0],
  Keks[0],
  Keks[0],
];
const value = Buffer.from("a value that no one else may know");

beforeAll(async () => {
  made = await makeTestDatabase();
  database = connectDatabase({ url: made.url, poolSize: 1, log: makeLog({ app: "test", level: "silent" }) });
});
afterAll(async () => {
  await database.close();
  await made.drop();
});

const storeWith = (...keks: Keks) => makeSecretStore({ db: database.db, keks });
const manage = async (
  keks: Keks,
  action?: string,
): Promise<{ readonly known: boolean; readonly lines: readonly string[] }> => {
  const lines: string[] = [];
  const known = await manageSecrets(storeWith(...keks), action, (line) => lines.push(line));
  return { known, lines };
};

test("reports an empty store", async () => {
  expect((await manage([oldKek])).lines).toEqual(["There are no secrets yet."]);
});

test("shows purpose, id, key and dates of each secret, never its value", async () => {
  const store = storeWith(oldKek);
  const signing = await store.save({ purpose: "jwt-signing", value });
  const pepper = await store.save({ purpose: "api-key-pepper", value });
  await store.retire(signing);
  const { lines } = await manage([newKek]);
  const date = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;
  expect(lines).toEqual([
    expect.stringMatching(new RegExp(`^api-key-pepper {7}${pepper}  under ${oldKek.id}  since ${date}$`)),
    expect.stringMatching(
      new RegExp(`^jwt-signing {10}${signing}  under ${oldKek.id}  since ${date}  retired ${date}$`),
    ),
  ]);
  for (const encoding of ["utf8", "hex", "base64"] as const)
    expect(lines.join()).not.toContain(value.toString(encoding));
});

test("rewraps secrets and lists those that still need another key", async () => {
  const lost = await storeWith(lostKek).save({ purpose: "custody", value });
  expect((await manage([newKek, oldKek], "rewrap")).lines).toEqual([
    `${lost} was left unchanged: Secret ${lost} needs the key ${lostKek.id}, which is not configured`,
    "2 secrets rewrapped under the current key.",
    "1 still need another key. Keep every key until none do.",
  ]);
  expect((await manage([newKek, lostKek], "rewrap")).lines).toEqual([
    "1 secrets rewrapped under the current key.",
    "No secret needs another key.",
  ]);
});

test("rejects an unknown command", async () => {
  expect(await manage([newKek], "show-everything")).toEqual({ known: false, lines: [] });
});
