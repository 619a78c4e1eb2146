import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "@countersign/platform/ids";
import { makeLog } from "@countersign/platform/log";
import { makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
import { makeAccountStore } from "../../accounts/index.ts";
import { connectDatabase, type Database } from "../../platform/db/connect.ts";
import { makeClientStore, type ClientStore } from "./clients.ts";

const account = "0xd8da6bf26964af9d7eed9e03e53415d37aa96045";
let made: TestDatabase;
let database: Database;
let record: pg.Client;
let store: ClientStore;
beforeAll(async () => {
  made = await makeTestDatabase();
  database = connectDatabase({ url: made.url, poolSize: 4, log: makeLog({ app: "test", level: "silent" }) });
  record = new pg.Client({ connectionString: made.url });
  await record.connect();
  await makeAccountStore(database.db).ensure(account, newId());
  store = makeClientStore(database.db);
});
afterAll(async () => {
  await record.end();
  await database.close();
  await made.drop();
});
beforeEach(async () => {
  await record.query("truncate oauth_clients, oauth_grants, oauth_sessions cascade");
});

type Age = { readonly created: string; readonly used?: string };
async function aClient({ created, used }: Age): Promise<string> {
  const id = newId();
  const metadata = { redirectUris: ["http://localhost/cb"], name: "A client", clientUri: null };
  await store.add({ id, secretHash: null, authMethod: "none", ...metadata });
  await record.query(
    "update oauth_clients set created_at = now() - $2::interval, last_used_at = now() - $3::interval where id = $1",
    [id, created, used ?? null],
  );
  return id;
}
const grant = (clientId: string, endsIn: string, revokedAt: string | null = null) =>
  record.query(
    `insert into oauth_grants (id, account, client_id, client_name, scopes, ends_at, revoked_at)
     values ($1, $2, $3, 'A client', '{}', now() + $4::interval, $5)`,
    [newId(), account, clientId, endsIn, revokedAt],
  );
const isThere = async (id: string): Promise<boolean> => (await store.findDynamic(id)) !== undefined;

describe("deletion of clients", () => {
  test.each<[string, Age, boolean]>([
    ["that no owner approved within a week is deleted", { created: "7 days 1 minute" }, false],
    ["that was registered within the week stays", { created: "6 days 23 hours" }, true],
    ["that was used within 90 days stays", { created: "400 days", used: "89 days" }, true],
    ["that was not used for 90 days is deleted", { created: "400 days", used: "91 days" }, false],
  ])("one %s", async (_what, age, stays) => {
    const id = await aClient(age);
    expect(await store.clearClients()).toBe(stays ? 0 : 1);
    expect(await isThere(id)).toBe(stays);
  });
  test("a client with a valid grant stays, and is deleted after the grant has expired or was revoked", async () => {
    const old = { created: "400 days", used: "100 days" };
    const [living, ended, revoked] = [await aClient(old), await aClient(old), await aClient(old)];
    await grant(living, "1 day");
    await grant(living, "-1 day");
    await grant(ended, "-1 minute");
    await grant(revoked, "1 day", "2026-01-01");
    expect(await store.clearClients()).toBe(2);
    expect([await isThere(living), await isThere(ended), await isThere(revoked)]).toEqual([
      true,
      false,
      false,
    ]);
  });
  test("a client whose request is being decided stays", async () => {
    const id = await aClient({ created: "8 days" });
    await record.query(
      `insert into oauth_sessions (id, client_id, client_name, registration, redirect_uri,
         code_challenge, scopes, browser_hash, expires_at)
       values ($1, $2, 'A client', 'dynamic', 'http://localhost/cb', 'x', '{}', '\\x00', now() + interval '1 minute')`,
      [newId(), id],
    );
    expect(await store.clearClients()).toBe(0);
  });
  test("a document that no owner approved is deleted as well", async () => {
    const id = "https://client.example/x";
    const metadata = { redirectUris: ["http://localhost/cb"], name: "A client", clientUri: null };
    await store.keepDocument(
      { id, registration: "metadata-document", secretHash: null, authMethod: "none", ...metadata },
      300,
    );
    await record.query("update oauth_clients set created_at = now() - interval '8 days'");
    expect(await store.clearClients()).toBe(1);
  });
  test("a round deletes at most its limit, and two concurrent rounds do not interfere", async () => {
    await record.query(
      `insert into oauth_clients (id, registration, auth_method, redirect_uris, name, created_at)
       select gen_random_uuid()::text, 'dynamic', 'none', '{http://localhost/cb}', 'A client', now() - interval '8 days'
       from generate_series(1, 450)`,
    );
    const cleared = await Promise.all([store.clearClients(), store.clearClients()]);
    expect(Math.max(...cleared)).toBeLessThanOrEqual(200);
    let more = cleared[0] + cleared[1];
    for (let count = 0; count < 3; count++) more += await store.clearClients();
    expect(more).toBe(450);
  });
});
