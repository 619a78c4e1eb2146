import { createPublicKey, randomBytes, sign, verify } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
import { connectDatabase, type Database } from "../platform/db/connect.ts";
import { makeLocalKek, makeSecretStore } from "../platform/secrets/index.ts";
import { makeCallbackKey } from "../transactions/execute/cosign/index.ts";
import { showCosignerKey } from "./cosigner-key.ts";

let made: TestDatabase;
let database: Database;
beforeAll(async () => {
  made = await makeTestDatabase();
  database = connectDatabase({ url: made.url, poolSize: 4, log: makeLog({ app: "test", level: "silent" }) });
});
afterAll(async () => {
  await database.close();
  await made.drop();
});

const kek = makeLocalKek(randomBytes(32));
const secrets = () => makeSecretStore({ db: database.db, keks: [kek] });
const show = async (action?: string) => {
  const lines: string[] = [];
  const known = await showCosignerKey(secrets(), action, (line) => lines.push(line));
  return { known, text: lines.join("\n") };
};

test("concurrent first requests create one key, which stays the same", async () => {
  const shown = await Promise.all(Array.from({ length: 4 }, () => show()));
  expect(new Set([...shown, await show()].map(({ text }) => text)).size).toBe(1);
  expect((await secrets().list()).map(({ purpose }) => purpose)).toEqual(["cosigner-callback"]);
});

test("prints only the public key, in the size that co-signers accept", async () => {
  const { known, text } = await show();
  expect(known).toBe(true);
  expect(text).toMatch(/^-----BEGIN PUBLIC KEY-----\n[A-Za-z0-9+/=\n]+\n-----END PUBLIC KEY-----$/);
  expect(createPublicKey(text)).toMatchObject({
    asymmetricKeyType: "rsa",
    asymmetricKeyDetails: { modulusLength: 2048 },
  });
});

test("prints the public key that verifies signed answers", async () => {
  const { privateKey } = await makeCallbackKey(secrets())();
  const signature = sign("sha256", Buffer.from("an answer"), privateKey);
  expect(verify("sha256", Buffer.from("an answer"), (await show()).text, signature)).toBe(true);
});

test("rejects an unknown command", async () => {
  expect(await show("rotate")).toEqual({ known: false, text: "" });
});
