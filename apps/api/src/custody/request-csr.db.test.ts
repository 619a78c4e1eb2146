import { generateKeyPairSync, randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "@countersign/platform/ids";
import { makeLog } from "@countersign/platform/log";
import { makeTestDatabase, waitUntil, type TestDatabase } from "@countersign/tools/testing";
import { makeAccountStore, type Account } from "../accounts/index.ts";
import { connectDatabase, type Database } from "../platform/db/connect.ts";
import { makeLocalKek, makeSecretStore } from "../platform/secrets/index.ts";
import type { KeyPair } from "./make-csr.ts";
import { makeRequestCsr } from "./request-csr.ts";
import { makeCustodyStore } from "./store.ts";
import { aSubject } from "../../test/custody.ts";

let made: TestDatabase;
let database: Database;
beforeAll(async () => {
  made = await makeTestDatabase();
  const log = makeLog({ app: "test", level: "silent" });
  database = connectDatabase({ url: made.url, poolSize: 2, log });
});
afterAll(async () => {
  await database.close();
  await made.drop();
});

/** Keys that resolve on demand, so that a request can be overtaken while it waits. */
function makeKeysToOrder() {
  const keys: KeyPair = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const orders: PromiseWithResolvers<KeyPair>[] = [];
  return {
    makeKey: () => {
      const order = Promise.withResolvers<KeyPair>();
      orders.push(order);
      return order.promise;
    },
    hasOrders: (count: number) => waitUntil("the keys are asked for", () => orders.length >= count),
    deliver: (index: number) => orders[index]?.resolve(keys),
  };
}

test("replaces only the integration that existed at the request, however long the key takes", async () => {
  const { db } = database;
  const account: Account = `0x${randomBytes(20).toString("hex")}`;
  await makeAccountStore(db).ensure(account, newId());
  const store = makeCustodyStore(db);
  const secrets = makeSecretStore({ db, keks: [makeLocalKek(randomBytes(32))] });
  const { makeKey, hasOrders, deliver } = makeKeysToOrder();
  const requestCsr = makeRequestCsr({ store, secrets, makeKey });
  const ask = () => requestCsr({ account, type: "agent", subject: aSubject, recreate: true });

  const first = ask();
  await hasOrders(1);
  deliver(0);
  const { id: former } = await first;

  const [slow, fast] = [ask(), ask()];
  await hasOrders(3);
  deliver(2);
  const { id: current } = await Promise.race([slow, fast]);
  deliver(1);
  const outcomes = await Promise.allSettled([slow, fast]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({ reason: { status: 409 } });

  expect((await store.find({ account, type: "agent" }))?.id).toBe(current);
  expect(await store.findById(former)).toMatchObject({ isCurrent: false });
  const kept = (await secrets.list()).map(({ retiredAt }) => retiredAt === null);
  expect(kept).toEqual([true, true, false]);
});
