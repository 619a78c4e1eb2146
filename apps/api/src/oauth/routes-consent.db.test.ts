import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aTestApiWithKeys, type TestApiWithKeys } from "../../test/api-keys.ts";
import { signatureHeaders } from "../../test/signed-requests.ts";
import { aWallet, bearer, signIn, type SignedIn } from "../../test/sign-in.ts";
import { aTestApi, exceedLimit, type TestApi } from "../../test/test-api.ts";
import {
  aConsentSession,
  aGrant,
  approve,
  aPublicClient,
  authorizeUrl,
  callback,
  register,
  state,
  type TestClient,
} from "../../test/oauth.ts";

let api: TestApiWithKeys;
/** The same service, which requires that the browser that asked also answers. */
let strict: TestApi;
let database: pg.Client;
let client: TestClient;
const wallet = aWallet();
let owner: SignedIn;
beforeAll(async () => {
  api = await aTestApiWithKeys({ UI_URL: "https://ui.example" });
  strict = await aTestApi({ OAUTH_BROWSER_BINDING: "enforce" });
  database = new pg.Client(api.databaseUrl);
  await database.connect();
  client = await aPublicClient(api);
  owner = await signIn(api, wallet);
});
afterAll(async () => {
  await database.end();
  await strict.close();
  await api.close();
});

const info = (session: string) => api.http.send(`/oauth/session-info?session=${session}`);
const deny = (who: SignedIn, sessionId: unknown) =>
  api.http.send({ method: "POST", url: "/oauth/deny", payload: { sessionId }, headers: bearer(who) });
const expire = (id: string) =>
  database.query("update oauth_sessions set expires_at = now() where id = $1", [id]);
const codesOf = async (id: string): Promise<number> =>
  (await database.query("select 1 from oauth_codes where session_id = $1", [id])).rows.length;
const redirectOf = (answer: Awaited<ReturnType<typeof approve>>): URL =>
  new URL(answer.json<{ redirectUrl: string }>().redirectUrl);

const malformed = [undefined, "", 7, "1", "'; drop table users; --", null];

describe("GET /oauth/session-info", () => {
  test("200: who asks, for what, and where the answer goes; nothing that helps to redeem it", async () => {
    const id = await aConsentSession(api, client, { scope: "transactions:read:own" });
    const answer = await info(id);
    const { createdAt, expiresAt, ...told } = answer.json<Record<string, string>>();
    expect(told).toEqual({
      sessionId: id,
      status: "pending",
      client: {
        clientId: client.client_id,
        clientName: "A test client",
        clientUri: null,
        registration: "dynamic",
        clientIdHost: null,
      },
      redirectUri: callback,
      redirectHost: "localhost:3118",
      redirectIsLoopback: true,
      redirectIsPrivateUse: false,
      scopes: [{ name: "transactions:read:own", description: "Read your transactions and their outcomes" }],
      resource: "https://api.example/mcp",
      resourceName: "Countersign",
    });
    expect(Date.parse(expiresAt ?? "") - Date.parse(createdAt ?? "")).toBe(600_000);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.body).not.toContain(state);
  });
  test.each([
    ["https://app.example/cb", "app.example", false],
    ["cursor://anysphere.cursor-mcp/oauth/callback", "anysphere.cursor-mcp", true],
    ["com.example.app:/callback", "com.example.app:", true],
  ])("200: for %s says where that is", async (uri, redirectHost, redirectIsPrivateUse) => {
    const { client_id } = (
      await register(api, { redirect_uris: [uri], client_uri: "https://app.example/" })
    ).json<TestClient>();
    const id = await aConsentSession(api, { client_id, redirect_uris: [uri] });
    expect((await info(id)).json()).toMatchObject({
      ...{ redirectHost, redirectIsPrivateUse },
      redirectIsLoopback: false,
      client: { clientUri: "https://app.example/" },
    });
  });
  test.each(["/oauth/session-info", "/oauth/session-info?session=", "/oauth/session-info?session=1"])(
    "400: %s",
    async (url) => {
      const answer = await api.http.send(url);
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ error: "Bad Request" });
    },
  );
  test("404: attack 33, a guessed session", async () => {
    expect((await info(randomUUID())).statusCode).toBe(404);
  });
  test("410: after ten minutes", async () => {
    const id = await aConsentSession(api, client);
    await expire(id);
    expect((await info(id)).statusCode).toBe(410);
  });
  test("410: attack 40, after the decision, and without a code", async () => {
    const [yes, no] = [await aConsentSession(api, client), await aConsentSession(api, client)];
    const code = redirectOf(await approve(api, owner, yes)).searchParams.get("code") ?? "";
    await deny(owner, no);
    for (const id of [yes, no]) {
      const answer = await info(id);
      expect(answer.statusCode).toBe(410);
      expect(answer.body).not.toContain(code);
    }
  });
  test("429: attack 33, rejects a request beyond the standard limit of its address", async () => {
    expect(
      await exceedLimit(api, { method: "GET", url: `/oauth/session-info?session=${randomUUID()}` }),
    ).toBe(429);
  });
});

describe("POST /oauth/approve", () => {
  test("200: brings the client a code, its state and our issuer, appended to its own query", async () => {
    const uri = "https://app.example/cb?tenant=1";
    const own = await aPublicClient(api, [uri]);
    const id = await aConsentSession(api, own);
    const answer = await approve(api, owner, id);
    expect(answer.statusCode).toBe(200);
    const { origin, pathname, searchParams } = redirectOf(answer);
    expect(`${origin}${pathname}`).toBe("https://app.example/cb");
    expect(Object.fromEntries(searchParams)).toEqual({
      tenant: "1",
      code: expect.stringMatching(/^[\w-]{43}$/) as string,
      state,
      iss: "https://api.example",
    });
    expect([...searchParams.keys()]).toHaveLength(4);
    const { rows } = await database.query(
      `select g.account, g.scopes, extract(epoch from c.expires_at - g.created_at)::int as seconds
       from oauth_codes c join oauth_grants g on g.id = c.grant_id where c.session_id = $1`,
      [id],
    );
    expect(rows).toEqual([
      {
        account: wallet.address.toLowerCase(),
        scopes: ["transactions:create:own", "transactions:approve:own", "transactions:read:own"],
        seconds: 120,
      },
    ]);
  });
  test("200: without a state if none was sent", async () => {
    const id = await aConsentSession(api, client, { state: undefined });
    expect([...redirectOf(await approve(api, owner, id)).searchParams.keys()]).toEqual(["code", "iss"]);
  });
  test("200: attack 39, for exactly one of twenty concurrent approvals; there is one code and one grant", async () => {
    const id = await aConsentSession(api, client);
    const people = await Promise.all(Array.from({ length: 5 }, () => signIn(api)));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => approve(api, people[index % 5] ?? owner, id)),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 400)).toHaveLength(19);
    expect(await codesOf(id)).toBe(1);
  });
  test("200: with the cookie of the browser that asked, where that is enforced", async () => {
    const own = await aPublicClient(strict);
    const asked = await strict.http.send(authorizeUrl(own));
    const [cookie = ""] = (asked.headers["set-cookie"]?.[0] ?? "").split(";");
    const sessionId = new URL(asked.headers.location ?? "").searchParams.get("session");
    const headers = { ...bearer(await signIn(strict)), cookie };
    const answer = await strict.http.send({
      ...{ method: "POST", url: "/oauth/approve", headers },
      payload: { sessionId },
    });
    expect(answer.statusCode).toBe(200);
  });
  test.each(malformed)("400: for %j", async (sessionId) => {
    const answer = await approve(api, owner, sessionId);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ statusCode: 400, error: "Bad Request" });
  });
  test("400: attack 37, a second time, or after a rejection; there is no second code", async () => {
    const [yes, no] = [await aConsentSession(api, client), await aConsentSession(api, client)];
    await approve(api, owner, yes);
    await deny(owner, no);
    for (const id of [yes, no])
      expect((await approve(api, owner, id)).json()).toMatchObject({
        statusCode: 400,
        message: "This request for access was already decided",
      });
    expect(await codesOf(yes)).toBe(1);
    expect(await codesOf(no)).toBe(0);
  });
  test("401: attacks 34 to 36, without signing in, with a program's access token, an API key, or a signature", async () => {
    const { access_token: accessToken } = await aGrant(api, client, { who: owner });
    const sessionId = await aConsentSession(api, client);
    const account = wallet.address.toLowerCase() as `0x${string}`;
    const { secret } = await api.issueKey({ account, type: "user" });
    const request = { method: "POST", target: "/oauth/approve", body: JSON.stringify({ sessionId }) };
    for (const headers of [
      {},
      bearer({ accessToken }),
      { "x-api-key": secret },
      { "x-api-key": await api.issueServerKey("admin") },
      await signatureHeaders(wallet, request),
    ]) {
      const answer = await api.http.send({
        ...{ method: "POST", url: "/oauth/approve", headers },
        payload: { sessionId },
      });
      expect(answer.json()).toMatchObject({ statusCode: 401, error: "Unauthorized" });
    }
    expect(await codesOf(sessionId)).toBe(0);
    expect((await approve(api, owner, sessionId)).statusCode).toBe(200);
  });
  test("403: attack 41, in another browser than it was started in, where that is enforced; the session stays", async () => {
    const own = await aPublicClient(strict);
    const [mine, theirs] = [
      await strict.http.send(authorizeUrl(own)),
      await strict.http.send(authorizeUrl(own)),
    ];
    const [cookie = ""] = (theirs.headers["set-cookie"]?.[0] ?? "").split(";");
    const sessionId = new URL(mine.headers.location ?? "").searchParams.get("session");
    const who = bearer(await signIn(strict));
    for (const headers of [who, { ...who, cookie }])
      for (const url of ["/oauth/approve", "/oauth/deny"]) {
        const answer = await strict.http.send({ method: "POST", url, headers, payload: { sessionId } });
        expect(answer.statusCode).toBe(403);
      }
    expect((await strict.http.send(`/oauth/session-info?session=${sessionId ?? ""}`)).statusCode).toBe(200);
  });
  test("404: for an unknown session", async () => {
    expect((await approve(api, owner, randomUUID())).statusCode).toBe(404);
  });
  test("410: attack 38, after ten minutes, and there is no code", async () => {
    const id = await aConsentSession(api, client);
    await expire(id);
    expect((await approve(api, owner, id)).statusCode).toBe(410);
    expect(await codesOf(id)).toBe(0);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "POST", url: "/oauth/approve" })).toBe(429);
  });
});

describe("POST /oauth/deny", () => {
  test("200: brings the client the owner's rejection, and there is neither code nor grant", async () => {
    const id = await aConsentSession(api, client);
    const answer = await deny(owner, id);
    expect(answer.statusCode).toBe(200);
    expect(Object.fromEntries(redirectOf(answer).searchParams)).toEqual({
      ...{ error: "access_denied", state },
      iss: "https://api.example",
    });
    expect(await codesOf(id)).toBe(0);
  });
  test.each(malformed)("400: for %j", async (sessionId) => {
    expect((await deny(owner, sessionId)).statusCode).toBe(400);
  });
  test("400: a second time, or after an approval, which stays", async () => {
    const [yes, no] = [await aConsentSession(api, client), await aConsentSession(api, client)];
    await approve(api, owner, yes);
    await deny(owner, no);
    for (const id of [yes, no]) expect((await deny(owner, id)).statusCode).toBe(400);
    expect(await codesOf(yes)).toBe(1);
  });
  test("401: without signing in", async () => {
    const sessionId = await aConsentSession(api, client);
    const answer = await api.http.send({ method: "POST", url: "/oauth/deny", payload: { sessionId } });
    expect(answer.statusCode).toBe(401);
  });
  test("403: in another browser than it was started in, where that is enforced", async () => {
    const sessionId = await aConsentSession(strict, await aPublicClient(strict));
    const headers = bearer(await signIn(strict));
    const answer = await strict.http.send({
      ...{ method: "POST", url: "/oauth/deny", headers },
      payload: { sessionId },
    });
    expect(answer.statusCode).toBe(403);
  });
  test("404: for an unknown session", async () => {
    expect((await deny(owner, randomUUID())).statusCode).toBe(404);
  });
  test("410: after ten minutes", async () => {
    const id = await aConsentSession(api, client);
    await expire(id);
    expect((await deny(owner, id)).statusCode).toBe(410);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "POST", url: "/oauth/deny" })).toBe(429);
  });
});
