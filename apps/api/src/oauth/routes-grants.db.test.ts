import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import pg from "pg";
import { bearer, signIn, type SignedIn } from "../../test/sign-in.ts";
import { aTestApi, exceedLimit, type TestApi } from "../../test/test-api.ts";
import {
  aCode,
  aConsentSession,
  aGrant,
  approve,
  aPublicClient,
  redeem,
  renew,
  type TestClient,
  type TestTokens,
} from "../../test/oauth.ts";

let api: TestApi;
let database: pg.Client;
let client: TestClient;
beforeAll(async () => {
  api = await aTestApi();
  database = new pg.Client(api.databaseUrl);
  await database.connect();
  client = await aPublicClient(api);
});
afterAll(async () => {
  await database.end();
  await api.close();
});

type Grant = { readonly id: string; readonly scopes: readonly string[]; readonly lastUsedAt: string };
const list = (who: Pick<SignedIn, "accessToken">) =>
  api.http.send({ url: "/oauth/grants", headers: bearer(who) });
const grantsOf = async (who: SignedIn): Promise<readonly Grant[]> => (await list(who)).json<Grant[]>();
const end = (who: SignedIn, id: string) =>
  api.http.send({ method: "DELETE", url: `/oauth/grants/${id}`, headers: bearer(who) });
const isGood = async ({ refresh_token }: TestTokens): Promise<boolean> =>
  (await renew(api, client, refresh_token)).statusCode === 200;

describe("GET /oauth/grants", () => {
  test("200: the owner's own grants, newest first, and no other owner's", async () => {
    const [who, stranger] = [await signIn(api), await signIn(api)];
    await aGrant(api, client, { who, scope: "transactions:read:own" });
    await aGrant(api, client, { who: stranger });
    const first = await grantsOf(who);
    expect(first).toEqual([
      {
        id: expect.any(String) as string,
        clientId: client.client_id,
        clientName: "A test client",
        scopes: ["transactions:read:own"],
        redirectHost: "localhost:3118",
        createdAt: expect.any(String) as string,
        lastUsedAt: expect.any(String) as string,
      },
    ]);
    await aGrant(api, client, { who });
    expect((await grantsOf(who)).map(({ id }) => id)[1]).toBe(first[0]?.id);
  });
  test("200: also before the code is exchanged; not if it never was, and not expired ones", async () => {
    const who = await signIn(api);
    await aCode(api, client, { who });
    expect(await grantsOf(who)).toHaveLength(1);
    const account = who.user.ethereumAddress.toLowerCase();
    await database.query(
      `update oauth_codes set expires_at = now() from oauth_grants g where g.id = grant_id and g.account = $1`,
      [account],
    );
    expect(await grantsOf(who)).toEqual([]);
    await aGrant(api, client, { who });
    expect(await grantsOf(who)).toHaveLength(1);
    await database.query(
      `update oauth_refresh_tokens set expires_at = now() from oauth_grants g where g.id = grant_id and g.account = $1`,
      [account],
    );
    expect(await grantsOf(who)).toEqual([]);
  });
  test.each([
    ["https://app.example/oauth/callback?a=1", "app.example"],
    ["cursor://anysphere.cursor-mcp/oauth/callback", "anysphere.cursor-mcp"],
    ["com.example.app:/callback", "com.example.app:"],
  ])("200: where the answer went, as the owner was told: %s", async (redirectUri, redirectHost) => {
    const who = await signIn(api);
    const other = await aPublicClient(api, [redirectUri]);
    const sessionId = await aConsentSession(api, other);
    const info = await api.http.send(`/oauth/session-info?session=${sessionId}`);
    expect(info.json()).toMatchObject({ redirectHost });
    await approve(api, who, sessionId);
    expect(await grantsOf(who)).toMatchObject([{ redirectHost }]);
  });
  test("200: null for a grant from before this was recorded", async () => {
    const who = await signIn(api);
    await aGrant(api, client, { who });
    await database.query("update oauth_grants set redirect_host = null where account = $1", [
      who.user.ethereumAddress.toLowerCase(),
    ]);
    expect(await grantsOf(who)).toMatchObject([{ redirectHost: null }]);
  });
  test("200: when it was last used", async () => {
    const who = await signIn(api);
    const { refresh_token } = await aGrant(api, client, { who });
    const [before] = await grantsOf(who);
    await renew(api, client, refresh_token);
    const [after] = await grantsOf(who);
    expect(Date.parse(after?.lastUsedAt ?? "")).toBeGreaterThan(Date.parse(before?.lastUsedAt ?? ""));
  });
  test("401: without signing in, and by the program itself", async () => {
    const { access_token: accessToken } = await aGrant(api, client);
    expect((await api.http.send("/oauth/grants")).statusCode).toBe(401);
    expect((await list({ accessToken })).statusCode).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "GET", url: "/oauth/grants" })).toBe(429);
  });
});

describe("DELETE /oauth/grants/{id}", () => {
  test("204: ends that one at once, and no other", async () => {
    const who = await signIn(api);
    const [kept, ended] = [await aGrant(api, client, { who }), await aGrant(api, client, { who })];
    const [newest] = await grantsOf(who);
    expect((await end(who, newest?.id ?? "")).statusCode).toBe(204);
    expect(await grantsOf(who)).toHaveLength(1);
    expect([await isGood(ended), await isGood(kept)]).toEqual([false, true]);
  });
  test("204: also before the code is exchanged, which then fails", async () => {
    const who = await signIn(api);
    const code = await aCode(api, client, { who });
    const [grant] = await grantsOf(who);
    await end(who, grant?.id ?? "");
    expect((await redeem(api, client, code)).json()).toMatchObject({ error: "invalid_grant" });
  });
  test("400: for a malformed id", async () => {
    expect((await end(await signIn(api), "1")).statusCode).toBe(400);
  });
  test("401: without signing in", async () => {
    const answer = await api.http.send({ method: "DELETE", url: `/oauth/grants/${randomUUID()}` });
    expect(answer.statusCode).toBe(401);
  });
  test("404: for an unknown grant, another owner's, and one that was ended", async () => {
    const [who, stranger] = [await signIn(api), await signIn(api)];
    const tokens = await aGrant(api, client, { who });
    const [grant] = await grantsOf(who);
    const missing = await end(who, randomUUID());
    expect(missing.statusCode).toBe(404);
    expect((await end(stranger, grant?.id ?? "")).body).toBe(missing.body);
    expect(await isGood(tokens)).toBe(true);
    await end(who, grant?.id ?? "");
    expect((await end(who, grant?.id ?? "")).body).toBe(missing.body);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "DELETE", url: `/oauth/grants/${randomUUID()}` })).toBe(429);
  });
});

describe("POST /auth/logout-all", () => {
  test("204: also ends the owner's grants, and no other owner's", async () => {
    const [who, stranger] = [await signIn(api), await signIn(api)];
    const [mine, theirs] = [await aGrant(api, client, { who }), await aGrant(api, client, { who: stranger })];
    const answer = await api.http.send({ method: "POST", url: "/auth/logout-all", headers: bearer(who) });
    expect(answer.statusCode).toBe(204);
    expect([await isGood(mine), await isGood(theirs)]).toEqual([false, true]);
    expect(await grantsOf(stranger)).toHaveLength(1);
  });
});

describe("the sweep", () => {
  const count = async (table: string, where: string): Promise<number> =>
    (await database.query(`select 1 from ${table} where ${where}`)).rows.length;

  test("deletes expired rows, keeps valid ones and those that may still be asked about", async () => {
    const own = await aPublicClient(api);
    const of = `client_id = '${own.client_id}'`;
    const [live, old, revoked] = [await aGrant(api, own), await aGrant(api, own), await aGrant(api, own)];
    const gid = ({ access_token: token }: TestTokens): string =>
      (JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { gid: string }).gid;
    await database.query(
      `update oauth_refresh_tokens set expires_at = now() - interval '2 days' where grant_id = $1`,
      [gid(old)],
    );
    await database.query(`update oauth_grants set last_used_at = now() - interval '32 days' where id = $1`, [
      gid(old),
    ]);
    await database.query(`update oauth_grants set revoked_at = now() - interval '29 days' where id = $1`, [
      gid(revoked),
    ]);
    await database.query(
      `update oauth_sessions set expires_at = now() - interval '25 hours' where ${of} and id in
       (select session_id from oauth_codes where grant_id = $1)`,
      [gid(old)],
    );
    expect(await api.app.sweep()).toBeGreaterThanOrEqual(3);
    expect(await count("oauth_grants", `${of} and id = '${gid(live)}'`)).toBe(1);
    expect(await count("oauth_grants", `${of} and id = '${gid(revoked)}'`)).toBe(1);
    expect(await count("oauth_grants", `${of} and id = '${gid(old)}'`)).toBe(0);
    expect(await count("oauth_sessions", of)).toBe(2);
    expect(await count("oauth_codes", of)).toBe(2);
    expect((await renew(api, own, live.refresh_token)).statusCode).toBe(200);
  });
});
