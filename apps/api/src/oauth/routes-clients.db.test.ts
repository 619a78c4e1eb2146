import { createHash } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { aTestApi, type TestApi } from "../../test/test-api.ts";
import { aPublicClient, aSecretClient, callback, register } from "../../test/oauth.ts";

let api: TestApi;
let record: pg.Client;
let logged = "";
beforeAll(async () => {
  const to = { write: (line: string) => void (logged += line) };
  const log = makeLog({ app: "api", level: "debug", to });
  api = await aTestApi({}, log);
  record = new pg.Client(api.databaseUrl);
  await record.connect();
});
afterAll(async () => {
  await record.end();
  await api.close();
});

const scope = "transactions:create:own transactions:approve:own transactions:read:own";
let lastAddress = 0;
/** Each from its own address, so that no test reaches a limit that it is not about. */
const ask = (payload: object) => register(api, payload, `10.3.${++lastAddress >> 8}.${lastAddress & 255}`);
const send = (payload: string, headers: Record<string, string>) =>
  api.http.send({ method: "POST", url: "/oauth/register", payload, headers });
const rowOf = async (id: string) => {
  const { rows } = await record.query("select * from oauth_clients where id = $1", [id]);
  return (rows as Record<string, unknown>[])[0];
};
const refusal = (error: string) => ({
  error,
  error_description: expect.stringMatching(/^[ !#-[\]-~]+$/) as string,
  statusCode: 400,
  message: expect.any(String) as string,
});

describe("POST /oauth/register", () => {
  describe("accepts a registration:", () => {
    test("201: redirect URIs are enough; everything else has a default", async () => {
      const answer = await ask({ redirect_uris: [callback] });
      expect(answer.statusCode).toBe(201);
      const body = answer.json<{ client_id: string; client_secret: string; client_id_issued_at: number }>();
      expect(body).toEqual({
        client_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        client_id_issued_at: expect.any(Number) as number,
        client_secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as string,
        client_secret_expires_at: 0,
        redirect_uris: [callback],
        client_name: "MCP client",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "client_secret_basic",
        scope,
      });
      expect(Math.abs(body.client_id_issued_at - Date.now() / 1000)).toBeLessThan(60);
    });
    test("201: is not cached, and any page may ask", async () => {
      const answer = await api.http.send({
        method: "POST",
        url: "/oauth/register",
        payload: { redirect_uris: [callback] },
        headers: { origin: "https://any.example" },
      });
      expect(answer.headers).toMatchObject({
        "cache-control": "no-store",
        pragma: "no-cache",
        "access-control-allow-origin": "*",
      });
    });
    test("201: attack 10: a public client gets no secret", async () => {
      const body = (
        await ask({ redirect_uris: [callback], token_endpoint_auth_method: "none" })
      ).json<object>();
      expect(body).toMatchObject({ token_endpoint_auth_method: "none" });
      expect(body).not.toHaveProperty("client_secret");
      expect(body).not.toHaveProperty("client_secret_expires_at");
    });
    test.each(["client_secret_post", "client_secret_basic"])("a client may choose %s", async (method) => {
      const answer = await ask({ redirect_uris: [callback], token_endpoint_auth_method: method });
      expect(answer.json()).toMatchObject({
        token_endpoint_auth_method: method,
        client_secret_expires_at: 0,
      });
    });
    test("201: attack 15: the database has only a hash of the secret, and the log nothing", async () => {
      const { client_id: id, client_secret: secret } = await aSecretClient(api);
      const row = await rowOf(id);
      expect(row?.["secret_hash"]).toEqual(createHash("sha256").update(secret).digest());
      expect(JSON.stringify(row)).not.toContain(secret);
      expect(logged).toContain("/oauth/register");
      expect(logged).not.toContain(secret);
    });
    test("201: the redirect URIs come back as sent, in their order, including repetitions", async () => {
      const uris = [
        "HTTP://LOCALHOST:80/%7ea",
        "https://client.example",
        "https://client.example:443/",
        callback,
        callback,
      ];
      const body = (await ask({ redirect_uris: uris })).json<{ client_id: string }>();
      expect(body).toMatchObject({ redirect_uris: uris });
      expect((await rowOf(body.client_id))?.["redirect_uris"]).toEqual(uris);
    });
    test("201: ten redirect URIs, and one of 2000 characters", async () => {
      const uris = Array.from({ length: 10 }, (_, index) => `https://client.example/${index}`);
      expect((await ask({ redirect_uris: uris })).statusCode).toBe(201);
      const long = `https://client.example/${"a".repeat(1977)}`;
      expect((await ask({ redirect_uris: [long] })).statusCode).toBe(201);
    });
    test.each([
      ["attack 11: what turns the direction of reading", "Good\u202egnp.exe", "Goodgnp.exe"],
      ["attack 11: control characters", "A\u0007B\tC\r\nD", "ABCD"],
      ["attack 11: what cannot be seen", "\u200bCla\u00adude\u2060\u3164\ufeff", "Claude"],
      ["attack 11: markup, which is text", "<b>Client</b> & co", "<b>Client</b> & co"],
      ["nothing but spaces", "   ", "MCP client"],
      ["nothing that can be seen", "\u202e\u200f", "MCP client"],
      ["letters of any alphabet", "Клиент 客户端 🤖", "Клиент 客户端 🤖"],
      ["as many characters as may be", "🤖".repeat(100), "🤖".repeat(100)],
    ])("of the name %s, only printable characters are stored", async (_what, given, kept) => {
      const body = (await ask({ redirect_uris: [callback], client_name: given })).json<{
        client_id: string;
      }>();
      expect(body).toMatchObject({ client_name: kept });
      expect((await rowOf(body.client_id))?.["name"]).toBe(kept);
    });
    test("201: null or empty members count as missing, and none comes back as null", async () => {
      const empty = { client_name: null, scope: null, client_uri: null, logo_uri: "", grant_types: null };
      const answer = await ask({ redirect_uris: [callback], ...empty, token_endpoint_auth_method: null });
      expect(answer.statusCode).toBe(201);
      expect(answer.body).not.toContain("null");
      expect(answer.json()).not.toHaveProperty("client_uri");
    });
    test("201: unknown members are ignored, whatever they contain", async () => {
      const more = {
        resource: "https://elsewhere.example",
        jwks: { keys: 1 },
        application_type: 7,
        contacts: "me",
      };
      const answer = await ask({ redirect_uris: [callback], ...more });
      expect(answer.statusCode).toBe(201);
      for (const name of Object.keys(more)) expect(answer.json()).not.toHaveProperty(name);
      expect(answer.json()).not.toHaveProperty("registration_client_uri");
    });
    test("201: unsupported grant types are dropped", async () => {
      const grantTypes = ["authorization_code", "implicit", "urn:ietf:params:oauth:grant-type:device_code"];
      const answer = await ask({ redirect_uris: [callback], grant_types: grantTypes });
      expect(answer.json()).toMatchObject({ grant_types: ["authorization_code", "refresh_token"] });
    });
    test("201: the client's page is stored", async () => {
      const answer = await ask({ redirect_uris: [callback], client_uri: "https://client.example/about" });
      expect(answer.json()).toMatchObject({ client_uri: "https://client.example/about" });
    });
    test("400: a repeated member, whichever of the two is valid", async () => {
      const json = { "content-type": "application/json" };
      const twice = (first: string, last: string) =>
        send(`{"redirect_uris":["${first}"],"redirect_uris":["${last}"]}`, json);
      expect((await twice(callback, "javascript:alert(1)")).statusCode).toBe(400);
      expect((await twice("javascript:alert(1)", callback)).statusCode).toBe(400);
      expect((await twice(callback, callback)).json()).toMatchObject({ error: "invalid_request" });
    });
    test("201: two clients never share an id or a secret", async () => {
      const made = await Promise.all(Array.from({ length: 20 }, () => aSecretClient(api)));
      expect(new Set(made.flatMap((client) => [client.client_id, client.client_secret])).size).toBe(40);
      expect((await aPublicClient(api)).client_secret).toBeUndefined();
    });
  });

  describe("rejects one:", () => {
    test.each([
      ["attack 1: a script", ["javascript:alert(1)"]],
      ["attack 2: a script in mixed case", ["JaVaScRiPt:alert(1)"]],
      ["attack 2: a script behind a space", [" javascript:alert(1)"]],
      ["attack 2: data", ["data:text/html,x"]],
      ["attack 2: a file", ["file:///etc/passwd"]],
      ["attack 3: http elsewhere", ["http://evil.example/cb"]],
      ["attack 4: a user", ["https://a@evil.example"]],
      ["attack 5: a fragment", ["https://client.example/#x"]],
      ["attack 6: a name like this machine's", ["http://localhost.evil.example"]],
      ["attack 6: a name of this machine", ["http://127.0.0.1.nip.io"]],
      ["attack 6: all of this machine", ["http://0.0.0.0"]],
      ["attack 6: this machine, mapped", ["http://[::ffff:127.0.0.1]"]],
      ["attack 7: a wildcard", ["https://*.evil.example/"]],
      ["attack 8: no list", undefined],
      ["attack 8: an empty list", []],
      ["attack 8: eleven", Array.from({ length: 11 }, (_, index) => `https://client.example/${index}`)],
      ["a good one and a bad one", [callback, "javascript:alert(1)"]],
      ["one that is too long", [`https://client.example/${"a".repeat(2000)}`]],
      ["one that is no text", [1]],
      ["a text in place of a list", callback],
      ["null", null],
    ])("redirect URIs: %s", async (_what, redirectUris) => {
      const answer = await ask({ redirect_uris: redirectUris });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual(refusal("invalid_redirect_uri"));
      expect(answer.headers["cache-control"]).toBe("no-store");
    });
    test.each([
      [
        "attack 9: a way to authenticate that there is not",
        { token_endpoint_auth_method: "client_secret_jwt" },
      ],
      ["a way to authenticate that is a list", { token_endpoint_auth_method: ["none"] }],
      ["attack 12: a picture that is a script", { logo_uri: "javascript:alert(1)" }],
      ["attack 12: a page that is a script", { client_uri: "JavaScript:alert(1)" }],
      ["attack 12: terms that are data", { tos_uri: "data:text/html,x" }],
      ["attack 12: a policy behind a space", { policy_uri: " https://client.example" }],
      ["attack 12: a page with a user", { client_uri: "https://good.example@evil.example" }],
      ["a name that is too long", { client_name: "a".repeat(101) }],
      ["a name that is no text", { client_name: { toString: "x" } }],
      ["no grant type that there is", { grant_types: ["client_credentials"] }],
      ["grant types that are no list", { grant_types: "authorization_code" }],
      ["no response type that there is", { response_types: ["token"] }],
      ["scopes that are a list", { scope: ["transactions:read:own"] }],
    ])("metadata: %s", async (_what, more) => {
      const answer = await ask({ redirect_uris: [callback], ...more });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual(refusal("invalid_client_metadata"));
    });
    test("400: names the mistake and does not repeat the value", async () => {
      const answer = await ask({ redirect_uris: [callback], logo_uri: "javascript:alert(4711)" });
      expect(answer.json<{ message: string }>().message).toContain("logo_uri");
      expect(answer.body).not.toContain("4711");
    });
    test.each([
      ["attack 14: a list", "[]", "application/json"],
      [
        "attack 14: a form",
        "redirect_uris=https%3A%2F%2Fclient.example",
        "application/x-www-form-urlencoded",
      ],
      ["attack 14: a text", `"x"`, "application/json"],
      ["attack 14: null", "null", "application/json"],
      ["attack 14: nothing", "", "application/json"],
      ["attack 14: broken JSON", "{", "application/json"],
      ["attack 14: plain text", "{}", "text/plain"],
      ["attack 14: a prototype", `{"__proto__":{"redirect_uris":["${callback}"]}}`, "application/json"],
      ["invalid text", `{"redirect_uris":["${callback}"],"client_name":"\\u0000"}`, "application/json"],
    ])("%s as a body", async (_what, payload, type) => {
      const answer = await send(payload, { "content-type": type });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual(refusal("invalid_request"));
    });
    test("400: a rejected registration is not stored", async () => {
      const count = async () => (await record.query("select 1 from oauth_clients")).rows.length;
      const before = await count();
      await ask({ redirect_uris: ["javascript:alert(1)"] });
      await ask({ redirect_uris: [callback], logo_uri: "x" });
      expect(await count()).toBe(before);
    });
  });

  test("405: to GET", async () => {
    const answer = await api.http.send("/oauth/register");
    expect(answer.statusCode).toBe(405);
    expect(answer.headers.allow).toBe("POST");
  });
  test("413: attack 14: a megabyte", async () => {
    const answer = await ask({ redirect_uris: [callback], client_name: "a".repeat(1024 * 1024) });
    expect(answer.statusCode).toBe(413);
    expect(answer.json()).toMatchObject({ error: "invalid_request", statusCode: 413 });
  });
  test("429: attack 13: one registration too many in a minute, and not for others", async () => {
    const few = await aTestApi({ OAUTH_REGISTRATIONS_PER_MINUTE_PER_IP: "3" });
    try {
      const one = () => register(few, { redirect_uris: [callback] }, "10.4.0.1");
      for (let count = 0; count < 3; count++) expect((await one()).statusCode).toBe(201);
      const answer = await one();
      expect(answer.statusCode).toBe(429);
      expect(answer.json()).toMatchObject({ error: "too_many_requests", statusCode: 429 });
      expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
      const other = await register(few, { redirect_uris: [callback] }, "10.4.0.2");
      expect(other.statusCode).toBe(201);
    } finally {
      await few.close();
    }
  });
  test("429: attack 13: by default that is the 301st", () => {
    expect(api.config.OAUTH_REGISTRATIONS_PER_MINUTE_PER_IP).toBe(300);
  });
});
