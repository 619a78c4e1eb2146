import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
import type { ReadClientDocument } from "../adapters/client-documents/index.ts";
import { connectDatabase, type Database } from "../platform/db/connect.ts";
import { oauthErrors } from "./errors.ts";
import { makeFindClient } from "./find-client.ts";
import { isSameRedirect } from "./redirect-uri.ts";
import { makeClientStore, type ClientStore } from "./store/clients.ts";

const log = makeLog({ app: "test", level: "silent" });
let made: TestDatabase;
let database: Database;
let record: pg.Client;
let store: ClientStore;
beforeAll(async () => {
  made = await makeTestDatabase();
  database = connectDatabase({ url: made.url, poolSize: 4, log });
  record = new pg.Client({ connectionString: made.url });
  await record.connect();
  store = makeClientStore(database.db);
});
afterAll(async () => {
  await record.end();
  await database.close();
  await made.drop();
});

let nowMs = 0;
const clock = { now: () => new Date(nowMs) };
let reads: string[] = [];
let answer: (address: string) => unknown = () => undefined;
let cacheControl = "";
const readDocument: ReadClientDocument = async (address) => {
  reads.push(address);
  return { document: await answer(address), cacheControl };
};
const aFinder = (given: ReadClientDocument | undefined = readDocument) =>
  makeFindClient({ store, readDocument: given, clock, log });

let last = 0;
const anAddress = () => `https://client.example/${++last}`;
const documentOf = (address: string, more: object = {}) => ({
  client_id: address,
  client_name: "A client",
  redirect_uris: ["http://localhost/callback"],
  ...more,
});
const good = (address: string) => documentOf(address);
const away = () => {
  throw new Error("the server is away");
};
const age = (id: string, by: string) =>
  record.query("update oauth_clients set fresh_until = fresh_until - $2::interval where id = $1", [id, by]);
const unavailable = { code: oauthErrors.documentUnavailable.code };

beforeEach(() => {
  nowMs = 1_800_000_000_000;
  reads = [];
  answer = good;
  cacheControl = "";
});

describe("a client registered here", () => {
  const registered = {
    secretHash: null,
    authMethod: "none" as const,
    redirectUris: ["http://localhost/callback", "cursor://x/y"],
    name: "Registered",
    clientUri: null,
  };
  test("is found by its id, as registered, without fetching a document", async () => {
    const id = "0198a1b2-0000-7000-8000-000000000001";
    await store.add({ id, ...registered });
    expect(await aFinder()(id)).toEqual({ id, registration: "dynamic", ...registered });
    expect(reads).toEqual([]);
  });
  test.each([
    "0198a1b2-0000-7000-8000-00000000ffff",
    "0198A1B2-0000-7000-8000-000000000001",
    "nobody",
    "",
    "x".repeat(5000),
    "' or true --",
  ])("is not found by another id: %s", async (id) => {
    expect(await aFinder()(id)).toBeUndefined();
    expect(reads).toEqual([]);
  });
});

describe("a client with a metadata document", () => {
  test("is fetched once, and then read from the database by every process", async () => {
    const id = anAddress();
    const first = await aFinder()(id);
    expect(first).toMatchObject({
      id,
      registration: "metadata-document",
      authMethod: "none",
      name: "A client",
    });
    expect(await aFinder()(id)).toEqual(first);
    expect(reads).toEqual([id]);
  });
  test("is unknown where documents are not supported, even if it is in the database", async () => {
    const id = anAddress();
    await aFinder()(id);
    const withoutDocuments = makeFindClient({ store, readDocument: undefined, clock, log });
    expect(await withoutDocuments(id)).toBeUndefined();
  });
  test.each([
    "https://127.0.0.1/x",
    "https://localhost/x",
    "https://a.internal/x",
    "https://client.example/",
  ])("attack 114: is unknown at an address that no document may have: %s", async (id) => {
    expect(await aFinder()(id)).toBeUndefined();
    expect(reads).toEqual([]);
  });
  test("is fetched again when it expires, after five minutes to a day", async () => {
    const [short, long] = [anAddress(), anAddress()];
    const find = aFinder();
    await find(short);
    cacheControl = "max-age=31536000";
    await find(long);
    await age(short, "299 seconds");
    await age(long, "23 hours 59 minutes");
    await find(short);
    await find(long);
    expect(reads).toEqual([short, long]);
    await age(short, "2 seconds");
    await age(long, "2 minutes");
    await find(short);
    await find(long);
    expect(reads).toEqual([short, long, short, long]);
  });
  test("is fetched once for all concurrent requests", async () => {
    const id = anAddress();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    answer = async (address) => {
      await promise;
      return documentOf(address);
    };
    const find = aFinder();
    const asked = Array.from({ length: 20 }, () => find(id));
    resolve(undefined);
    expect(new Set((await Promise.all(asked)).map((client) => client?.id))).toEqual(new Set([id]));
    expect(reads).toEqual([id]);
  });
  test("that is unavailable is not unknown, and is not fetched again for half a minute", async () => {
    const id = anAddress();
    answer = away;
    const find = aFinder();
    await expect(find(id)).rejects.toMatchObject(unavailable);
    nowMs += 29_999;
    await expect(find(id)).rejects.toMatchObject(unavailable);
    expect(reads).toEqual([id]);
    answer = good;
    nowMs += 1;
    expect(await find(id)).toMatchObject({ id });
  });
  test("whose server is down stays known for a day", async () => {
    const id = anAddress();
    const find = aFinder();
    const before = await find(id);
    answer = away;
    await age(id, "24 hours");
    expect(await find(id)).toEqual(before);
    expect(await find(id)).toEqual(before);
    expect(reads).toEqual([id, id]);
    await age(id, "6 minutes");
    await expect(find(id)).rejects.toMatchObject(unavailable);
  });
  test.each([
    ["attack 118: names another client", { client_id: "https://client.example/other" }],
    ["attack 119: holds a secret", { client_secret: "x" }],
  ])("whose document %s is rejected and not stored", async (_what, more) => {
    const id = anAddress();
    answer = (address) => documentOf(address, more);
    await expect(aFinder()(id)).rejects.toMatchObject(unavailable);
    expect(await store.findDocument(id)).toBeUndefined();
  });
  test("attack 120: that drops a redirect URI is no longer redirected there, and is still known", async () => {
    const id = anAddress();
    const [old, kept] = ["https://old.example/cb", "https://kept.example/cb"];
    answer = (address) => documentOf(address, { redirect_uris: [old, kept] });
    const find = aFinder();
    const allows = async (uri: string) =>
      (await find(id))?.redirectUris.some((registered) => isSameRedirect(uri, registered));
    expect(await allows(old)).toBe(true);
    answer = (address) => documentOf(address, { redirect_uris: [kept] });
    await age(id, "6 minutes");
    expect(await allows(old)).toBe(false);
    expect(await allows(kept)).toBe(true);
  });
  test("is not queued: beyond a few concurrent fetches, callers are told to retry", async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    answer = async (address) => {
      await promise;
      return documentOf(address);
    };
    const find = aFinder();
    let told = 0;
    const asked = Array.from({ length: 40 }, () => find(anAddress()));
    for (const one of asked) one.catch(() => (told += 1));
    const settled = Promise.allSettled(asked);
    await vi.waitUntil(() => told === 24, { timeout: 20_000 });
    resolve(undefined);
    expect((await settled).filter(({ status }) => status === "fulfilled")).toHaveLength(16);
    expect(reads).toHaveLength(16);
  });
  test("a failure of the database is not reported as a failure of the document", async () => {
    const find = makeFindClient({
      store: { ...store, keepDocument: () => Promise.reject(new Error("the database is down")) },
      readDocument,
      clock,
      log,
    });
    await expect(find(anAddress())).rejects.toThrow("the database is down");
  });
});
