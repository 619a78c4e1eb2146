import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "@countersign/platform/ids";
import { makeLog } from "@countersign/platform/log";
import { makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
import { makeAccountStore, type Account } from "../accounts/index.ts";
import { connectDatabase, type Database } from "../platform/db/connect.ts";
import { makeFlowStore } from "../platform/flows/index.ts";
import type { Hex, PgpKey } from "./pgp-key.ts";
import { makePgpKeyStore, type PgpKeyStore } from "./store.ts";

let testDatabase: TestDatabase;
let database: Database;
let store: PgpKeyStore;
beforeAll(async () => {
  testDatabase = await makeTestDatabase();
  const log = makeLog({ app: "test", level: "silent" });
  database = connectDatabase({ url: testDatabase.url, poolSize: 8, log });
  store = makePgpKeyStore(database.db, makeFlowStore(database.db));
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const hex = (bytes: number): Hex => `0x${randomBytes(bytes).toString("hex")}`;

async function aKey(account: Account = hex(20), hasRegistry = true): Promise<PgpKey> {
  await makeAccountStore(database.db).ensure(account, newId());
  return store.register(
    {
      id: newId(),
      account,
      fingerprint: randomBytes(20).toString("hex"),
      armoured: randomBytes(8).toString("hex"),
      signature: randomBytes(65),
      signatureHash: randomBytes(32),
    },
    { hasRegistry },
  );
}

function signing(id: string, signer: Hex, more: { displaced?: Hex; transactionCount?: number } = {}) {
  const nonces: number[] = [];
  const sign = async (nonce: number) => {
    nonces.push(nonce);
    return { bytes: hex(100), hash: hex(32) };
  };
  return { nonces, id, signer, chainId: 1, transactionCount: 7, displaced: null, sign, ...more };
}

const nonceOf = async (id: string, hash: string) => (await store.readTransaction(id, hash as Hex))?.nonce;
const flowsOf = async (id: string): Promise<number> =>
  (await sql`select 1 from flows where flow = 'RegisterKey' and key = ${id}`.execute(database.db)).rows
    .length;

test("keys signed at the same time get every nonce from the chain's count on, each once", async () => {
  const signer = hex(20);
  const keys = await Promise.all(Array.from({ length: 8 }, () => aKey()));
  const hashes = await Promise.all(keys.map(({ id }) => store.signOnce(signing(id, signer))));
  const nonces = await Promise.all(keys.map(({ id }, at) => nonceOf(id, hashes[at] ?? "")));
  expect(nonces.sort()).toEqual([10, 11, 12, 13, 14, 7, 8, 9]);
});

test("a key is signed once, also when two sign beside each other", async () => {
  const { id } = await aKey();
  const signer = hex(20);
  const [one, two] = [signing(id, signer), signing(id, signer)];
  const [first, second] = await Promise.all([store.signOnce(one), store.signOnce(two)]);
  expect(first).toBe(second);
  expect([...one.nonces, ...two.nonces]).toEqual([7]);
});

test("a signer that fails uses up no nonce", async () => {
  const { id } = await aKey();
  const signer = hex(20);
  const failing = { ...signing(id, signer), sign: () => Promise.reject(new Error("no key")) };
  await expect(store.signOnce(failing)).rejects.toThrow("no key");
  expect(await nonceOf(id, await store.signOnce(signing(id, signer)))).toBe(7);
});

test("a displaced transaction is followed by another, with a nonce beyond what the chain knows, and only by one", async () => {
  const { id } = await aKey();
  const signer = hex(20);
  const displaced = (await store.signOnce(signing(id, signer))) as Hex;
  const next = await store.signOnce(signing(id, signer, { displaced, transactionCount: 30 }));
  expect(await nonceOf(id, next)).toBe(30);
  expect(await store.signOnce(signing(id, signer, { displaced, transactionCount: 30 }))).toBe(next);
});

test("a key that was replaced is not signed; one that was signed before stays", async () => {
  const old = await aKey();
  const newer = await aKey(old.account);
  expect(await store.signOnce(signing(old.id, hex(20)))).toBe("replaced");
  const hash = await store.signOnce(signing(newer.id, hex(20)));
  await aKey(old.account);
  expect(await store.signOnce(signing(newer.id, hex(20)))).toBe(hash);
});

test("what has ended stays as it is", async () => {
  const { id } = await aKey();
  const hash = await store.signOnce(signing(id, hex(20)));
  await store.settle(id, "recorded");
  await store.settle(id, "refused");
  expect(await store.read(id)).toMatchObject({ chainState: "recorded", transactionHash: hash });
});

test("work is accepted with the key; without a registry once there is one", async () => {
  expect(await flowsOf((await aKey()).id)).toBe(1);
  const { id } = await aKey(hex(20), false);
  expect(await flowsOf(id)).toBe(0);
  expect(await store.acceptUnasked(100)).toBe(1);
  expect(await store.acceptUnasked(100)).toBe(0);
  expect(await flowsOf(id)).toBe(1);
  expect(await store.read(id)).toMatchObject({ chainState: "waiting" });
});
