import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aTestApiWithKeys } from "../../test/api-keys.ts";
import { signatureHeaders } from "../../test/signed-requests.ts";
import { aWallet, bearer, signIn, type SignedIn } from "../../test/sign-in.ts";
import { aTestApi, exceedLimit, type TestApi } from "../../test/test-api.ts";

/** Shared with further processes on the same database. */
const environment = { SECRETS_KEY: randomBytes(32).toString("base64") };
let api: TestApi;
beforeAll(async () => {
  api = await aTestApi(environment);
});
afterAll(() => api.close());

const read = (who: SignedIn) => api.http.send({ url: "/settings", headers: bearer(who) });
const choose = (who: SignedIn, executionType: unknown, more: object = {}) =>
  api.http.send({
    method: "PUT",
    url: "/settings",
    payload: { executionType, ...more },
    headers: bearer(who),
  });

describe("GET /settings", () => {
  test("200: a new account executes automatically after approval and has no wallet provider", async () => {
    const who = await signIn(api);
    expect((await read(who)).json()).toEqual({
      id: expect.any(String) as string,
      userId: who.user.id,
      executionType: 1,
      repeatWindowSeconds: 86_400,
      publicProfile: true,
      walletProvider: "none",
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
    });
  });
  test("200: the same record each time, also for two concurrent first requests to two processes", async () => {
    const other = await aTestApi({ ...environment, DATABASE_URL: api.databaseUrl });
    const who = await signIn(api);
    const asked = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? api : other).http.send({ url: "/settings", headers: bearer(who) }),
    );
    const answers = await Promise.all(asked);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    const first = (await read(who)).json<{ id: string; userId: string }>();
    expect(first.userId).toBe(who.user.id);
    for (const answer of answers) expect(answer.json()).toEqual(first);
    await other.close();
  });
  test("401: without signing in", async () => {
    expect((await api.http.send("/settings")).statusCode).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "GET", url: "/settings" })).toBe(429);
  });
});

describe("PUT /settings", () => {
  test.each([0, 1, 2])("200: sets %i for this account only", async (executionType) => {
    const wallet = aWallet();
    const [who, other] = [await signIn(api, wallet), await signIn(api)];
    expect((await choose(who, executionType)).json()).toMatchObject({ executionType });
    expect((await read(await signIn(api, wallet))).json()).toMatchObject({ executionType });
    expect((await read(other)).json()).toMatchObject({ executionType: 1 });
  });
  test.each([0, 60, 2_592_000])(
    "200: a window of %i seconds, which stays when it is omitted later",
    async (repeatWindowSeconds) => {
      const who = await signIn(api);
      expect((await choose(who, 2, { repeatWindowSeconds })).json()).toMatchObject({ repeatWindowSeconds });
      expect((await choose(who, 1)).json()).toMatchObject({ executionType: 1, repeatWindowSeconds });
    },
  );
  test.each([-1, 2_592_001, 1.5, "60", null])("400: rejects a window of %j", async (repeatWindowSeconds) => {
    expect((await choose(await signIn(api), 2, { repeatWindowSeconds })).statusCode).toBe(400);
  });
  test.each([3, -1, 1.5, "1", null, undefined])("400: rejects %j", async (executionType) => {
    expect((await choose(await signIn(api), executionType)).statusCode).toBe(400);
  });
  test("200: by the wallet's signature over the change, without a session", async () => {
    const wallet = aWallet();
    const who = await signIn(api, wallet);
    const payload = JSON.stringify({ executionType: 2 });
    const target = "/settings?executionType=2";
    const signed = await signatureHeaders(wallet, { method: "PUT", target, body: payload });
    const put = (body: string) =>
      api.http.send({
        method: "PUT",
        url: target,
        payload: body,
        headers: { ...signed, "content-type": "application/json" },
      });
    // Another body is another change: the signature does not cover it.
    expect((await put(JSON.stringify({ executionType: 0 }))).statusCode).toBe(401);
    expect((await put(payload)).json()).toMatchObject({ executionType: 2 });
    expect((await put(payload)).statusCode).toBe(401);
    expect((await read(who)).json()).toMatchObject({ executionType: 2 });
  });
  test("400: the signed address contradicts the body", async () => {
    const wallet = aWallet();
    const payload = JSON.stringify({ executionType: 2 });
    const target = "/settings?executionType=1";
    const signed = await signatureHeaders(wallet, { method: "PUT", target, body: payload });
    const headers = { ...signed, "content-type": "application/json" };
    expect((await api.http.send({ method: "PUT", url: target, payload, headers })).statusCode).toBe(400);
  });
  test("401: without signing in", async () => {
    expect(
      (await api.http.send({ method: "PUT", url: "/settings", payload: { executionType: 0 } })).statusCode,
    ).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "PUT", url: "/settings" })).toBe(429);
  });
});

describe("PATCH /settings", () => {
  const patch = (who: SignedIn, payload: object) =>
    api.http.send({ method: "PATCH", url: "/settings", payload, headers: bearer(who) });
  const profileStatuses = async ({ user: { ethereumAddress } }: SignedIn): Promise<readonly number[]> => {
    const paths = ["", "/transactions", `/transactions/0x${"0".repeat(64)}`, "/metrics"];
    const asked = paths.map((path) => api.http.send(`/public/agents/${ethereumAddress}${path}`));
    return (await Promise.all(asked)).map(({ statusCode }) => statusCode);
  };

  test("200: hides the profile of this account only, and shows it again", async () => {
    const [who, other] = [await signIn(api), await signIn(api)];
    expect((await patch(who, { publicProfile: false })).json()).toMatchObject({ publicProfile: false });
    expect((await read(who)).json()).toMatchObject({ publicProfile: false });
    expect(await profileStatuses(who)).toEqual([404, 404, 404, 404]);
    expect(await profileStatuses(other)).toEqual([200, 200, 404, 200]);
    expect((await patch(who, { publicProfile: true })).json()).toMatchObject({ publicProfile: true });
    expect(await profileStatuses(who)).toEqual([200, 200, 404, 200]);
  });
  test("200: leaves who approves as it is, and PUT leaves the profile as it is", async () => {
    const who = await signIn(api);
    await choose(who, 2, { repeatWindowSeconds: 60 });
    await patch(who, { publicProfile: false });
    expect((await read(who)).json()).toMatchObject({ executionType: 2, repeatWindowSeconds: 60 });
    expect((await choose(who, 1)).json()).toMatchObject({ executionType: 1, publicProfile: false });
  });
  test("200: a hidden account is answered exactly as an unknown one", async () => {
    const who = await signIn(api);
    await patch(who, { publicProfile: false });
    const [hidden, unknown] = await Promise.all(
      [who.user.ethereumAddress, aWallet().address].map((address) =>
        api.http.send(`/public/agents/${address}`),
      ),
    );
    expect([hidden?.body, hidden?.headers["x-error-code"]]).toEqual([
      unknown?.body,
      unknown?.headers["x-error-code"],
    ]);
    expect(hidden?.headers["cache-control"]).toBe(unknown?.headers["cache-control"]);
  });
  test.each([{}, { publicProfile: null }, { publicProfile: "false" }, { publicProfile: 0 }])(
    "400: rejects %j",
    async (payload) => {
      expect((await patch(await signIn(api), payload)).statusCode).toBe(400);
    },
  );
  test("401: without signing in", async () => {
    const answer = await api.http.send({
      ...{ method: "PATCH", url: "/settings", payload: { publicProfile: false } },
    });
    expect(answer.statusCode).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "PATCH", url: "/settings" })).toBe(429);
  });
});

describe("GET /settings/by-ethereum/{ethereumAddress}", () => {
  const readOf = (address: string, headers: Record<string, string>) =>
    api.http.send({ url: `/settings/by-ethereum/${address}`, headers });
  const stranger = aWallet().address;

  test("200: for the owner, with a session or an API key", async () => {
    const who = await signIn(api);
    const { secret } = (
      await api.http.send({
        method: "POST",
        url: "/user-api-keys",
        payload: { name: "a" },
        headers: bearer(who),
      })
    ).json<{ secret: string }>();
    const { ethereumAddress } = who.user;
    for (const headers of [bearer(who), { "x-api-key": secret }])
      expect((await readOf(ethereumAddress.toLowerCase(), headers)).json()).toMatchObject({
        ethereumAddress,
        executionType: 1,
      });
  });
  test("400: for a malformed address", async () => {
    expect((await readOf("0x12", bearer(await signIn(api)))).statusCode).toBe(400);
  });
  test("401: without a credential", async () => {
    expect((await readOf(stranger, {})).statusCode).toBe(401);
  });
  test("403: for another account, known or not", async () => {
    const [who, other] = [await signIn(api), await signIn(api)];
    expect((await readOf(other.user.ethereumAddress, bearer(who))).statusCode).toBe(403);
    expect((await readOf(stranger, bearer(who))).statusCode).toBe(403);
  });
  test("404: an unknown address, for a server key", async () => {
    const withKey = await aTestApiWithKeys();
    const admin = await withKey.issueServerKey("admin");
    const ask = (address: string) =>
      withKey.http.send({ url: `/settings/by-ethereum/${address}`, headers: { "x-api-key": admin } });
    const { user } = await signIn(withKey);
    expect((await ask(user.ethereumAddress)).statusCode).toBe(200);
    expect((await ask(stranger)).statusCode).toBe(404);
    await withKey.close();
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "GET", url: `/settings/by-ethereum/${stranger}` })).toBe(429);
  });
});
