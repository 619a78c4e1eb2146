// Is it as strict as the real one? A stand-in that lets everything pass proves nothing.
import { createHash, randomUUID, type KeyObject } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readPublicKey } from "./csr.ts";
import { startCustodianStandIn, type CustodianStandIn } from "./stand-in.ts";
import { aCsr, anRsaKey, aUser } from "./testing.ts";
import { signToken, type Claims } from "./tokens.ts";

let custodian: CustodianStandIn;
let user: Awaited<ReturnType<typeof aUser>>;
beforeAll(async () => {
  custodian = await startCustodianStandIn({});
  user = await aUser(custodian);
});
afterAll(() => custodian.close());
beforeEach(() => {
  custodian.behave("good");
});

type Request = {
  readonly method?: string;
  readonly path?: string;
  readonly body?: string;
  readonly claims?: Claims;
  readonly key?: KeyObject;
  readonly headers?: Record<string, string>;
};

const nowS = () => Math.floor(Date.now() / 1000);
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A valid request with the given changes. */
async function ask({ method = "GET", path = vaultPath(), body = "", claims = {}, key, headers }: Request) {
  const good = { uri: path, nonce: randomUUID(), iat: nowS(), exp: nowS() + 55, sub: user.apiKey };
  const token = signToken({ ...good, bodyHash: sha256(body), ...claims }, key ?? user.privateKey);
  const response = await fetch(`${custodian.url}${path}`, {
    method,
    headers: { "x-api-key": user.apiKey, authorization: `Bearer ${token}`, ...headers },
    ...(body === "" ? {} : { body }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
const vaultPath = () => `/v1/vault/accounts/${user.vaultAccountId}`;
const anOrder = (more = {}) => ({
  operation: "TRANSFER",
  assetId: "ETH_TEST5",
  source: { type: "VAULT_ACCOUNT", id: user.vaultAccountId },
  destination: { type: "ONE_TIME_ADDRESS", oneTimeAddress: { address: `0x${"cd".repeat(20)}` } },
  amount: "0.000000000000000001",
  externalTxId: randomUUID(),
  ...more,
});
const send = (order: object, headers: Record<string, string> = {}) =>
  ask({ method: "POST", path: "/v1/transactions", body: JSON.stringify(order), headers });

describe("a request", () => {
  test("that is signed right is answered", async () => {
    expect(await ask({})).toMatchObject({ status: 200, body: { id: user.vaultAccountId } });
  });
  test.each([
    ["with another key", () => ({ key: anRsaKey().privateKey })],
    ["by another user", () => ({ claims: { sub: randomUUID() } })],
    ["with a different API key", () => ({ headers: { "x-api-key": randomUUID() } })],
    ["for another address", () => ({ claims: { uri: "/v1/vault/accounts/99" } })],
    [
      "for this address without its query",
      () => ({ path: `${vaultPath()}?a=1`, claims: { uri: vaultPath() } }),
    ],
    [
      "for another body",
      () => ({ method: "POST", path: "/v1/transactions", body: "{}", claims: { bodyHash: sha256("") } }),
    ],
    ["long ago", () => ({ claims: { iat: nowS() - 100, exp: nowS() - 45 } })],
    ["in the future", () => ({ claims: { iat: nowS() + 100, exp: nowS() + 155 } })],
    ["for too long", () => ({ claims: { exp: nowS() + 3600 } })],
    ["without a time", () => ({ claims: { exp: undefined } })],
    ["without a nonce", () => ({ claims: { nonce: "" } })],
    ["not at all", () => ({ headers: { authorization: "Bearer a.b.c" } })],
    ["without a signature", () => ({ headers: { authorization: "" } })],
  ] satisfies [string, () => Request][])("that is signed %s is 401", async (_how, request) => {
    expect((await ask(request())).status).toBe(401);
  });
  test("that comes a second time is 401", async () => {
    const claims = { nonce: randomUUID() };
    expect((await ask({ claims })).status).toBe(200);
    expect(await ask({ claims })).toMatchObject({
      status: 401,
      body: { message: "the token was used before" },
    });
  });
  test("for what there is not is 404", async () => {
    for (const path of [
      "/v2/x",
      "/v1/users",
      "/v1/vault/accounts/99",
      `${vaultPath()}/BTC/addresses_paginated`,
    ])
      expect((await ask({ path })).status).toBe(404);
    expect((await ask({ path: "/v1/transactions/x/cancel", method: "POST" })).status).toBe(404);
  });
});

describe("an order", () => {
  test("with the same key and body is answered the same, and taken once", async () => {
    const [order, headers] = [anOrder(), { "idempotency-key": randomUUID() }];
    const first = await send(order, headers);
    expect(first).toMatchObject({ status: 200, body: { status: "SUBMITTED" } });
    expect(await send(order, headers)).toEqual(first);
    expect(
      custodian.accepted().filter(({ externalTxId }) => externalTxId === order.externalTxId),
    ).toHaveLength(1);
  });
  test("with the same key and another body is refused", async () => {
    const headers = { "idempotency-key": randomUUID() };
    await send(anOrder(), headers);
    expect((await send(anOrder(), headers)).status).toBe(400);
  });
  test("with the same external id is refused with its code", async () => {
    const order = anOrder();
    await send(order);
    expect(await send(order)).toMatchObject({ status: 400, body: { code: 1438 } });
  });
  test("of nonsense, of another coin or of another's vault is refused", async () => {
    const statuses = [
      { amount: "1e3" },
      { amount: 1 },
      { operation: "CONTRACT_CALL" },
      { extraParameters: { contractCallData: "0x00" } },
      { assetId: "BTC" },
      { source: { type: "VAULT_ACCOUNT", id: "99" } },
    ].map(async (more) => (await send(anOrder(more))).status);
    expect(await Promise.all(statuses)).toEqual([400, 400, 400, 400, 400, 404]);
  });
  test("is not seen by another user", async () => {
    const { body } = await send(anOrder());
    const id = String(body["id"]);
    expect((await ask({ path: `/v1/transactions/${id}` })).status).toBe(200);
    const other = await aUser(custodian);
    const path = `/v1/transactions/${id}`;
    const asOther = {
      claims: { sub: other.apiKey },
      key: other.privateKey,
      headers: { "x-api-key": other.apiKey },
    };
    expect((await ask({ path, ...asOther })).status).toBe(404);
  });
});

describe("a certificate signing request", () => {
  test.each(["sha256", "sha512"])("by %s gives its key", (hash) => {
    const { privateKey, publicKey } = anRsaKey();
    expect(readPublicKey(aCsr(privateKey, hash)).equals(publicKey)).toBe(true);
  });
  test("that was changed, truncated or is malformed is rejected", () => {
    const lines = aCsr(user.privateKey).trim().split("\n");
    const bytes = Buffer.from(lines.slice(1, -1).join(""), "base64");
    const pem = (der: Buffer): string =>
      [
        "-----BEGIN CERTIFICATE REQUEST-----",
        der.toString("base64"),
        "-----END CERTIFICATE REQUEST-----",
      ].join("\n");
    expect(() => readPublicKey(pem(bytes))).not.toThrow();
    const changed = Buffer.from(bytes);
    // A letter of the name.
    changed.writeUInt8(changed.readUInt8(20) ^ 1, 20);
    expect(() => readPublicKey(pem(changed))).toThrow();
    expect(() => readPublicKey(pem(bytes.subarray(0, -10)))).toThrow("cut short");
    expect(() => readPublicKey("hello")).toThrow("no certificate signing request");
  });
});

describe("its own endpoints", () => {
  const control = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${custodian.url}/stand-in/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  test("creates a vault and admits a user", async () => {
    const made = await control("POST", "vaults");
    expect(made.body["address"]).toMatch(/^0x[0-9a-fA-F]{40}$/);
    const { privateKey: key } = anRsaKey();
    const admitted = await control("POST", "users", {
      csr: aCsr(key),
      vaultAccountId: made.body["vaultAccountId"],
    });
    const apiKey = String(admitted.body["apiKey"]);
    const path = `/v1/vault/accounts/${String(made.body["vaultAccountId"])}`;
    expect((await ask({ path, key, claims: { sub: apiKey }, headers: { "x-api-key": apiKey } })).status).toBe(
      200,
    );
  });
  test("misbehaves the given number of times", async () => {
    await control("POST", "behave", { how: "refuses", times: 2 });
    const statuses = [(await ask({})).status, (await ask({})).status, (await ask({})).status];
    expect(statuses).toEqual([401, 401, 200]);
  });
  test("tell what was taken, with amounts as text", async () => {
    const order = anOrder();
    await send(order);
    const { body } = await control("GET", "transactions");
    expect(body).toContainEqual(expect.objectContaining({ externalTxId: order.externalTxId, value: "1" }));
  });
  test("refuse what they do not understand", async () => {
    expect((await control("POST", "behave", { how: "well" })).status).toBe(400);
    expect((await control("POST", "users", { csr: "none", vaultAccountId: "0" })).status).toBe(400);
    expect((await control("GET", "vaults")).status).toBe(404);
  });
});
