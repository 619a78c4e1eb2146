import { createHash, randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bearer, signIn } from "../../test/sign-in.ts";
import { aTestApi, exceedLimit, type TestApi } from "../../test/test-api.ts";
import {
  aCode,
  aGrant,
  aPublicClient,
  aSecretClient,
  askTokens,
  callback,
  redeem,
  renew,
  verifier,
  type TestClient,
  type TestTokens,
} from "../../test/oauth.ts";

const environment = { SECRETS_KEY: randomBytes(32).toString("base64") };
let api: TestApi;
/** Another process on the same database, configured to answer clients that race with themselves. */
let lenient: TestApi;
let database: pg.Client;
let client: TestClient;
let other: TestClient;
beforeAll(async () => {
  api = await aTestApi(environment);
  lenient = await aTestApi({ ...environment, DATABASE_URL: api.databaseUrl, OAUTH_REFRESH_REUSE: "replay" });
  database = new pg.Client(api.databaseUrl);
  await database.connect();
  [client, other] = [await aPublicClient(api), await aPublicClient(api)];
});
afterAll(async () => {
  await database.end();
  await lenient.close();
  await api.close();
});

type Answer = Awaited<ReturnType<TestApi["http"]["send"]>>;
const all = "transactions:create:own transactions:approve:own transactions:read:own";
const form = { "content-type": "application/x-www-form-urlencoded" };
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
});
const send = (payload: string | object, headers: Record<string, string>, url = "/oauth/token") =>
  api.http.send({ method: "POST", url, payload, headers });
const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();
const tokensIn = (answer: Answer): TestTokens => answer.json<TestTokens>();
const claimsIn = ({ access_token: token }: TestTokens) =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as Record<string, unknown>;

/** Every rejection has the members of RFC 6749 in addition to the service's own, and is not cacheable. */
function expectRefusal(answer: Answer, error: string, status = 400): void {
  expect(answer.json()).toMatchObject({
    error,
    error_description: expect.stringMatching(/^[ !#-[\]-~]+$/) as string,
    statusCode: status,
    message: expect.any(String) as string,
  });
  expect(answer.statusCode).toBe(status);
  expect(answer.headers["cache-control"]).toBe("no-store");
}

/** Moves the use or issue of a token or code into the past. */
const ageUse = (token: string, seconds: number) =>
  database.query(
    "update oauth_refresh_tokens set used_at = used_at - make_interval(secs => $2) where token_hash = $1",
    [hashOf(token), seconds],
  );
const revokedBecause = async (tokens: TestTokens): Promise<unknown> => {
  const { rows } = await database.query<{ revoke_reason: unknown }>(
    "select revoke_reason from oauth_grants where id = $1",
    [claimsIn(tokens)["gid"]],
  );
  return rows[0]?.revoke_reason;
};

describe("POST /oauth/token", () => {
  test("200: for a code: an access token for /mcp and a refresh token, not cacheable", async () => {
    const who = await signIn(api);
    const code = await aCode(api, client, { who, scope: "transactions:read:own transactions:create:own" });
    const answer = await redeem(api, client, code, { resource: "https://api.example/mcp" });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({ "cache-control": "no-store", pragma: "no-cache" });
    const tokens = tokensIn(answer);
    expect(answer.json()).toEqual({
      access_token: tokens.access_token,
      token_type: "bearer",
      expires_in: 900,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/) as string,
      scope: "transactions:create:own transactions:read:own",
    });
    const claims = claimsIn(tokens);
    expect(claims).toEqual({
      iss: "https://api.example",
      aud: "https://api.example/mcp",
      sub: who.user.id,
      eth: who.user.ethereumAddress.toLowerCase(),
      client_id: client.client_id,
      scope: "transactions:create:own transactions:read:own",
      gid: expect.any(String) as string,
      jti: expect.any(String) as string,
      iat: expect.any(Number) as number,
      exp: Number(claims["iat"]) + 900,
    });
  });
  test("200: without redirect_uri, as in OAuth 2.1, and with a JSON body", async () => {
    const first = await redeem(api, client, await aCode(api, client), { redirect_uri: undefined });
    expect(first.statusCode).toBe(200);
    const payload = {
      ...{ grant_type: "authorization_code", code_verifier: verifier, client_id: client.client_id },
      code: await aCode(api, client),
    };
    expect((await api.http.send({ method: "POST", url: "/oauth/token", payload })).statusCode).toBe(200);
  });
  test.each(["client_secret_post", "client_secret_basic"] as const)(
    "200: to a client that registered %s and sends its secret in either way",
    async (method) => {
      const own = await aSecretClient(api, method);
      expect((await redeem(api, own, await aCode(api, own))).statusCode).toBe(200);
      const asked = {
        grant_type: "authorization_code",
        code_verifier: verifier,
        code: await aCode(api, own),
      };
      const answer = await send(new URLSearchParams(asked).toString(), {
        ...form,
        ...basic(own.client_id, own.client_secret),
      });
      expect(answer.statusCode).toBe(200);
    },
  );
  test("200: attack 49, to exactly one of ten concurrent requests with a code", async () => {
    const code = await aCode(api, client);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => redeem(index % 2 === 0 ? api : lenient, client, code)),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    for (const refused of answers.filter(({ statusCode }) => statusCode !== 200))
      expectRefusal(refused, "invalid_grant");
  });
  test("200: for a refresh token: the next pair; the previous access token stays valid", async () => {
    const first = await aGrant(api, client);
    const answer = await renew(api, client, first.refresh_token);
    expect(answer.statusCode).toBe(200);
    const second = tokensIn(answer);
    expect(second.scope).toBe(all);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect({ ...claimsIn(second), jti: 0, iat: 0, exp: 0 }).toEqual({
      ...claimsIn(first),
      ...{ jti: 0, iat: 0, exp: 0 },
    });
    expect((await renew(api, client, second.refresh_token)).statusCode).toBe(200);
  });
  test("200: for a part of the scopes, and the whole again the next time", async () => {
    const first = await aGrant(api, client);
    const narrow = tokensIn(
      await renew(api, client, first.refresh_token, { scope: "transactions:read:own" }),
    );
    expect(narrow.scope).toBe("transactions:read:own");
    expect(claimsIn(narrow)["scope"]).toBe("transactions:read:own");
    expect(tokensIn(await renew(api, client, narrow.refresh_token)).scope).toBe(all);
  });
  test("200: never to two requests with the same refresh token; the first one continues", async () => {
    const { refresh_token } = await aGrant(api, client);
    const answers = await Promise.all(Array.from({ length: 10 }, () => renew(api, client, refresh_token)));
    const winners = answers.filter(({ statusCode }) => statusCode === 200);
    expect(winners).toHaveLength(1);
    for (const refused of answers.filter(({ statusCode }) => statusCode !== 200))
      expectRefusal(refused, "invalid_grant");
    const [next] = winners.map((winner) => tokensIn(winner).refresh_token);
    expect((await renew(api, client, next ?? "")).statusCode).toBe(200);
  });
  test("200: attack 61, to all three concurrent requests, of one family, if the operator allows it", async () => {
    const tokens = await aGrant(lenient, client);
    const answers = await Promise.all([1, 2, 3].map(() => renew(lenient, client, tokens.refresh_token)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    const families = answers.map((answer) => claimsIn(tokensIn(answer))["gid"]);
    expect(new Set([...families, claimsIn(tokens)["gid"]]).size).toBe(1);
    await ageUse(tokens.refresh_token, 61);
    expectRefusal(await renew(lenient, client, tokens.refresh_token), "invalid_grant");
    for (const answer of answers)
      expectRefusal(await renew(lenient, client, tokensIn(answer).refresh_token), "invalid_grant");
  });

  test("400: attack 42, a wrong verifier gets invalid_grant; the right one still works, until three were wrong", async () => {
    const [lucky, unlucky] = [await aCode(api, client), await aCode(api, client)];
    for (let count = 0; count < 2; count++)
      expectRefusal(await redeem(api, client, lucky, { code_verifier: "w".repeat(43) }), "invalid_grant");
    expect((await redeem(api, client, lucky)).statusCode).toBe(200);
    for (let count = 0; count < 3; count++)
      await redeem(api, client, unlucky, { code_verifier: "w".repeat(43) });
    expectRefusal(await redeem(api, client, unlucky), "invalid_grant");
  });
  test("400: attack 43, a missing or malformed verifier gets invalid_grant; neither counts as an attempt", async () => {
    const code = await aCode(api, client);
    for (const code_verifier of [undefined, "", "short", "v".repeat(129), `${verifier} `])
      expectRefusal(await redeem(api, client, code, { code_verifier }), "invalid_grant");
    expect((await redeem(api, client, code)).statusCode).toBe(200);
  });
  test("400: attack 44, another client's code gets invalid_grant, and still works for the right one", async () => {
    const code = await aCode(api, client);
    expectRefusal(await redeem(api, other, code), "invalid_grant");
    expect((await redeem(api, client, code)).statusCode).toBe(200);
  });
  test("400: attack 45, another redirect_uri gets invalid_grant, and the code is not consumed", async () => {
    const code = await aCode(api, client);
    for (const redirect_uri of [`${callback}/`, callback.replace("3118", "3119"), "https://evil.example"])
      expectRefusal(await redeem(api, client, code, { redirect_uri }), "invalid_grant");
    expect((await redeem(api, client, code)).statusCode).toBe(200);
  });
  test("400: another resource gets invalid_target, and the code is not consumed", async () => {
    const code = await aCode(api, client);
    expectRefusal(
      await redeem(api, client, code, { resource: "https://evil.example/mcp" }),
      "invalid_target",
    );
    expect((await redeem(api, client, code)).statusCode).toBe(200);
  });
  test("400: attack 46, a code presented again gets invalid_grant, and its tokens end", async () => {
    const code = await aCode(api, client);
    const tokens = tokensIn(await redeem(api, client, code));
    expectRefusal(await redeem(api, client, code), "invalid_grant");
    expect(await revokedBecause(tokens)).toBe("code-replayed");
    expectRefusal(await renew(api, client, tokens.refresh_token), "invalid_grant");
  });
  test("400: attack 47, a code presented again by another client ends nothing", async () => {
    const code = await aCode(api, client);
    const tokens = tokensIn(await redeem(api, client, code));
    expectRefusal(await redeem(api, other, code), "invalid_grant");
    expect((await renew(api, client, tokens.refresh_token)).statusCode).toBe(200);
  });
  test("400: attack 48, a code after two minutes gets invalid_grant", async () => {
    const code = await aCode(api, client);
    await database.query("update oauth_codes set expires_at = now() where code_hash = $1", [hashOf(code)]);
    expectRefusal(await redeem(api, client, code), "invalid_grant");
  });
  test("400: a code whose owner removed the access in the meantime", async () => {
    const who = await signIn(api);
    const code = await aCode(api, client, { who });
    await api.http.send({ method: "POST", url: "/auth/logout-all", headers: bearer(who) });
    expectRefusal(await redeem(api, client, code), "invalid_grant");
  });
  test("400: attack 52, with a secret in the header and in the body", async () => {
    const own = await aSecretClient(api);
    const { client_id, client_secret } = own;
    const asked = { grant_type: "refresh_token", refresh_token: "x", client_id, client_secret };
    const answer = await send(new URLSearchParams(asked).toString(), {
      ...form,
      ...basic(client_id, client_secret),
    });
    expectRefusal(answer, "invalid_request");
  });
  test.each(["client_credentials", "password", "urn:ietf:params:oauth:grant-type:device_code", "__proto__"])(
    "400: attack 55, %s gets unsupported_grant_type",
    async (grant_type) => {
      expectRefusal(await askTokens(api, client, { grant_type }), "unsupported_grant_type");
    },
  );
  test.each([
    "text/plain",
    "application/json, application/x-www-form-urlencoded",
    "multipart/form-data",
    "x",
  ])("400: attack 56, a body with the content type %s", async (type) => {
    const payload = `grant_type=authorization_code&client_id=${client.client_id}`;
    expectRefusal(await send(payload, { "content-type": type }), "invalid_request");
  });
  test("400: attack 57, a repeated parameter; the code is not consumed", async () => {
    const code = await aCode(api, client);
    const asked = new URLSearchParams({
      ...{ grant_type: "authorization_code", code, code_verifier: verifier },
      client_id: client.client_id,
    }).toString();
    for (const more of [`&code=${code}`, "&client_id=x", "&grant_type=refresh_token", "&code_verifier=x"])
      expectRefusal(await send(asked + more, form), "invalid_request");
    expect((await send(asked, form)).statusCode).toBe(200);
  });
  test("400: resource may be repeated, if each is ours", async () => {
    const code = await aCode(api, client);
    const asked = new URLSearchParams({
      ...{ grant_type: "authorization_code", code, code_verifier: verifier },
      ...{ client_id: client.client_id, resource: "https://api.example/mcp" },
    }).toString();
    expectRefusal(await send(`${asked}&resource=https://evil.example`, form), "invalid_target");
    expect((await send(`${asked}&resource=https://api.example`, form)).statusCode).toBe(200);
  });
  test.each([
    [{}],
    [{ grant_type: "" }],
    [{ grant_type: "authorization_code" }],
    [{ grant_type: "refresh_token" }],
    [{ grant_type: "refresh_token", refresh_token: "" }],
  ])("400: with missing parameters: %j", async (asked) => {
    expectRefusal(await askTokens(api, client, asked), "invalid_request");
  });
  test("400: with members that are not text, a body that is not an object, and without a body", async () => {
    for (const payload of [{ grant_type: 7 }, { grant_type: ["a"] }, ["a"]])
      expectRefusal(await send(payload, {}), "invalid_request");
    for (const payload of ['"text"', "{", ""])
      expectRefusal(await send(payload, { "content-type": "application/json" }), "invalid_request");
  });
  test("400: attack 58, another client's refresh token gets invalid_grant, and still works for the right one", async () => {
    const { refresh_token } = await aGrant(api, client);
    expectRefusal(await renew(api, other, refresh_token), "invalid_grant");
    expect((await renew(api, client, refresh_token)).statusCode).toBe(200);
  });
  test("400: attack 59, more scopes than were granted get invalid_scope, and the token still works", async () => {
    const { refresh_token } = await aGrant(api, client, { scope: "transactions:read:own" });
    for (const scope of [all, "transactions:create:own", "transactions:read:own openid"])
      expectRefusal(await renew(api, client, refresh_token, { scope }), "invalid_scope");
    expect((await renew(api, client, refresh_token)).statusCode).toBe(200);
  });
  test("400: attack 60, another resource gets invalid_target, and the token still works", async () => {
    const { refresh_token } = await aGrant(api, client);
    expectRefusal(
      await renew(api, client, refresh_token, { resource: "https://evil.example/mcp" }),
      "invalid_target",
    );
    expect((await renew(api, client, refresh_token)).statusCode).toBe(200);
  });
  test("400: a refresh token presented again within a minute is rejected, and its family stays valid", async () => {
    const first = await aGrant(api, client);
    const second = tokensIn(await renew(api, client, first.refresh_token));
    await ageUse(first.refresh_token, 58);
    expectRefusal(await renew(api, client, first.refresh_token), "invalid_grant");
    expect((await renew(api, client, second.refresh_token)).statusCode).toBe(200);
  });
  test("400: attack 62, a refresh token presented again after the grace period is rejected, and the newest ends too", async () => {
    const first = await aGrant(api, client);
    const second = tokensIn(await renew(api, client, first.refresh_token));
    await ageUse(first.refresh_token, 61);
    expectRefusal(await renew(api, client, first.refresh_token), "invalid_grant");
    expect(await revokedBecause(second)).toBe("token-reused");
    expectRefusal(await renew(api, client, second.refresh_token), "invalid_grant");
  });
  test("400: attack 63, a refresh token after 30 days gets invalid_grant", async () => {
    const { refresh_token } = await aGrant(api, client);
    const { rows } = await database.query(
      `select round(extract(epoch from expires_at - now()) / 86400)::int as days from oauth_refresh_tokens where token_hash = $1`,
      [hashOf(refresh_token)],
    );
    expect(rows).toEqual([{ days: 30 }]);
    await database.query("update oauth_refresh_tokens set expires_at = now() where token_hash = $1", [
      hashOf(refresh_token),
    ]);
    expectRefusal(await renew(api, client, refresh_token), "invalid_grant");
  });
  test("400: a refresh token of an expired grant, however often it was renewed", async () => {
    const tokens = await aGrant(api, client);
    await database.query("update oauth_grants set ends_at = now() + interval '1 hour' where id = $1", [
      claimsIn(tokens)["gid"],
    ]);
    const { refresh_token } = tokensIn(await renew(api, client, tokens.refresh_token));
    await database.query("update oauth_grants set ends_at = now() where id = $1", [claimsIn(tokens)["gid"]]);
    expectRefusal(await renew(api, client, refresh_token), "invalid_grant");
    const { rows } = await database.query(
      "select expires_at < now() + interval '1 hour' as is_capped from oauth_refresh_tokens where token_hash = $1",
      [hashOf(refresh_token)],
    );
    expect(rows).toEqual([{ is_capped: true }]);
  });
  test("400: a malformed token", async () => {
    for (const text of ["x", "x".repeat(4096), "eyJhbGciOiJub25lIn0.e30."])
      expectRefusal(await renew(api, client, text), "invalid_grant");
  });

  test("401: attacks 50, 51 and 54, without a secret, with a wrong one, and with one for a public client", async () => {
    const own = await aSecretClient(api);
    const asked = { grant_type: "refresh_token", refresh_token: "x" };
    for (const presented of [
      { ...own, client_secret: undefined },
      { ...own, client_secret: `${own.client_secret.slice(0, -1)}_` },
      { ...own, client_secret: other.client_id },
    ])
      expectRefusal(
        await askTokens(api, client, { ...asked, ...presented, redirect_uris: undefined }),
        "invalid_client",
        401,
      );
    const refused = await askTokens(api, client, { ...asked, client_secret: "x" });
    expectRefusal(refused, "invalid_client", 401);
    expect(refused.headers["www-authenticate"]).toBe('Basic realm="https://api.example"');
  });
  test("401: an unknown client, so that it registers again", async () => {
    const asked = { grant_type: "refresh_token", refresh_token: "x" };
    for (const client_id of ["nobody", "01890000-0000-7000-8000-000000000000"])
      expectRefusal(await askTokens(api, client, { ...asked, client_id }), "invalid_client", 401);
  });
  test("401: attack 53, malformed or wrong Basic credentials, with a challenge", async () => {
    const payload = "grant_type=refresh_token&refresh_token=x";
    for (const authorization of [
      "Basic",
      "Basic !",
      "Basic eA==",
      "Bearer x",
      basic(client.client_id, "x").authorization,
    ]) {
      const answer = await send(payload, { ...form, authorization });
      expectRefusal(answer, "invalid_client", 401);
      expect(answer.headers["www-authenticate"]).toBe('Basic realm="https://api.example"');
    }
  });
  test("413: a body larger than any valid one", async () => {
    const answer = await send(`grant_type=${"x".repeat(70_000)}`, form);
    expect(answer.statusCode).toBe(413);
    expect(answer.json()).toMatchObject({ error: "invalid_request" });
  });
  test("405: attack 65, GET", async () => {
    const answer = await api.http.send("/oauth/token");
    expect(answer.statusCode).toBe(405);
    expect(answer.headers.allow).toBe("POST");
  });
  test("429: rejects a request beyond the standard limit of its address, in words of its own", async () => {
    expect(await exceedLimit(api, { method: "POST", url: "/oauth/token" })).toBe(429);
    const remoteAddress = "10.9.0.1";
    for (let count = 0; count < 300; count++)
      await api.http.send({ method: "POST", url: "/oauth/token", remoteAddress });
    const answer = await api.http.send({ method: "POST", url: "/oauth/token", remoteAddress });
    expect(answer.json()).toMatchObject({ error: "too_many_requests", statusCode: 429 });
    expect(answer.headers).toHaveProperty("retry-after");
  });
  test("503: attack 64, while the database is down, and never invalid_grant; the credentials work afterwards", async () => {
    const [code, { refresh_token }] = [await aCode(api, client), await aGrant(api, client)];
    await database.query("alter schema public rename to away");
    try {
      expectRefusal(await redeem(api, client, code), "temporarily_unavailable", 503);
      expectRefusal(await renew(api, client, refresh_token), "temporarily_unavailable", 503);
    } finally {
      await database.query("alter schema away rename to public");
    }
    expect((await redeem(api, client, code)).statusCode).toBe(200);
    expect((await renew(api, client, refresh_token)).statusCode).toBe(200);
  });
});

const revoke = ({ client_id, client_secret }: TestClient, token: string | undefined, more = "") =>
  send(
    new URLSearchParams(
      Object.entries({ client_id, client_secret, token }).filter(
        (pair): pair is [string, string] => pair[1] !== undefined,
      ),
    ).toString() + more,
    form,
    "/oauth/revoke",
  );

describe("POST /oauth/revoke", () => {
  test("200: for either token: the whole grant ends", async () => {
    for (const name of ["refresh_token", "access_token"] as const) {
      const tokens = await aGrant(api, client);
      expect((await revoke(client, tokens[name], "&token_type_hint=refresh_token")).statusCode).toBe(200);
      expect(await revokedBecause(tokens)).toBe("client");
      expectRefusal(await renew(api, client, tokens.refresh_token), "invalid_grant");
      expect((await revoke(client, tokens[name])).statusCode).toBe(200);
    }
  });
  test("200: for another client's token, and a malformed one; nothing happens", async () => {
    const tokens = await aGrant(api, client);
    for (const token of [tokens.refresh_token, tokens.access_token, "x"])
      expect((await revoke(other, token)).statusCode).toBe(200);
    expect((await renew(api, client, tokens.refresh_token)).statusCode).toBe(200);
  });
  test("400: without a token, or with two", async () => {
    for (const answer of [await revoke(client, undefined), await revoke(client, "x", "&token=y")])
      expectRefusal(answer, "invalid_request");
  });
  test("401: by a client that does not authenticate; nothing happens", async () => {
    const own = await aSecretClient(api);
    const tokens = await aGrant(api, own);
    const { client_secret: _, ...bare } = own;
    expectRefusal(await revoke(bare, tokens.refresh_token), "invalid_client", 401);
    expect((await renew(api, own, tokens.refresh_token)).statusCode).toBe(200);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "POST", url: "/oauth/revoke" })).toBe(429);
  });
  test("503: while the database is down", async () => {
    const tokens = await aGrant(api, client);
    await database.query("alter schema public rename to away");
    try {
      expectRefusal(await revoke(client, tokens.refresh_token), "temporarily_unavailable", 503);
    } finally {
      await database.query("alter schema away rename to public");
    }
    expect(await revokedBecause(tokens)).toBeNull();
  });
});

test.each(["/oauth/token", "/oauth/revoke"])(
  "a page of any site may call %s, without cookies",
  async (url) => {
    const headers = {
      origin: "https://inspector.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization, content-type, mcp-protocol-version",
    };
    const asked = await api.http.send({ method: "OPTIONS", url, headers });
    expect(asked.statusCode).toBe(204);
    expect(asked.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
    });
    expect(asked.headers).not.toHaveProperty("access-control-allow-credentials");
  },
);
