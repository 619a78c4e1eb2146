import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "@countersign/platform/ids";
import { makeLog } from "@countersign/platform/log";
import { makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
import { makeAccountStore } from "../accounts/index.ts";
import { connectDatabase, type Database } from "../platform/db/connect.ts";
import { makeSignInStore, type SignInStore } from "./store.ts";

const account = "0xd8da6bf26964af9d7eed9e03e53415d37aa96045";
let made: TestDatabase;
let database: Database;
let client: pg.Client;
let store: SignInStore;
beforeAll(async () => {
  made = await makeTestDatabase();
  database = connectDatabase({ url: made.url, poolSize: 4, log: makeLog({ app: "test", level: "silent" }) });
  client = new pg.Client({ connectionString: made.url });
  await client.connect();
  await makeAccountStore(database.db).ensure(account, newId());
  store = makeSignInStore(database.db);
});
afterAll(async () => {
  await client.end();
  await database.close();
  await made.drop();
});

const address = "10.0.0.7";
const later = new Date("2999-01-01T00:00:00Z");

async function openSession(): Promise<{ readonly id: string; readonly refreshId: string }> {
  const session = { id: newId(), refreshId: newId() };
  await store.openSession({
    ...session,
    account,
    lifeSeconds: 3600,
    refreshExpiresAt: later,
    userAgent: null,
    address,
  });
  return session;
}
const rotate = (id: string, nextId = newId()) =>
  store.rotateRefreshToken({ id, nextId, nextExpiresAt: later, graceSeconds: 60, address });
const isLive = async (id: string): Promise<boolean> => (await store.findLive([id])).has(id);

test("a used refresh token presented again within a minute is rejected, and the session stays open", async () => {
  const { id, refreshId } = await openSession();
  expect(await rotate(refreshId)).toBe("rotated");
  expect(await rotate(refreshId)).toBe("refused");
  expect(await isLive(id)).toBe(true);
});

test("a used refresh token presented after a minute was stolen: the session and its newest token end", async () => {
  const { id, refreshId } = await openSession();
  const nextId = newId();
  await rotate(refreshId, nextId);
  await client.query("update refresh_tokens set used_at = now() - interval '61 seconds' where id = $1", [
    refreshId,
  ]);
  expect(await rotate(refreshId)).toBe("reused");
  expect(await isLive(id)).toBe(false);
  expect(await rotate(nextId)).toBe("refused");
});

test("rejects a refresh token that has expired or whose session has ended", async () => {
  const { refreshId } = await openSession();
  await client.query("update refresh_tokens set expires_at = now() where id = $1", [refreshId]);
  expect(await rotate(refreshId)).toBe("refused");
  const ended = await openSession();
  await client.query("update sessions set ends_at = now() where id = $1", [ended.id]);
  expect(await rotate(ended.refreshId)).toBe("refused");
  expect(await isLive(ended.id)).toBe(false);
});

test("a refreshed token never outlives its session", async () => {
  const { refreshId } = await openSession();
  const nextId = newId();
  await rotate(refreshId, nextId);
  const { rows } = await client.query<{ within: boolean }>(
    "select t.expires_at <= s.ends_at as within from refresh_tokens t join sessions s on s.id = t.session_id where t.id = $1",
    [nextId],
  );
  expect(rows[0]?.within).toBe(true);
});

test("an expired challenge is rejected, and swept when the next one is requested", async () => {
  await store.addNonce({ nonce: "expired0", account, askedFrom: address, lifeSeconds: 300 });
  await client.query("update sign_in_nonces set expires_at = now()");
  expect(await store.consumeNonce("expired0", account)).toBe(false);
  await store.addNonce({ nonce: "fresh000", account, askedFrom: address, lifeSeconds: 300 });
  expect((await client.query("select nonce from sign_in_nonces")).rows).toEqual([{ nonce: "fresh000" }]);
});

test("two concurrent first sign-ins of an account are one user", async () => {
  const accounts = makeAccountStore(database.db);
  const users = await Promise.all(
    Array.from({ length: 20 }, () => accounts.ensure("0x00000000000000000000000000000000000000aa", newId())),
  );
  expect(new Set(users.map(({ id }) => id)).size).toBe(1);
});
