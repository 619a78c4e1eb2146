import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { aMessage, askNonce, aWallet, bearer, verify, type SignedIn } from "./sign-in/testing.ts";
import { aTestApi, type TestApi } from "./testing.ts";

// Secrets are sent through every endpoint that gives or takes one, rightly and wrongly; then everything that was kept, logged or
// said in an error is searched for them.
let api: TestApi;
const logged: string[] = [];
const refusals: string[] = [];
const secrets: Record<string, string> = {};

type Request = {
  readonly method?: "GET" | "POST";
  readonly url: string;
  readonly payload?: object;
  readonly headers?: Record<string, string>;
};

/** Sends it, and keeps the body if it is an error. */
async function send(request: Request) {
  const answer = await api.http.send(request);
  if (answer.statusCode >= 400) refusals.push(answer.body);
  return answer;
}

async function liveThroughEverything(): Promise<void> {
  const wallet = aWallet();
  const message = aMessage(wallet.address, await askNonce(api, wallet.address));
  const signature = await wallet.signMessage({ message });
  const who = (await verify(api, message, signature)).json<SignedIn>();
  const post = (url: string, payload: object, headers: Record<string, string> = bearer(who)) =>
    send({ method: "POST", url, payload, headers });
  const next = (await post("/auth/refresh", { refreshToken: who.refreshToken }, {})).json<SignedIn>();
  const { secret } = (await post("/user-api-keys", { name: "a" })).json<{ secret: string }>();
  const { code } = (await post("/auth/connect/initiate", {}, {})).json<{ code: string }>();
  await post("/auth/connect/approve", { code });
  const { apiKey } = (await send({ url: `/auth/connect/status?code=${code}` })).json<{ apiKey: string }>();
  Object.assign(secrets, {
    "the sign-in signature": signature,
    "an access token": who.accessToken,
    "a used refresh token": who.refreshToken,
    "a refresh token": next.refreshToken,
    "an API key": secret,
    "a connection code": code,
    "the key of a connection": apiKey,
  });
  // And now everything wrongly.
  await post("/auth/siwe/verify", { message, signature }, {});
  await post("/auth/siwe/verify", { message: `${message}!`, signature }, {});
  await post("/auth/refresh", { refreshToken: who.refreshToken }, {});
  await post("/auth/refresh", { refreshToken: secret }, {});
  await post("/auth/logout", { refreshToken: 7 });
  await send({ url: `/auth/connect/status?code=${code}` });
  await send({ url: `/auth/connect/status?code=${code}x` });
  await send({
    url: `/auth/me?token=${who.accessToken}`,
    headers: { authorization: `Bearer ${next.refreshToken}` },
  });
  await send({ url: "/user-api-keys/self", headers: { "x-api-key": `${secret}x` } });
  await send({
    url: `/no/such/path/${secret}`,
    headers: { "x-api-key": apiKey, authorization: `Bearer ${who.accessToken}` },
  });
}

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const client = new pg.Client({ connectionString: api.databaseUrl });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  const texts = [];
  for (const { name } of tables)
    texts.push(JSON.stringify((await client.query(`select t::text from "${name}" t`)).rows));
  await client.end();
  return texts.join("\n");
}

beforeAll(async () => {
  const to = { write: (line: string) => void logged.push(line) };
  api = await aTestApi({}, makeLog({ app: "api", level: "debug", to }));
  await liveThroughEverything();
});
afterAll(() => api.close());

test("secrets were really sent, kept and refused", () => {
  expect(Object.values(secrets).every((secret) => secret.length >= 32)).toBe(true);
  expect(refusals.length).toBeGreaterThanOrEqual(8);
  expect(logged.length).toBeGreaterThan(10);
});

describe.each(["the database", "the log", "an error body"])("%s", (place) => {
  test("holds none of the secrets, not even half of one", async () => {
    const text =
      { "the database": await dump(), "the log": logged.join(""), "an error body": refusals.join("") }[
        place
      ] ?? "";
    expect(text.length).toBeGreaterThan(100);
    for (const [name, secret] of Object.entries(secrets)) {
      // The end of it: what comes first may be a prefix that is meant to be recognised.
      expect(text.includes(secret.slice(-Math.floor(secret.length / 2))), name).toBe(false);
    }
  });
});
