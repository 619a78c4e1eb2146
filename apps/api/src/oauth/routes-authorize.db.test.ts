import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aTestApi, exceedLimit, type TestApi } from "../../test/test-api.ts";
import {
  aPublicClient,
  authorizeUrl,
  challenge,
  register,
  state,
  type TestClient,
} from "../../test/oauth.ts";

let api: TestApi;
let database: pg.Client;
let client: TestClient;
const web = "https://app.example/cb?tenant=a%20b";
const loopback = "http://127.0.0.1/callback";
beforeAll(async () => {
  api = await aTestApi({ UI_URL: "https://ui.example" });
  database = new pg.Client(api.databaseUrl);
  await database.connect();
  client = await aPublicClient(api, [loopback, web]);
});
afterAll(async () => {
  await database.end();
  await api.close();
});

type More = Readonly<Record<string, string | undefined>>;
const ask = (more: More = {}, who = client) => api.http.send(authorizeUrl(who, more));

/** Returns the parameters that the client gets at its redirect URI. */
async function told(more: More): Promise<Record<string, string>> {
  const { statusCode, headers } = await ask({ redirect_uri: web, ...more });
  expect(statusCode).toBe(302);
  const location = new URL(headers.location ?? "");
  expect(`${location.origin}${location.pathname}`).toBe("https://app.example/cb");
  return Object.fromEntries(location.searchParams);
}

const unaffected = { tenant: "a b", state, iss: "https://api.example" };

describe("GET /oauth/authorize", () => {
  test("302: to the consent page, with a session that has all parameters, and a cookie for the browser", async () => {
    const { statusCode, headers, body } = await ask({
      redirect_uri: "http://127.0.0.1:7777/callback",
      scope: "transactions:read:own openid",
      resource: "https://api.example/mcp",
    });
    expect(statusCode).toBe(302);
    expect(body).toBe("");
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(headers["set-cookie"]).toEqual([
      expect.stringMatching(
        /^__Host-oauth_txn=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
    const [, id] =
      /^https:\/\/ui\.example\/oauth\/consent\?session=([0-9a-f-]{36})$/.exec(headers.location ?? "") ?? [];
    const { rows } = await database.query(
      `select client_id, client_name, registration, redirect_uri, state, code_challenge, scopes, status,
         extract(epoch from expires_at - created_at)::int as seconds from oauth_sessions where id = $1`,
      [id],
    );
    expect(rows).toEqual([
      {
        client_id: client.client_id,
        client_name: "A test client",
        registration: "dynamic",
        redirect_uri: "http://127.0.0.1:7777/callback",
        state,
        code_challenge: challenge,
        scopes: ["transactions:read:own"],
        status: "pending",
        seconds: 600,
      },
    ]);
  });
  test("302: for all scopes if none is requested; unknown parameters are ignored", async () => {
    const { headers } = await ask({
      scope: undefined,
      prompt: "none",
      nonce: "n",
      response_mode: "form_post",
    });
    const id = new URL(headers.location ?? "").searchParams.get("session");
    const { rows } = await database.query(
      "select cardinality(scopes) as n from oauth_sessions where id = $1",
      [id],
    );
    expect(rows).toEqual([{ n: 3 }]);
  });
  test("302: without redirect_uri if only one is registered, and without state", async () => {
    const single = await aPublicClient(api, [web]);
    const { headers } = await ask({ redirect_uri: undefined, state: undefined }, single);
    expect(headers.location).toMatch(/^https:\/\/ui\.example\/oauth\/consent\?session=/);
    const refused = await ask({ redirect_uri: "", state: "", response_type: "token" }, single);
    expect(new URL(refused.headers.location ?? "").searchParams.has("state")).toBe(false);
  });
  test.each([
    "https://api.example",
    "https://api.example/",
    "https://api.example/mcp/",
    "HTTPS://API.example/mcp",
    "",
  ])("302: for %j, which clients use for the same resource", async (resource) => {
    expect((await ask({ resource })).headers.location).toMatch(/^https:\/\/ui\.example\//);
  });
  test("302: attack 21, to any port of a program on this machine", async () => {
    for (const port of ["1", "8080", "65535"]) {
      const { headers } = await ask({ redirect_uri: `http://127.0.0.1:${port}/callback` });
      expect(headers.location).toMatch(/^https:\/\/ui\.example\//);
    }
  });
  test("302: attack 22, without PKCE the client gets an error, with state and iss", async () => {
    for (const code_challenge of [undefined, "", "short", `${challenge}=`])
      expect(await told({ code_challenge })).toEqual({
        ...unaffected,
        error: "invalid_request",
        error_description: "code_challenge must be the base64url of a SHA-256",
      });
  });
  test.each([
    ["attack 23, plain", "plain"],
    ["attack 24, no method, which means plain", undefined],
    ["another method", "S512"],
  ])("302: %s gets invalid_request", async (_, code_challenge_method) => {
    expect(await told({ code_challenge_method })).toEqual({
      ...unaffected,
      error: "invalid_request",
      error_description: "code_challenge_method must be S256",
    });
  });
  test.each([
    ["attack 25, a token", "token", "unsupported_response_type"],
    ["a code and more", "code id_token", "unsupported_response_type"],
    ["nothing", undefined, "invalid_request"],
  ])("302: a request to be answered with %s gets an error", async (_, response_type, error) => {
    expect(await told({ response_type })).toMatchObject({ ...unaffected, error });
  });
  test.each([
    ["attack 26, of another server", "https://evil.example/mcp"],
    ["attack 27, with a fragment", "https://api.example/mcp#x"],
    ["of ours, but another", "https://api.example/mcp/other"],
    ["that is no address", "mcp"],
  ])("302: a resource %s gets invalid_target", async (_, resource) => {
    expect(await told({ resource })).toMatchObject({ ...unaffected, error: "invalid_target" });
  });
  test("302: attack 28, scopes that cannot be granted get invalid_scope", async () => {
    expect(await told({ scope: "transactions:create:any openid" })).toMatchObject({
      ...unaffected,
      error: "invalid_scope",
    });
  });
  test("302: attack 31, a state with line breaks comes back percent-encoded, and no header is added", async () => {
    const evil = "a\r\nSet-Cookie: x=y\r\n\r\n<script>";
    const { headers } = await ask({ redirect_uri: web, response_type: "token", state: evil });
    expect(headers["set-cookie"]).toBeUndefined();
    expect(headers.location).toContain("state=a%0D%0ASet-Cookie");
    expect(new URL(headers.location ?? "").searchParams.get("state")).toBe(evil);
  });
  test("302: attack 32, an address with its own query keeps it", async () => {
    const { headers } = await ask({ redirect_uri: web, response_type: "token" });
    expect(headers.location).toMatch(/^https:\/\/app\.example\/cb\?tenant=a%20b&error=/);
  });
  test("302: the browser's existing cookie is kept, so that two programs may ask at once", async () => {
    const first = await ask();
    const [cookie = ""] = (first.headers["set-cookie"]?.[0] ?? "").split(";");
    const second = await api.http.send({ url: authorizeUrl(client), headers: { cookie } });
    expect(second.headers["set-cookie"]).toEqual(first.headers["set-cookie"]);
  });

  test("400: attack 16, reports an unknown client to the user, with the remedy, and does not redirect", async () => {
    for (const client_id of [
      "nobody",
      "01890000-0000-7000-8000-000000000000",
      "https://evil.example/client.json",
    ]) {
      const { statusCode, headers, body } = await ask({ client_id });
      expect(statusCode).toBe(400);
      expect(headers.location).toBeUndefined();
      expect(JSON.parse(body)).toMatchObject({ statusCode: 400, error: "invalid_client" });
      expect(body).toContain("register it again");
    }
  });
  test.each([
    ["attack 17, that was not registered", "https://evil.example/cb"],
    ["attack 18, with dots in its path", "http://127.0.0.1/callback/../evil"],
    ["attack 19, on another name of this machine", "http://localhost/callback"],
    ["attack 20, with the host in its user", "http://127.0.0.1:80@evil.example/callback"],
    ["attack 20, with the host in its user, the other way", "http://127.0.0.1:7777\\@evil.example/callback"],
    ["attack 21, with another path", "http://127.0.0.1:7777/callback2"],
    ["attack 21, with a query", "http://127.0.0.1:7777/callback?x=1"],
    ["of another scheme", "https://127.0.0.1/callback"],
    ["with a fragment", `${web}#x`],
    ["in other letters", web.replace("/cb", "/CB")],
    ["that runs a script", "javascript:alert(1)"],
    ["that is left out though there are two", undefined],
  ])("400: an address %s; does not redirect there", async (_, redirect_uri) => {
    const { statusCode, headers, body } = await ask({ redirect_uri, response_type: "token" });
    expect(statusCode).toBe(400);
    expect(headers.location).toBeUndefined();
    expect(JSON.parse(body)).toMatchObject({ error: "invalid_request", statusCode: 400 });
  });
  test.each([
    ["attack 29, client_id", `&client_id=evil`],
    [
      "attack 30, redirect_uri, one good and one bad",
      `&redirect_uri=${encodeURIComponent("https://evil.example")}`,
    ],
    ["state", "&state=other"],
    ["scope", "&scope=a&scope=b"],
    ["code_challenge", `&code_challenge=${"x".repeat(43)}`],
  ])("400: sent twice: %s", async (_, more) => {
    const { statusCode, headers, body } = await api.http.send(authorizeUrl(client) + more);
    expect(statusCode).toBe(400);
    expect(headers.location).toBeUndefined();
    expect(JSON.parse(body)).toMatchObject({ error: "invalid_request" });
    expect(body).not.toContain("evil");
  });
  test("400: without client_id, and with a malformed one", async () => {
    expect((await ask({ client_id: undefined })).statusCode).toBe(400);
    expect((await ask({ client_id: "" })).statusCode).toBe(400);
    expect((await ask({ state: "a\0b" })).statusCode).toBe(400);
    expect((await ask({ state: "x".repeat(2049) })).statusCode).toBe(400);
  });
  test("400: as a page for a browser that contains nothing of the request", async () => {
    const url = authorizeUrl(client, { redirect_uri: "https://evil.example/<b>", state: "<script>" });
    const headers = { accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8" };
    const answer = await api.http.send({ url, headers });
    expect(answer.statusCode).toBe(400);
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(answer.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(answer.body).toContain("redirect_uri is not registered for this client");
    expect(answer.body).not.toMatch(/evil|script/);
  });
  test("400: for a client that was deleted", async () => {
    const { client_id } = (await register(api, { redirect_uris: [web] })).json<TestClient>();
    await database.query("delete from oauth_clients where id = $1", [client_id]);
    expect((await ask({ client_id, redirect_uri: web })).statusCode).toBe(400);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "GET", url: "/oauth/authorize" })).toBe(429);
  });
});
