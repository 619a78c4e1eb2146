import { createHash, randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bearer, signIn, type SignedIn } from "../../test/sign-in.ts";
import { aTestApi, exceedLimit, type TestApi } from "../../test/test-api.ts";

const environment = {
  UI_URL: "https://ui.example",
  SECRETS_KEY: randomBytes(32).toString("base64"),
};
let api: TestApi;
let database: pg.Client;
beforeAll(async () => {
  api = await aTestApi(environment);
  database = new pg.Client(api.databaseUrl);
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await api.close();
});

let lastAddress = 0;
/** The limits are low, so each request comes from its own address unless the test is about limits. */
const somewhere = (): string => `10.2.${++lastAddress >> 8}.${lastAddress & 255}`;

const initiate = (payload?: object, headers: Record<string, string> = {}) =>
  api.http.send({
    method: "POST",
    url: "/auth/connect/initiate",
    remoteAddress: somewhere(),
    headers,
    ...(payload === undefined ? {} : { payload }),
  });
const aCode = async (payload?: object): Promise<string> =>
  (await initiate(payload)).json<{ code: string }>().code;
const poll = (code: string, headers: Record<string, string> = {}, more = "", at = api) =>
  at.http.send({
    url: `/auth/connect/status?code=${code}${more}`,
    remoteAddress: somewhere(),
    headers,
  });
const approve = (who: SignedIn, code: unknown, at = api) =>
  at.http.send({
    method: "POST",
    url: "/auth/connect/approve",
    remoteAddress: somewhere(),
    payload: { code },
    headers: bearer(who),
  });
const info = (who: SignedIn, code: string) =>
  api.http.send({ url: `/auth/connect/info?code=${code}`, headers: bearer(who) });
const self = (apiKey: string) =>
  api.http.send({ url: "/user-api-keys/self", headers: { "x-api-key": apiKey } });
const listKeys = async (who: SignedIn) =>
  (await api.http.send({ url: "/user-api-keys", headers: bearer(who) })).json<
    { id: string; active: boolean; name: string; label: string; scopes: string[] }[]
  >();

const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();
const age = (code: string, by = "11 minutes") =>
  database.query("update connections set expires_at = expires_at - $2::interval where code_hash = $1", [
    hashOf(code),
    by,
  ]);
const statusInRecord = async (code: string): Promise<unknown> => {
  const found = await database.query("select status from connections where code_hash = $1", [hashOf(code)]);
  return (found.rows as { status: string }[])[0]?.status;
};
const anUnknown = (): string => randomBytes(16).toString("hex");
const unknown = anUnknown();

/** Further processes on the same database. Each counts requests per code on its own, so together they admit more. */
async function withProcesses(count: number, use: (all: readonly TestApi[]) => Promise<void>): Promise<void> {
  const more = { ...environment, DATABASE_URL: api.databaseUrl };
  const others = await Promise.all(Array.from({ length: count - 1 }, () => aTestApi(more)));
  try {
    await use([api, ...others]);
  } finally {
    await Promise.all(others.map((other) => other.close()));
  }
}
const malformed = ["xyz", "0".repeat(33), "A".repeat(32)];

describe("POST /auth/connect/initiate", () => {
  test("200: without a body, a code of 32 hexadecimal characters and the approval page", async () => {
    const answer = await initiate();
    expect(answer.statusCode).toBe(200);
    const { code, authUrl } = answer.json<{ code: string; authUrl: string }>();
    expect(code).toMatch(/^[0-9a-f]{32}$/);
    expect(answer.json()).toEqual({ code, authUrl });
    expect(authUrl).toBe(`https://ui.example/connect?code=${code}`);
    expect(answer.headers["cache-control"]).toBe("no-store");
  });
  test("200: also with an empty JSON body, and with an empty object", async () => {
    expect((await initiate(undefined, { "content-type": "application/json" })).statusCode).toBe(200);
    expect((await initiate({})).statusCode).toBe(200);
  });
  test("200: sweeps expired codes, and deletes unapproved ones after a day", async () => {
    const [recent, old] = [await aCode(), await aCode()];
    await age(recent);
    await age(old, "2 days");
    await initiate();
    expect(await statusInRecord(recent)).toBe("expired");
    await initiate();
    expect(await statusInRecord(old)).toBeUndefined();
    expect(await statusInRecord(recent)).toBe("expired");
  });
  test.each(["short", "=".repeat(43), "a".repeat(44), 43])(
    "400: a challenge that is not S256: %j",
    async (codeChallenge) => {
      expect((await initiate({ codeChallenge })).statusCode).toBe(400);
    },
  );
  test("429: blocks the 11th request of an address within a minute", async () => {
    expect(await exceedLimit(api, { method: "POST", url: "/auth/connect/initiate" }, 10)).toBe(429);
  });
});

describe("GET /auth/connect/status", () => {
  test("200: pending until the owner approves", async () => {
    const answer = await poll(await aCode());
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ status: "pending" });
  });
  test("200: ready once, with a key that works for the approver and describes itself", async () => {
    const who = await signIn(api);
    const code = await aCode();
    await approve(who, code);
    const answer = await poll(code);
    const { apiKey } = answer.json<{ apiKey: string }>();
    expect(answer.json()).toEqual({ status: "ready", apiKey, walletAddress: who.user.ethereumAddress });
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(apiKey).toMatch(/^cs_user_live_[0-9A-Za-z]{49}$/);
    expect((await self(apiKey)).json()).toMatchObject({
      type: "user",
      label: "agent",
      scopes: ["transactions:create:own", "transactions:approve:own", "transactions:read:own"],
      ethereumAddress: who.user.ethereumAddress,
    });
  });
  test("200: with a challenge, to the holder of its verifier, in the query or in a header", async () => {
    const verifier = "v".repeat(43);
    const codeChallenge = hashOf(verifier).toString("base64url");
    const code = await aCode({ codeChallenge });
    expect((await poll(code, {}, `&codeVerifier=${verifier}`)).json()).toEqual({ status: "pending" });
    await approve(await signIn(api), code);
    expect((await poll(code)).statusCode).toBe(404);
    expect((await poll(code, { "x-connect-verifier": verifier })).json()).toMatchObject({ status: "ready" });
  });
  test("200: for exactly one of a hundred concurrent requests; the others get 410", async () => {
    const code = await aCode();
    await approve(await signIn(api), code);
    await withProcesses(4, async (all) => {
      const answers = await Promise.all(
        Array.from({ length: 25 }, () => all.map((at) => poll(code, {}, "", at))).flat(),
      );
      expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
      expect(answers.filter(({ statusCode }) => statusCode === 410)).toHaveLength(99);
    });
  });
  test.each(["/auth/connect/status", "/auth/connect/status?code="])("400: %s", async (url) => {
    expect((await api.http.send({ url, remoteAddress: somewhere() })).statusCode).toBe(400);
  });
  test.each([unknown, ...malformed])("404: for %s", async (code) => {
    expect((await poll(code)).statusCode).toBe(404);
  });
  test("404: with a wrong or missing verifier, with the message of an unknown code, in every state", async () => {
    const code = await aCode({ codeChallenge: hashOf("v".repeat(43)).toString("base64url") });
    const stranger = (await poll(unknown)).body;
    const tries = async () => [
      (await poll(code)).body,
      (await poll(code, { "x-connect-verifier": "w".repeat(43) })).body,
      (await poll(code, {}, "&codeVerifier=")).body,
    ];
    expect(await tries()).toEqual([stranger, stranger, stranger]);
    await age(code);
    expect(await tries()).toEqual([stranger, stranger, stranger]);
  });
  test("410: after the key was fetched, however often; the key keeps working", async () => {
    const code = await aCode();
    await approve(await signIn(api), code);
    const { apiKey } = (await poll(code)).json<{ apiKey: string }>();
    for (let time = 0; time < 3; time++) expect((await poll(code)).statusCode).toBe(410);
    await age(code);
    expect((await poll(code)).statusCode).toBe(410);
    expect((await self(apiKey)).statusCode).toBe(200);
  });
  test("410: a code that was not approved in time", async () => {
    const code = await aCode();
    await age(code);
    expect((await poll(code)).statusCode).toBe(410);
  });
  test("410: a ready code that was not fetched in time, and its key is revoked", async () => {
    const who = await signIn(api);
    const code = await aCode();
    await approve(who, code);
    expect((await listKeys(who))[0]?.active).toBe(true);
    await age(code);
    expect((await poll(code)).statusCode).toBe(410);
    expect((await listKeys(who)).map(({ active }) => active)).toEqual([false]);
  });
  test("410: its key is revoked also when another request comes first", async () => {
    const who = await signIn(api);
    const code = await aCode();
    await approve(who, code);
    await age(code);
    await poll(unknown);
    expect((await listKeys(who)).map(({ active }) => active)).toEqual([false]);
    expect((await poll(code)).statusCode).toBe(410);
  });
  test("410: its key is revoked also when more codes expired than one request sweeps", async () => {
    const who = await signIn(api);
    const others: string[] = [];
    for (let count = 0; count < 60; count++) others.push(await aCode());
    const code = await aCode();
    await approve(who, code);
    for (const other of others) await age(other, "12 minutes");
    await age(code);
    expect((await poll(code)).statusCode).toBe(410);
    expect((await listKeys(who)).map(({ active }) => active)).toEqual([false]);
    // The youngest of them has not been swept yet.
    expect(await statusInRecord(others.at(-1) ?? "")).toBe("pending");
  });
  test("429: blocks the 31st request of an address within a minute, with Retry-After", async () => {
    const url = `/auth/connect/status?code=${anUnknown()}`;
    const remoteAddress = somewhere();
    for (let count = 0; count < 30; count++)
      await api.http.send({ url: `/auth/connect/status?code=${anUnknown()}`, remoteAddress });
    // A value that the client puts into the header precedes the trusted proxy's and is ignored.
    const answer = await api.http.send({
      url,
      headers: { "x-forwarded-for": `203.0.113.7, ${remoteAddress}` },
    });
    expect(answer.statusCode).toBe(429);
    expect(answer.headers).toMatchObject({
      "retry-after": expect.stringMatching(/^\d+$/) as string,
      "x-ratelimit-limit": "30",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": expect.stringMatching(/^\d+$/) as string,
    });
  });
  test("429: blocks the 31st request about one code within a minute, from any address; another code is unaffected", async () => {
    const [code, other] = [await aCode(), await aCode()];
    for (let count = 0; count < 30; count++)
      expect((await poll(code)).headers["x-ratelimit-remaining"]).toBe(String(29 - count));
    expect((await poll(code)).statusCode).toBe(429);
    expect((await poll(other)).json()).toEqual({ status: "pending" });
  });
  test("429: also for an unknown code, so that the answer does not reveal whether it exists", async () => {
    const code = anUnknown();
    for (let count = 0; count < 30; count++) expect((await poll(code)).statusCode).toBe(404);
    expect((await poll(code)).statusCode).toBe(429);
  });
});

describe("POST /auth/connect/approve", () => {
  test("200: creates one key of the approver's account, named by the day", async () => {
    const who = await signIn(api);
    const answer = await approve(who, await aCode());
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ success: true });
    expect(await listKeys(who)).toMatchObject([
      {
        active: true,
        name: expect.stringMatching(/^agent connection \d{4}-\d\d-\d\d$/) as string,
        label: "agent",
        expiresAt: null,
        scopes: ["transactions:create:own", "transactions:approve:own", "transactions:read:own"],
      },
    ]);
  });
  test("200: for exactly one of twenty concurrent approvals by different owners; there is one key", async () => {
    const code = await aCode();
    const people = await Promise.all(Array.from({ length: 20 }, () => signIn(api)));
    let answers: Awaited<ReturnType<typeof approve>>[] = [];
    await withProcesses(4, async (all) => {
      answers = await Promise.all(people.map((who, index) => approve(who, code, all[index % 4])));
    });
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 400)).toHaveLength(19);
    expect((await Promise.all(people.map(listKeys))).flat()).toHaveLength(1);
    const winner = people[answers.findIndex(({ statusCode }) => statusCode === 200)];
    expect((await poll(code)).json()).toMatchObject({ walletAddress: winner?.user.ethereumAddress });
  });
  test("400: a code that is ready or consumed, also after it expired", async () => {
    const [who, other] = [await signIn(api), await signIn(api)];
    const code = await aCode();
    await approve(who, code);
    expect((await approve(other, code)).json()).toMatchObject({
      statusCode: 400,
      message: "The connection code is not pending",
    });
    await poll(code);
    expect((await approve(who, code)).statusCode).toBe(400);
    await age(code);
    expect((await approve(who, code)).statusCode).toBe(400);
    expect(await listKeys(other)).toEqual([]);
  });
  test("400: with 25 keys already; the code stays pending and can be approved once there is room", async () => {
    const who = await signIn(api);
    for (let count = 0; count < 25; count++)
      await api.http.send({
        method: "POST",
        url: "/user-api-keys",
        payload: { name: "a" },
        headers: bearer(who),
      });
    const code = await aCode();
    expect((await approve(who, code)).json()).toMatchObject({ message: "Too many active keys" });
    expect((await poll(code)).json()).toEqual({ status: "pending" });
    const [first] = await listKeys(who);
    await api.http.send({
      method: "DELETE",
      url: `/user-api-keys/${first?.id ?? ""}`,
      headers: bearer(who),
    });
    expect((await approve(who, code)).statusCode).toBe(200);
  });
  test.each([undefined, 7, ""])("400: without a code: %j", async (code) => {
    expect((await approve(await signIn(api), code)).statusCode).toBe(400);
  });
  test("401: without signing in, and with an API key, which never approves for its owner", async () => {
    const code = await aCode();
    const mine = await aCode();
    await approve(await signIn(api), mine);
    const { apiKey } = (await poll(mine)).json<{ apiKey: string }>();
    for (const headers of [{}, { "x-api-key": apiKey }])
      expect(
        (
          await api.http.send({
            method: "POST",
            url: "/auth/connect/approve",
            remoteAddress: somewhere(),
            payload: { code },
            headers,
          })
        ).statusCode,
      ).toBe(401);
    expect((await poll(code)).json()).toEqual({ status: "pending" });
  });
  test.each([unknown, ...malformed])("404: for %s", async (code) => {
    expect((await approve(await signIn(api), code)).statusCode).toBe(404);
  });
  test("410: after it expired, and no key is created", async () => {
    const who = await signIn(api);
    const code = await aCode();
    await age(code);
    expect((await approve(who, code)).statusCode).toBe(410);
    expect(await listKeys(who)).toEqual([]);
  });
  test("429: blocks the sixth request of an address within a minute", async () => {
    expect(await exceedLimit(api, { method: "POST", url: "/auth/connect/approve" }, 5)).toBe(429);
  });
  test("429: blocks the sixth request of an account within a minute, from any address", async () => {
    const who = await signIn(api);
    for (let count = 0; count < 5; count++) expect((await approve(who, anUnknown())).statusCode).toBe(404);
    expect((await approve(who, anUnknown())).statusCode).toBe(429);
  });
  test("429: blocks the sixth request about one code within a minute, from any address and account", async () => {
    const code = await aCode();
    const people = await Promise.all(Array.from({ length: 6 }, () => signIn(api)));
    const statuses: number[] = [];
    for (const who of people) statuses.push((await approve(who, code)).statusCode);
    expect(statuses).toEqual([200, 400, 400, 400, 400, 429]);
  });
});

describe("GET /auth/connect/info", () => {
  test("200: who asked, when, from where, with which user agent, and four characters to compare", async () => {
    const answer = await api.http.send({
      method: "POST",
      url: "/auth/connect/initiate",
      remoteAddress: "10.9.8.7",
      headers: { "user-agent": `agent/1.0 \u00e9${"x".repeat(500)}` },
    });
    const { code } = answer.json<{ code: string }>();
    const who = await signIn(api);
    const told = (await info(who, code)).json<{ createdAt: string; expiresAt: string }>();
    expect(told).toEqual({
      status: "pending",
      createdAt: told.createdAt,
      expiresAt: told.expiresAt,
      initiatorAddress: "10.9.8.7",
      userAgent: expect.stringMatching(/^agent\/1\.0 \?+x{200,}$/) as string,
      codePrefix: code.slice(0, 4),
    });
    expect(Date.parse(told.expiresAt) - Date.parse(told.createdAt)).toBe(600_000);
    await approve(who, code);
    expect((await info(who, code)).json()).toMatchObject({ status: "ready" });
  });
  test("400: without a code", async () => {
    expect((await info(await signIn(api), "")).statusCode).toBe(400);
  });
  test("401: without signing in", async () => {
    expect((await api.http.send(`/auth/connect/info?code=${await aCode()}`)).statusCode).toBe(401);
  });
  test.each([unknown, ...malformed])("404: for %s", async (code) => {
    expect((await info(await signIn(api), code)).statusCode).toBe(404);
  });
  test("410: after it expired, and after the key was fetched", async () => {
    const who = await signIn(api);
    const [late, used] = [await aCode(), await aCode()];
    await age(late);
    await approve(who, used);
    await poll(used);
    expect((await info(who, late)).statusCode).toBe(410);
    expect((await info(who, used)).statusCode).toBe(410);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "GET", url: "/auth/connect/info" })).toBe(429);
  });
});

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const tables = await database.query("select tablename as name from pg_tables where schemaname = 'public'");
  let text = "";
  for (const { name } of tables.rows as { name: string }[])
    text += JSON.stringify((await database.query(`select t::text from "${name}" t`)).rows);
  return text;
}

test("the database contains neither code nor key, whether pending, ready or fetched", async () => {
  const who = await signIn(api);
  const code = await aCode();
  const dumps = [await dump()];
  await approve(who, code);
  dumps.push(await dump());
  const { apiKey } = (await poll(code)).json<{ apiKey: string }>();
  dumps.push(await dump());
  // Only four characters of a key and its last four are shown.
  const secret = apiKey.slice("cs_user_live_".length);
  for (const text of dumps) {
    expect(text).toContain(hashOf(code).toString("hex"));
    for (const hidden of [code, secret.slice(4), secret.slice(0, 12), secret.slice(-12)]) {
      expect(text).not.toContain(hidden);
      expect(text).not.toContain(Buffer.from(hidden).toString("hex"));
    }
    expect(text).not.toContain(code.slice(0, 16));
  }
});
