import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bearer, signIn, type SignedIn } from "../../test/sign-in.ts";
import { aTestApi, exceedLimit, type TestApi } from "../../test/test-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await aTestApi();
});
afterAll(() => api.close());

type Created = { readonly apiKey: { readonly id: string; readonly name: string }; readonly secret: string };

const create = (who: SignedIn, payload: object = { name: "my agent" }) =>
  api.http.send({ method: "POST", url: "/user-api-keys", payload, headers: bearer(who) });
const list = async (who: SignedIn) =>
  (await api.http.send({ url: "/user-api-keys", headers: bearer(who) })).json<
    { id: string; active: boolean; lastUsedAt: string | null; lastUsedAddress: string | null }[]
  >();
const self = (secret: string, remoteAddress = "127.0.0.1") =>
  api.http.send({ url: "/user-api-keys/self", headers: { "x-api-key": secret }, remoteAddress });
const revoke = (who: SignedIn, id: string) =>
  api.http.send({ method: "DELETE", url: `/user-api-keys/${id}`, headers: bearer(who) });
async function inDatabase(statement: string, values: readonly unknown[]): Promise<void> {
  const client = new pg.Client(api.databaseUrl);
  await client.connect();
  await client.query(statement, [...values]).finally(() => client.end());
}
const missing = "01890000-0000-7000-8000-000000000000";

describe("POST /user-api-keys", () => {
  test("201: creates a key with the three own scopes, whose secret works", async () => {
    const who = await signIn(api);
    const answer = await create(who, { name: "my agent", expiresAt: "2999-01-01T00:00:00Z" });
    expect(answer.statusCode).toBe(201);
    const { apiKey, secret } = answer.json<Created>();
    expect(apiKey).toEqual({
      id: apiKey.id,
      name: "my agent",
      type: "user",
      scopes: ["transactions:create:own", "transactions:approve:own", "transactions:read:own"],
      active: true,
      expiresAt: "2999-01-01T00:00:00.000Z",
      createdAt: expect.any(String) as string,
    });
    expect((await self(secret)).statusCode).toBe(200);
  });
  test.each([
    ["without a name", {}],
    ["with a name of 101 characters", { name: "x".repeat(101) }],
    ["with an expiry that is no date", { name: "a", expiresAt: "tomorrow" }],
    ["with an expiry that has passed", { name: "a", expiresAt: "2001-01-01T00:00:00Z" }],
  ])("400: %s", async (_, payload) => {
    expect((await create(await signIn(api), payload)).statusCode).toBe(400);
  });
  test("400: the 26th active key of an account; revoking one makes room", async () => {
    const who = await signIn(api);
    const made = [];
    for (let count = 0; count < 25; count++) made.push((await create(who)).json<Created>());
    expect((await create(who)).json()).toMatchObject({ statusCode: 400, message: "Too many active keys" });
    await revoke(who, made[0]?.apiKey.id ?? "");
    expect((await create(who)).statusCode).toBe(201);
  });
  test("401: with an API key instead of a session", async () => {
    const { secret } = (await create(await signIn(api))).json<Created>();
    const answer = await api.http.send({
      method: "POST",
      url: "/user-api-keys",
      payload: { name: "a" },
      headers: { "x-api-key": secret },
    });
    expect(answer.statusCode).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "POST", url: "/user-api-keys" })).toBe(429);
  });
});

describe("GET /user-api-keys", () => {
  test("200: my keys, newest first, without their secrets and without other accounts' keys", async () => {
    const who = await signIn(api);
    const [first, second] = [(await create(who)).json<Created>(), (await create(who)).json<Created>()];
    await create(await signIn(api));
    const answer = await api.http.send({ url: "/user-api-keys", headers: bearer(who) });
    expect(answer.json<{ id: string }[]>().map(({ id }) => id)).toEqual([second.apiKey.id, first.apiKey.id]);
    expect(answer.body).not.toContain(first.secret.slice(-20));
    expect(answer.json<object[]>()[0]).toMatchObject({
      label: "user",
      prefix: expect.stringMatching(/^cs_user_live_.{4}$/) as string,
      lastUsedAt: null,
      lastUsedAddress: null,
    });
  });
  test("200: the address of the last use, recorded as often as its time", async () => {
    const who = await signIn(api);
    const { secret } = (await create(who)).json<Created>();
    await self(secret, "10.0.0.7");
    await self(secret, "10.0.0.8");
    const [first] = await list(who);
    expect(first?.lastUsedAddress).toBe("10.0.0.7");
    await inDatabase("update api_keys set last_used_at = last_used_at - interval '2 minutes' where id = $1", [
      first?.id,
    ]);
    await expect
      .poll(
        async () => {
          await self(secret, "10.0.0.8");
          return (await list(who))[0]?.lastUsedAddress;
        },
        { timeout: 20_000, interval: 250 },
      )
      .toBe("10.0.0.8");
  });
  test("200: no address for an attempt with an unusable key", async () => {
    const who = await signIn(api);
    const { apiKey, secret } = (await create(who)).json<Created>();
    await revoke(who, apiKey.id);
    expect((await self(secret, "10.0.0.7")).statusCode).toBe(401);
    expect((await list(who))[0]).toMatchObject({ lastUsedAt: null, lastUsedAddress: null });
  });
  test("401: without signing in", async () => {
    expect((await api.http.send("/user-api-keys")).statusCode).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "GET", url: "/user-api-keys" })).toBe(429);
  });
});

describe("GET /user-api-keys/self", () => {
  test("200: describes the key and its account, and records the use", async () => {
    const who = await signIn(api);
    const { apiKey, secret } = (await create(who)).json<Created>();
    const answer = await self(secret, "10.0.0.7");
    expect(answer.json()).toMatchObject({
      id: apiKey.id,
      type: "user",
      label: "user",
      ethereumAddress: who.user.ethereumAddress,
    });
    expect(answer.body).not.toContain("10.0.0.7");
    expect((await list(who))[0]?.lastUsedAt).not.toBeNull();
  });
  test.each([
    ["an unknown key", (secret: string) => secret.slice(0, -1) + (secret.endsWith("a") ? "b" : "a")],
    ["something that is no key", () => "hello"],
    ["nothing", () => ""],
  ])("401: for %s", async (_, alter) => {
    const { secret } = (await create(await signIn(api))).json<Created>();
    expect((await self(alter(secret))).statusCode).toBe(401);
  });
  test("401: for a revoked key, with the same message as for an unknown one", async () => {
    const who = await signIn(api);
    const { apiKey, secret } = (await create(who)).json<Created>();
    await revoke(who, apiKey.id);
    expect((await self(secret)).body).toBe((await self("cs_user_live_unknown")).body);
  });
  test("401: for an expired key", async () => {
    const { secret } = (
      await create(await signIn(api), { name: "a", expiresAt: new Date(Date.now() + 300).toISOString() })
    ).json<Created>();
    await expect.poll(async () => (await self(secret)).statusCode, { timeout: 20_000 }).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "GET", url: "/user-api-keys/self" })).toBe(429);
  });
});

describe("DELETE /user-api-keys/{apiKeyId}", () => {
  test("200: revokes my key at once, and repeating it gives the same answer", async () => {
    const who = await signIn(api);
    const { apiKey, secret } = (await create(who)).json<Created>();
    for (let time = 0; time < 2; time++)
      expect((await revoke(who, apiKey.id)).json()).toEqual({ id: apiKey.id, active: false });
    expect((await self(secret)).statusCode).toBe(401);
    expect((await list(who))[0]?.active).toBe(false);
  });
  test("400: for a malformed id", async () => {
    expect((await revoke(await signIn(api), "nonsense")).statusCode).toBe(400);
  });
  test("401: without signing in", async () => {
    expect((await api.http.send({ method: "DELETE", url: `/user-api-keys/${missing}` })).statusCode).toBe(
      401,
    );
  });
  test("404: for another account's key, which keeps working, as for one that does not exist", async () => {
    const { apiKey, secret } = (await create(await signIn(api))).json<Created>();
    const other = await signIn(api);
    expect((await revoke(other, apiKey.id)).body).toBe((await revoke(other, missing)).body);
    expect((await self(secret)).statusCode).toBe(200);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "DELETE", url: `/user-api-keys/${missing}` })).toBe(429);
  });
});

test("any two credentials in one request are rejected", async () => {
  const who = await signIn(api);
  const { secret } = (await create(who)).json<Created>();
  const answer = await api.http.send({
    url: "/user-api-keys/self",
    headers: { ...bearer(who), "x-api-key": secret },
  });
  expect(answer.statusCode).toBe(400);
});

test("a malformed key is rejected without a database query", async () => {
  const unreachable = await aTestApi({ DATABASE_URL: "postgres://postgres@127.0.0.1:9/none" });
  const ask = (key: string) =>
    unreachable.http.send({ url: "/user-api-keys/self", headers: { "x-api-key": key } });
  expect((await ask("cs_user_live_0000000000000000000000000000000000000000000000000")).statusCode).toBe(401);
  await unreachable.close();
});
