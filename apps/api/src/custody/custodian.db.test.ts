// Integrations with a custodian, with a test double in the custodian's place.
import { generateKeyPairSync } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "@countersign/platform/clock";
import { newId } from "@countersign/platform/ids";
import { makeLog } from "@countersign/platform/log";
import {
  startCustodianStandIn,
  type CustodianStandIn,
} from "../../../../tools/stand-ins/custodian/stand-in.ts";
import type { Account } from "../accounts/index.ts";
import { makeCustody } from "../composition/custody.ts";
import { aGrant, aPublicClient } from "../../test/oauth.ts";
import { connectDatabase, type Database } from "../platform/db/connect.ts";
import { bearer, signIn, type SignedIn } from "../../test/sign-in.ts";
import { exceedLimit } from "../../test/test-api.ts";
import type { CustodySenders } from "./index.ts";
import { isCompleted, type Completed } from "./integration.ts";
import { makeCustodyStore } from "./store.ts";
import {
  aWatchedApi,
  idOf,
  requestCsr,
  type AnsweredIntegration,
  type WatchedApi,
} from "../../test/custody.ts";

let custodian: CustodianStandIn;
let api: WatchedApi;
let database: Database;
let senders: CustodySenders;
/** Every credential that the service was given. */
const apiKeys: string[] = [];
beforeAll(async () => {
  custodian = await startCustodianStandIn({});
  api = await aWatchedApi({ CUSTODIAN_URL: custodian.url, SENDER_TIMEOUT_MS: "5000" });
  const log = makeLog({ app: "test", level: "silent" });
  database = connectDatabase({ url: api.databaseUrl, poolSize: 2, log });
  const { config, secrets } = api;
  senders = makeCustody({ config, secrets, log, db: database.db, clock: systemClock }).offered;
});
beforeEach(() => {
  custodian.behave("good");
});
afterAll(async () => {
  await database.close();
  await api.close();
  await custodian.close();
});

const publicKey = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({
  format: "pem",
  type: "spki",
});
const credentials = (more: object = {}) => ({
  apiKey: "4d1b9e3c-what-the-custodian-gave",
  vaultAccountId: "0",
  environment: "sandbox",
  region: "US",
  ...more,
});
const complete = (who: SignedIn, payload: object, type = "execution") =>
  api.http.send({ method: "POST", url: `/custody/complete/${type}`, payload, headers: bearer(who) });
const validate = (who: SignedIn, type = "execution") =>
  api.http.send({ method: "POST", url: `/custody/validate/${type}`, headers: bearer(who) });
const read = async (who: SignedIn): Promise<AnsweredIntegration> =>
  (await api.http.send({ url: "/custody/integration/execution", headers: bearer(who) })).json();
const accountOf = ({ user }: SignedIn): Account => user.ethereumAddress.toLowerCase() as Account;
const currentCredentials = async (): Promise<readonly string[]> =>
  (await api.secrets.listCurrent("custody-credential")).map(({ value }) => value.toString());

async function query(text: string, values: readonly unknown[] = []) {
  const client = new pg.Client(api.databaseUrl);
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(text, [...values]);
  await client.end();
  return rows;
}

type Customer = {
  readonly who: SignedIn;
  readonly csr: string;
  readonly id: string;
  readonly given: ReturnType<typeof credentials>;
  readonly address: Account;
};

/** A customer with the custodian's answer to the CSR, not completed here yet. */
async function aCustomer(vault?: { vaultAccountId: string; address: string }): Promise<Customer> {
  const who = await signIn(api);
  const integration = (await requestCsr(api, who)).json<AnsweredIntegration>();
  const { csr } = integration;
  const { vaultAccountId, address } = vault ?? (await custodian.makeVault());
  const apiKey = custodian.admit({ csr, vaults: [vaultAccountId] });
  apiKeys.push(apiKey);
  const given = credentials({ apiKey, vaultAccountId });
  return { who, csr, id: idOf(integration), given, address: address.toLowerCase() as Account };
}

async function anActiveCustomer(): Promise<Customer> {
  const customer = await aCustomer();
  await complete(customer.who, customer.given);
  return customer;
}

async function expectOwnerOnly(who: SignedIn, url: string, payload: object) {
  const key = await api.http.send({
    method: "POST",
    url: "/user-api-keys",
    payload: { name: "a" },
    headers: bearer(who),
  });
  const grant = await aGrant(api, await aPublicClient(api), { who });
  for (const headers of [
    undefined,
    { authorization: `Bearer ${grant.access_token}` },
    { "x-api-key": key.json<{ secret: string }>().secret },
    { "x-api-key": await api.issueServerKey("admin") },
  ])
    expect(
      (await api.http.send({ method: "POST", url, payload, ...(headers && { headers }) })).statusCode,
    ).toBe(401);
}

describe("POST /custody/complete/{type}", () => {
  test("200: it is active, and the vault's wallet belongs to the account", async () => {
    const { who, csr, given, address, id } = await aCustomer();
    const answer = await complete(who, { ...given, cosignerPublicKey: publicKey });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      ...{ type: "execution", status: "active", csr, createdAt: expect.any(String) as string },
      ...{ vaultAccountId: given.vaultAccountId, environment: "sandbox", region: "US" },
      wallet: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) as string,
      cosigner: { callbackPath: `/custody/cosigner/${id}`, hasKey: true },
    });
    const { wallet } = answer.json<AnsweredIntegration>();
    expect(wallet?.toLowerCase()).toBe(address);
    expect(wallet).not.toBe(address);
    expect(await read(who)).toEqual(answer.json());
    expect(await query("select account, kept_by from wallets where address = $1", [address])).toEqual([
      { account: accountOf(who), kept_by: "custodian" },
    ]);
  }, 60_000);
  test("200: is stored while the custodian is unavailable, without a wallet until it is asked again", async () => {
    const { who, given, address } = await aCustomer();
    custodian.behave("down");
    const answer = await complete(who, given);
    expect(answer.json()).toMatchObject({ status: "active", vaultAccountId: given.vaultAccountId });
    expect(answer.json()).not.toHaveProperty("wallet");
    custodian.behave("good");
    expect((await validate(who)).json()).toEqual({ valid: true, reason: null });
    expect((await read(who)).wallet?.toLowerCase()).toBe(address);
  }, 60_000);
  test("200: repeating it stores the new credential and clears the wallet until it is looked up again", async () => {
    const { who, csr, given } = await anActiveCustomer();
    const other = await custodian.makeVault();
    const apiKey = custodian.admit({ csr, vaults: [other.vaultAccountId] });
    apiKeys.push(apiKey);
    custodian.behave("down");
    const again = credentials({ apiKey, vaultAccountId: other.vaultAccountId, region: "EU2" });
    const answer = await complete(who, again);
    expect(answer.json()).toMatchObject({ status: "active", region: "EU2" });
    expect(answer.json()).not.toHaveProperty("wallet");
    custodian.behave("good");
    expect((await complete(who, again)).json()).toMatchObject({ wallet: other.address });
    expect(await currentCredentials()).not.toContain(given.apiKey);
    expect((await currentCredentials()).filter((current) => current === apiKey)).toHaveLength(1);
  }, 60_000);
  test("200: of concurrent requests one credential stays, and the others are retired", async () => {
    const { who, id } = await aCustomer();
    const asked = [1, 2, 3, 4].map((n) => `race-${id}-${n}`);
    apiKeys.push(...asked);
    const answers = await Promise.all(asked.map((apiKey) => complete(who, credentials({ apiKey }))));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    const left = (await currentCredentials()).filter((current) => asked.includes(current));
    expect(left).toHaveLength(1);
    const [row] = await query("select credential_secret_id as name from custody_integrations where id = $1", [
      id,
    ]);
    expect((await api.secrets.read(row?.["name"] as string)).value.toString()).toBe(left[0]);
  }, 60_000);
  test("200: the co-signer's key stays until another one or null is sent", async () => {
    const { who, given } = await aCustomer();
    const hasKey = async (more: object) =>
      (await complete(who, { ...given, ...more })).json<AnsweredIntegration>().cosigner.hasKey;
    expect(await hasKey({})).toBe(false);
    expect(await hasKey({ cosignerPublicKey: publicKey })).toBe(true);
    expect(await hasKey({})).toBe(true);
    expect(await hasKey({ cosignerPublicKey: null })).toBe(false);
  }, 60_000);
  test("200: another account's wallet stays with that account", async () => {
    const first = await anActiveCustomer();
    const second = await aCustomer({ ...first.given, address: first.address });
    expect((await complete(second.who, second.given)).json()).not.toHaveProperty("wallet");
    expect((await validate(second.who)).json()).toEqual({
      valid: false,
      reason: "The vault's wallet belongs to another account",
    });
    expect(await read(second.who)).not.toHaveProperty("wallet");
    expect(
      await senders.findIntegration({
        account: accountOf(second.who),
        wallet: first.address,
        type: "execution",
      }),
    ).toBeUndefined();
    expect((await read(first.who)).wallet?.toLowerCase()).toBe(first.address);
  }, 60_000);
  test.each([
    { apiKey: undefined },
    { apiKey: "" },
    { apiKey: "a b" },
    { apiKey: "a\r\nx: y" },
    { apiKey: "ü" },
    { apiKey: "a".repeat(1025) },
    { vaultAccountId: undefined },
    { vaultAccountId: "" },
    { vaultAccountId: "../1" },
    { vaultAccountId: "0/1" },
    { vaultAccountId: ".." },
    { environment: "production" },
    { environment: undefined },
    { region: "us" },
    { region: "https://evil.example" },
    { cosignerPublicKey: "no key" },
  ])("400: rejects %j", async (more) => {
    expect((await complete(await signIn(api), credentials(more))).statusCode).toBe(400);
  });
  test("401: for any credential but the owner's session", async () => {
    await expectOwnerOnly(await signIn(api), "/custody/complete/execution", credentials());
  });
  test("404: nothing to complete, also where another account has an integration; nothing is stored", async () => {
    const apiKey = "never-to-be-kept";
    apiKeys.push(apiKey);
    expect((await complete(await signIn(api), credentials({ apiKey }))).statusCode).toBe(404);
    expect(await currentCredentials()).not.toContain(apiKey);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "POST", url: "/custody/complete/agent" })).toBe(429);
  });
});

describe("POST /custody/validate/{type}", () => {
  test("200: valid, after a harmless request", async () => {
    const { who } = await anActiveCustomer();
    const before = custodian.requests().length;
    expect((await validate(who)).json()).toEqual({ valid: true, reason: null });
    const asked = custodian.requests().slice(before);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.every(({ method }) => method === "GET")).toBe(true);
  }, 60_000);
  test("200: reports what is missing", async () => {
    const who = await signIn(api);
    expect((await validate(who)).json()).toEqual({
      valid: false,
      reason: "No custody integration of this type",
    });
    await requestCsr(api, who);
    expect((await validate(who)).json()).toEqual({
      valid: false,
      reason: "The integration is not complete",
    });
  }, 60_000);
  test("200: reports the custodian's answer in our own wording", async () => {
    const { who, given } = await anActiveCustomer();
    const reasonNow = async () => (await validate(who)).json<{ valid: boolean; reason: string }>();
    custodian.behave("refuses");
    expect(await reasonNow()).toEqual({ valid: false, reason: "The custodian refused the credential" });
    custodian.behave("down");
    expect(await reasonNow()).toEqual({ valid: false, reason: "The custodian cannot be reached" });
    custodian.behave("good");
    await complete(who, { ...given, apiKey: "0b5e6d8a-nobody-was-given-this" });
    apiKeys.push("0b5e6d8a-nobody-was-given-this");
    expect(await reasonNow()).toEqual({ valid: false, reason: "The custodian refused the credential" });
    await complete(who, { ...given, vaultAccountId: "999" });
    expect(await reasonNow()).toEqual({ valid: false, reason: "The custodian has no such vault" });
  }, 60_000);
  test("200: another account's own address is not accepted as the vault's wallet", async () => {
    const { who, given, address } = await aCustomer();
    const payload = { ethereumAddress: address };
    const { statusCode } = await api.http.send({
      ...{ method: "POST", url: "/users", payload },
      headers: { "x-api-key": await api.issueServerKey("admin") },
    });
    expect(statusCode).toBe(201);
    await complete(who, given);
    expect((await validate(who)).json()).toEqual({
      valid: false,
      reason: "The vault's wallet belongs to another account",
    });
  }, 60_000);
  test("400: unknown type", async () => {
    expect((await validate(await signIn(api), "all")).statusCode).toBe(400);
  });
  test("401: for any credential but the owner's session", async () => {
    await expectOwnerOnly(await signIn(api), "/custody/validate/execution", {});
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "POST", url: "/custody/validate/agent" })).toBe(429);
  });
});

describe("senders", () => {
  const hash = `0x${"ab".repeat(32)}` as const;

  test("are found by account, wallet and type together", async () => {
    const { who, id, address } = await anActiveCustomer();
    const account = accountOf(who);
    const where = { account, wallet: address, type: "execution" } as const;
    expect(await senders.findIntegration(where)).toEqual({ id });
    const checksummed = (await read(who)).wallet as Account;
    expect(await senders.findIntegration({ ...where, wallet: checksummed })).toEqual({ id });
    const stranger = accountOf(await signIn(api));
    for (const wrong of [{ account: stranger }, { wallet: account }, { type: "agent" as const }])
      expect(await senders.findIntegration({ ...where, ...wrong })).toBeUndefined();
  }, 60_000);

  test("ask the custodian with the account's own key", async () => {
    const { id, given } = await anActiveCustomer();
    const sender = await senders.openSender(id, "send");
    expect(await sender?.find(hash)).toBeUndefined();
    const last = custodian.requests().at(-1);
    expect(last?.claims).toMatchObject({ sub: given.apiKey });
    expect(last?.status).toBe(404);
  }, 60_000);

  test("can be used for status queries after being replaced, but never for sending", async () => {
    const { who, id, given, address } = await anActiveCustomer();
    const next = (await requestCsr(api, who, { recreate: true })).json<AnsweredIntegration>();
    expect(await read(who)).toEqual(next);
    expect(next.status).toBe("pending");
    expect(await senders.openSender(id, "send")).toBeUndefined();
    expect(await senders.findForCosigner(id)).toBeUndefined();
    const where = { account: accountOf(who), wallet: address, type: "execution" } as const;
    expect(await senders.findIntegration(where)).toBeUndefined();
    const asking = await senders.openSender(id, "ask");
    expect(await asking?.find(hash)).toBeUndefined();
    expect(custodian.requests().at(-1)?.claims).toMatchObject({ sub: given.apiKey });
    // The new one cannot send yet.
    for (const purpose of ["send", "ask"] as const)
      expect(await senders.openSender(idOf(next), purpose)).toBeUndefined();
  }, 60_000);

  test("describe a current integration to the co-signer's endpoint", async () => {
    const { who, id, given, address } = await aCustomer();
    expect(await senders.findForCosigner(id)).toBeUndefined();
    await complete(who, { ...given, cosignerPublicKey: publicKey });
    expect(await senders.findForCosigner(id)).toEqual({
      ...{ id, account: accountOf(who), wallet: address },
      ...{ vaultAccountId: given.vaultAccountId, cosignerPublicKey: publicKey },
    });
  }, 60_000);

  test.each([newId(), "no id", "'; drop table users", ""])("do not know the id %j", async (id) => {
    expect(await senders.openSender(id, "send")).toBeUndefined();
    expect(await senders.openSender(id, "ask")).toBeUndefined();
    expect(await senders.findForCosigner(id)).toBeUndefined();
  });

  test("do not register a wallet if the integration changed while the custodian was asked", async () => {
    const { who, given, address } = await anActiveCustomer();
    const store = makeCustodyStore(database.db);
    const asked = await store.find({ account: accountOf(who), type: "execution" });
    if (asked === undefined || !isCompleted(asked)) throw new Error("it is not completed");
    const stale: Completed = asked;
    custodian.behave("down");
    await complete(who, { ...given, vaultAccountId: "7" });
    expect(await store.noteWallet(stale, address)).toBe(false);
    expect(await read(who)).not.toHaveProperty("wallet");
    await requestCsr(api, who, { recreate: true });
    expect(await store.noteWallet(stale, address)).toBe(false);
  }, 60_000);
});

describe("the owner's configuration", () => {
  test("contains the vault and the wallet, and no secret", async () => {
    const { who, given, address } = await anActiveCustomer();
    const answer = await api.http.send({
      url: `/custody/config/execution/${who.user.ethereumAddress}`,
      headers: { "x-api-key": await api.issueServerKey("orion") },
    });
    const { wallet, ...rest } = answer.json<{ wallet: string }>();
    expect(wallet.toLowerCase()).toBe(address);
    expect(rest).toEqual({
      ...{ type: "execution", status: "active", ethereumAddress: who.user.ethereumAddress },
      ...{ vaultAccountId: given.vaultAccountId, environment: "sandbox", region: "US" },
    });
  }, 60_000);
});

test("neither keys nor credentials appear in any answer, log line or table", async () => {
  // Some custodians echo their input, and so does this double.
  const rows = JSON.stringify(await query("select * from custody_integrations"));
  for (const text of [api.said(), rows]) {
    expect(text).not.toContain("PRIVATE KEY");
    for (const apiKey of apiKeys) expect(text).not.toContain(apiKey);
  }
  expect(apiKeys.length).toBeGreaterThan(10);
});
