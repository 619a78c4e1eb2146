import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "@countersign/platform/ids";
import { makeLog } from "@countersign/platform/log";
import { makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
import { connectDatabase, type Database } from "../db/connect.ts";
import { makeOwnTransactionStore, type Claim, type OwnTransactionStore } from "./store.ts";

type Hex = `0x${string}`;

let testDatabase: TestDatabase;
let database: Database;
let store: OwnTransactionStore;
beforeAll(async () => {
  testDatabase = await makeTestDatabase();
  const log = makeLog({ app: "test", level: "silent" });
  database = connectDatabase({ url: testDatabase.url, poolSize: 8, log });
  store = makeOwnTransactionStore(database.db);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const hex = (bytes: number): Hex => `0x${randomBytes(bytes).toString("hex")}`;
const wanted: Claim = async () => "0xaccount";
const unwanted: Claim = async () => undefined;

function signing(subject: string, signer: Hex, more: { transactionCount?: number; chainId?: number } = {}) {
  const nonces: number[] = [];
  const sign = async (nonce: number) => {
    nonces.push(nonce);
    return { bytes: hex(100), hash: hex(32) };
  };
  const common = { purpose: "test", chainId: 1, transactionCount: 7 };
  return { ...common, nonces, subject, signer, sign, ...more };
}

const signOnce = async (...of: Parameters<typeof signing>): Promise<Hex> => {
  const hash = await store.signOnce(signing(...of), wanted);
  if (hash === undefined) throw new Error("nothing was signed");
  return hash;
};
const nonceOf = async (hash: Hex) => (await store.read(hash))?.nonce;
const countOf = async (subject: string): Promise<number> =>
  (await sql`select 1 from own_transactions where subject = ${subject}`.execute(database.db)).rows.length;

test("concurrent signing uses every nonce from the chain's count on, each once", async () => {
  const signer = hex(20);
  const hashes = await Promise.all(Array.from({ length: 8 }, () => signOnce(newId(), signer)));
  const nonces = await Promise.all(hashes.map(nonceOf));
  expect(nonces.sort()).toEqual([10, 11, 12, 13, 14, 7, 8, 9]);
});

test("signs once per row; of two concurrent calls that lock nothing, one finds the other's transaction or fails as a whole", async () => {
  const [subject, signer] = [newId(), hex(20)];
  const both = await Promise.allSettled([signOnce(subject, signer), signOnce(subject, signer)]);
  const hashes = both.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  expect(new Set(hashes).size).toBe(1);
  expect(await signOnce(subject, signer)).toBe(hashes[0]);
  expect(await countOf(subject)).toBe(1);
  // The failed one released its nonce.
  expect(await nonceOf(await signOnce(newId(), signer))).toBe(8);
});

test("neither a failed signature nor a row that needs none uses up a nonce", async () => {
  const [subject, signer] = [newId(), hex(20)];
  const failing = { ...signing(subject, signer), sign: () => Promise.reject(new Error("no key")) };
  await expect(store.signOnce(failing, wanted)).rejects.toThrow("no key");
  expect(await store.signOnce(signing(subject, signer), unwanted)).toBeUndefined();
  expect(await nonceOf(await signOnce(subject, signer))).toBe(7);
});

test("the claim's writes and the signed bytes are stored together or not at all", async () => {
  const claim: Claim = async (tx) => {
    await sql`insert into signer_nonces values (99, '0x' || repeat('ab', 20), 1)`.execute(tx);
    return "0xaccount";
  };
  const failing = { ...signing(newId(), hex(20)), sign: () => Promise.reject(new Error("no key")) };
  await expect(store.signOnce(failing, claim)).rejects.toThrow("no key");
  const written = async () =>
    (await sql`select 1 from signer_nonces where chain_id = 99`.execute(database.db)).rows.length;
  expect(await written()).toBe(0);
  await store.signOnce(signing(newId(), hex(20)), claim);
  expect(await written()).toBe(1);
});

test("a row that no longer needs a transaction keeps the one it has", async () => {
  const [subject, signer] = [newId(), hex(20)];
  const hash = await signOnce(subject, signer);
  expect(await store.signOnce(signing(subject, signer), unwanted)).toBe(hash);
});

test("a displaced transaction is followed by exactly one other, with a nonce beyond the chain's count", async () => {
  const [subject, signer] = [newId(), hex(20)];
  const displaced = await signOnce(subject, signer);
  await store.settle(displaced, "displaced");
  const next = await signOnce(subject, signer, { transactionCount: 30 });
  expect(await nonceOf(next)).toBe(30);
  // Settling it again later changes nothing.
  await store.settle(displaced, "displaced");
  expect(await signOnce(subject, signer, { transactionCount: 30 })).toBe(next);
});

test("a displaced transaction is not replaced if its row no longer needs one", async () => {
  const [subject, signer] = [newId(), hex(20)];
  await store.settle(await signOnce(subject, signer), "displaced");
  expect(await store.signOnce(signing(subject, signer), unwanted)).toBeUndefined();
});

test("a mined transaction stays the row's one; a reverted one makes room and never changes again", async () => {
  const [subject, signer] = [newId(), hex(20)];
  const first = await signOnce(subject, signer);
  await store.settle(first, "mined");
  expect(await signOnce(subject, signer)).toBe(first);
  await store.settle(first, "reverted");
  await store.settle(first, "mined");
  expect(await store.read(first)).toMatchObject({ state: "reverted" });
  expect(await store.findLive({ purpose: "test", subject })).toBeUndefined();
  expect(await signOnce(subject, signer)).not.toBe(first);
});

test("lists the signer's transactions from a nonce up to a given one, in order, of that chain and without settled ones", async () => {
  const signer = hex(20);
  const hashes: Hex[] = [];
  for (let count = 0; count < 5; count++) hashes.push(await signOnce(newId(), signer));
  await signOnce(newId(), signer, { chainId: 5_000_000_000 });
  const kept = await Promise.all(hashes.map((hash) => store.read(hash)));
  const [, second, third, fourth] = kept;
  if (second === undefined || third === undefined || fourth === undefined) throw new Error("not kept");
  await store.settle(third.hash, "reverted");
  expect(await store.listUpTo(fourth, second.nonce, 10)).toEqual([second.bytes, fourth.bytes]);
  expect(await store.listUpTo(fourth, second.nonce, 1)).toEqual([second.bytes]);
});

test("distinguishes chains with ids beyond 32 bits", async () => {
  const signer = hex(20);
  const hash = await signOnce(newId(), signer, { chainId: 5_000_000_000 });
  expect(await store.read(hash)).toMatchObject({ chainId: 5_000_000_000, nonce: 7 });
  expect(await nonceOf(await signOnce(newId(), signer, { chainId: 1 }))).toBe(7);
});
