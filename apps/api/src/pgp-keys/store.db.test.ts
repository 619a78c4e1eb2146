import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "@countersign/platform/ids";
import { makeLog } from "@countersign/platform/log";
import { makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
import { makeAccountStore, type Account } from "../accounts/index.ts";
import { connectDatabase, type Database } from "../platform/db/connect.ts";
import { makeFlowStore } from "../platform/flows/index.ts";
import { makeOwnTransactionStore } from "../platform/own-wallet/index.ts";
import { registerKeyPurpose, type Hex, type PgpKey } from "./pgp-key.ts";
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

/** Signs for the key, as its flow does. Returns undefined if it gets no transaction. */
const sign = ({ id }: PgpKey): Promise<Hex | undefined> =>
  makeOwnTransactionStore(database.db).signOnce(
    {
      purpose: registerKeyPurpose,
      subject: id,
      signer: hex(20),
      chainId: 1,
      transactionCount: 7,
      sign: async () => ({ bytes: hex(100), hash: hex(32) }),
    },
    store.claim(id),
  );

const flowsOf = async (id: string): Promise<number> =>
  (await sql`select 1 from flows where flow = 'RegisterKey' and key = ${id}`.execute(database.db)).rows
    .length;

test("a key and its transaction are stored in one commit, and only one of two concurrent signers succeeds", async () => {
  const key = await aKey();
  const [first, second] = await Promise.all([sign(key), sign(key)]);
  expect(first).toMatch(/^0x/);
  expect(second).toBe(first);
  expect(await store.read(key.id)).toMatchObject({ chainState: "signed" });
});

test("a replaced key is not signed for; one that was already signed keeps its transaction", async () => {
  const old = await aKey();
  const newer = await aKey(old.account);
  expect(await sign(old)).toBeUndefined();
  expect(await store.read(old.id)).toMatchObject({ chainState: "waiting" });
  const hash = await sign(newer);
  await aKey(old.account);
  expect(await sign(newer)).toBe(hash);
});

test("a settled key does not change and is not signed for", async () => {
  const recorded = await aKey();
  const hash = hex(32);
  await store.settleRecorded(recorded.id, hash);
  await store.settle(recorded.id, "refused");
  expect(await store.read(recorded.id)).toMatchObject({ chainState: "recorded", transactionHash: hash });
  const refused = await aKey();
  await store.settle(refused.id, "refused");
  await store.settleRecorded(refused.id, hash);
  expect(await store.read(refused.id)).toMatchObject({ chainState: "refused", transactionHash: null });
  expect(await sign(refused)).toBeUndefined();
});

test("work is accepted together with the key; without a registry, once there is one", async () => {
  expect(await flowsOf((await aKey()).id)).toBe(1);
  const { id } = await aKey(hex(20), false);
  expect(await flowsOf(id)).toBe(0);
  expect(await store.acceptUnasked(100)).toBe(1);
  expect(await store.acceptUnasked(100)).toBe(0);
  expect(await flowsOf(id)).toBe(1);
  expect(await store.read(id)).toMatchObject({ chainState: "waiting" });
});
