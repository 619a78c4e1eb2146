import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { waitUntil, sizeOf } from "@countersign/tools/testing";
import { aTestApiWithKeys, type TestApiWithKeys } from "../../test/api-keys.ts";
import { untilSettled } from "../../test/events.ts";
import { aPublicClient } from "../../test/oauth.ts";
import { bearer } from "../../test/sign-in.ts";
import { anOwner, inDatabase, manyProposals, propose, withKey, type Owner } from "../../test/transactions.ts";
import { uriOf } from "./resource-uri.ts";
import {
  another,
  aSession,
  ask,
  aToken,
  callTool,
  initialize,
  initialized,
  legacyVersion,
  listen,
  messagesIn,
  modern,
  ping,
  type Answer,
  type OpenedStream,
} from "../../test/mcp/over-http.ts";

type Hex = `0x${string}`;
type Headers = Readonly<Record<string, string>>;

const perMinute = 30;
let api: TestApiWithKeys;
let owner: Owner;
let stranger: Owner;
let key: Headers;
beforeAll(async () => {
  api = await aTestApiWithKeys({
    ...manyProposals,
    MCP_REQUESTS_PER_MINUTE_PER_IP: String(perMinute),
    MCP_CHECK_EVERY_MS: "100",
    MCP_ORIGINS: "https://assistant.example",
  });
  owner = await anOwner(api);
  stranger = await anOwner(api);
  key = withKey(owner.key);
});
afterAll(() => api.close());

const metadata = `resource_metadata="https://api.example/.well-known/oauth-protected-resource/mcp"`;
const scope = `scope="transactions:create:own transactions:approve:own transactions:read:own"`;
const refusal = `error="invalid_token", error_description="The credential is invalid or expired"`;
const strangers = `${"0".repeat(8)}-0000-4000-8000-${"0".repeat(12)}`;

const proposeFor = async (who: Owner): Promise<Hex> => {
  const { requestHash } = (await propose(api, who)).json<{ requestHash: Hex }>();
  await untilSettled(api);
  return requestHash;
};
const withdraw = (who: Owner, hash: Hex) =>
  api.http.send({ method: "POST", url: `/transactions/${hash}/withdraw`, headers: bearer(who.who) });
const subscribe = (headers: Headers, hash: Hex): Promise<Answer> =>
  ask(api, {
    body: { jsonrpc: "2.0", id: 5, method: "resources/subscribe", params: { uri: uriOf(hash) } },
    headers,
  });
const openStream = (headers: Headers, where: Pick<TestApiWithKeys, "origin"> = api): Promise<OpenedStream> =>
  listen(where, { method: "GET", headers: { accept: "text/event-stream", ...headers } });
const updatesIn = (stream: OpenedStream): readonly unknown[] =>
  messagesIn(stream.text())
    .filter(({ method }) => method === "notifications/resources/updated")
    .map(({ params }) => params?.["uri"]);
const heard = (stream: OpenedStream, count: number): Promise<unknown> =>
  waitUntil("it is heard", () => updatesIn(stream).length >= count);
const idsIn = (stream: OpenedStream): readonly string[] =>
  [...stream.text().matchAll(/^id: (.+)$/gm)].map(([, id = ""]) => id);
const aMoment = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 600));

/** By its owner. */
const revoke = async (url: string): Promise<void> => {
  const { statusCode } = await api.http.send({ method: "DELETE", url, headers: bearer(owner.who) });
  expect(statusCode).toBeLessThan(300);
};

const methods = ["POST", "GET", "DELETE"] as const;
const bodyOf = (method: string) => (method === "POST" ? { body: ping } : {});

describe.each(methods)("%s /mcp", (method) => {
  const knock = (headers: Headers): Promise<Answer> => ask(api, { method, ...bodyOf(method), headers });

  test("401: without a credential, says where to get a token and not that one is invalid", async () => {
    const { status, headers, text } = await knock({});
    expect(status).toBe(401);
    expect(headers["www-authenticate"]).toBe(`Bearer ${metadata}, ${scope}`);
    expect(JSON.parse(text)).toEqual({
      ...{ statusCode: 401, error: "Unauthorized" },
      message: "Authentication failed or credentials missing",
    });
  });
  test("401: with an invalid credential, says so: a token, a key, attack 71: a sign-in", async () => {
    for (const shown of [{ authorization: "Bearer a.b.c" }, withKey("cs_user_test_x"), bearer(owner.who)]) {
      const { status, headers } = await knock(shown);
      expect(status).toBe(401);
      expect(headers["www-authenticate"]).toBe(`Bearer ${refusal}, ${metadata}, ${scope}`);
    }
  });
  test("401: an invalid token along with a valid key, because there is no fallback", async () => {
    expect((await knock({ ...key, authorization: "Bearer a.b.c" })).status).toBe(401);
  });
  test("401: a token in the query is ignored", async () => {
    const { authorization } = await aToken(api, owner.who);
    const url = `/mcp?access_token=${authorization.slice(7)}`;
    const answer = await api.http.send({ method, url, headers: { host: "api.example" } });
    expect(answer.statusCode).toBe(401);
  });
  test.each([
    "https://evil.example",
    "null",
    "http://localhost.evil.example",
    "file://",
    "https://api.example.evil",
  ])("403: attacks 78 and 79: a page of %s", async (origin) => {
    const { status, message } = await knock({ ...key, origin });
    expect([status, message.error?.code, message.id]).toEqual([403, -32_000, null]);
  });
  test.each(["evil.example", "api.example:8443", "127.0.0.1", "api.example.evil"])(
    "403: attack 80: a host name that was pointed at us: %s",
    async (host) => {
      expect((await knock({ ...key, host })).status).toBe(403);
    },
  );
  test.each(["admin", "orion"] as const)("403: an %s key has no account", async (type) => {
    const { status, message } = await knock(withKey(await api.issueServerKey(type)));
    expect([status, message.error?.code]).toEqual([403, -32_000]);
  });
  test("429: one request too many of an address within a minute", async () => {
    const from = { "x-forwarded-for": `10.9.0.${methods.indexOf(method)}` };
    for (let count = 0; count < perMinute; count++) expect((await knock(from)).status).toBe(401);
    const { status, headers, message } = await knock(from);
    expect([status, message.error?.code]).toEqual([429, -32_000]);
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  });
});

describe("OPTIONS /mcp", () => {
  test("204: attack 90: without a credential, for any page, with the headers it asks for", async () => {
    const { status, headers } = await ask(api, {
      method: "OPTIONS",
      headers: {
        origin: "https://anything.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization, mcp-protocol-version, mcp-session-id",
      },
    });
    expect(status).toBe(204);
    expect(headers["access-control-allow-origin"]).toBe("*");
    expect(headers["access-control-allow-headers"]).toContain("mcp-protocol-version");
  });
});

describe("POST /mcp", () => {
  test.each(["https://assistant.example", "https://api.example", "http://localhost:6274", "http://[::1]:1"])(
    "200: for a page of %s, which may read its session id",
    async (origin) => {
      const { status, headers } = await ask(api, { body: initialize, headers: { ...key, origin } });
      expect(status).toBe(200);
      expect(headers["access-control-expose-headers"]).toContain("Mcp-Session-Id");
    },
  );
  test("200: initialize starts a session, for a key and for a token", async () => {
    for (const credential of [key, { authorization: (await aToken(api, owner.who)).authorization }]) {
      const { status, headers, message } = await ask(api, { body: initialize, headers: credential });
      expect(status).toBe(200);
      expect(headers["mcp-session-id"]).toMatch(/^[\da-f-]{36}$/);
      expect(message.result).toMatchObject({
        protocolVersion: legacyVersion,
        serverInfo: { name: "countersign" },
      });
    }
  });
  test("200: initialize ignores a session id, whether stale or active", async () => {
    const session = await aSession(api, key);
    for (const stale of [strangers, session["mcp-session-id"], "no id"]) {
      const { status, headers } = await ask(api, {
        body: initialize,
        headers: { ...key, "mcp-session-id": stale },
      });
      expect(status).toBe(200);
      expect(headers["mcp-session-id"]).not.toBe(stale);
    }
  });
  test("200: an incomplete initialize starts no session", async () => {
    const { headers, message } = await ask(api, { body: { ...initialize, params: {} }, headers: key });
    expect(headers["mcp-session-id"]).toBeUndefined();
    expect(message.error).toBeDefined();
  });
  test("200: with any Accept header that allows everything, or none", async () => {
    const session = await aSession(api, key);
    for (const accept of ["*/*", "application/json, text/event-stream"])
      expect((await ask(api, { body: ping, headers: { ...session, accept } })).message.result).toEqual({});
  });
  test("200: a session continues with another token of the same program", async () => {
    const client = await aPublicClient(api);
    const [{ authorization: first }, { authorization: second }] = [
      await aToken(api, owner.who, { client }),
      await aToken(api, owner.who, { client }),
    ];
    const session = await aSession(api, { authorization: first });
    expect((await ask(api, { body: ping, headers: { ...session, authorization: second } })).status).toBe(200);
  });
  test("200: the eleventh session of a program ends its least used one, and no other program's", async () => {
    const { authorization } = await aToken(api, owner.who);
    const others = await aSession(api, key);
    const sessions = [];
    for (let count = 0; count < 11; count++) sessions.push(await aSession(api, { authorization }));
    const statuses = [];
    for (const session of [others, ...sessions])
      statuses.push((await ask(api, { body: ping, headers: session })).status);
    expect(statuses).toEqual([200, 404, ...Array.from({ length: 10 }, () => 200)]);
  });
  test("200: of many concurrent sessions, ten are left", async () => {
    const { authorization } = await aToken(api, owner.who);
    const all = await Promise.all(Array.from({ length: 25 }, () => aSession(api, { authorization })));
    const statuses = await Promise.all(
      all.map(async (headers) => (await ask(api, { body: ping, headers })).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  });
  test("200: a session is stored in the database and survives its process", async () => {
    const session = await aSession(api, key);
    const second = await another(api);
    expect((await ask(second, { body: ping, headers: session })).message.result).toEqual({});
    await second.close();
    const third = await another(api);
    expect((await ask(third, { body: ping, headers: session })).message.result).toEqual({});
    await third.close();
  });
  test("200: a request of the 2026 revision needs no session and gets none", async () => {
    const { status, headers, message } = await ask(api, modern("tools/list", {}, key));
    expect(status).toBe(200);
    expect(headers["mcp-session-id"]).toBeUndefined();
    const tools = message.result?.["tools"] as readonly { readonly name: string }[];
    expect(tools.map(({ name }) => name)).toEqual([
      "requestVerification",
      "checkVerificationStatus",
      "requestMandate",
    ]);
  });
  test("200: attack 83: a listener to another owner's transaction is notified of nothing", async () => {
    const [mine, theirs] = [await proposeFor(owner), await proposeFor(stranger)];
    const asked = {
      notifications: { resourceSubscriptions: [uriOf(theirs), uriOf(mine), "countersign://account"] },
    };
    const stream = await listen(api, modern("subscriptions/listen", asked, key));
    await waitUntil("it is acknowledged", () => messagesIn(stream.text()).length > 0);
    expect(messagesIn(stream.text())[0]).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: { resourceSubscriptions: [uriOf(mine)] } },
    });
    await withdraw(stranger, theirs);
    await withdraw(owner, mine);
    await heard(stream, 1);
    await aMoment();
    expect(updatesIn(stream)).toEqual([uriOf(mine)]);
    expect(stream.text()).not.toContain(theirs);
    stream.leave();
  });
  test("200: a listening stream ends when its grant or key is revoked", async () => {
    const hash = await proposeFor(owner);
    const asked = { notifications: { resourceSubscriptions: [uriOf(hash)] } };
    const { authorization, grantId } = await aToken(api, owner.who);
    const made = await api.issueKey({ type: "user", account: accountOf(owner) });
    const byToken = await listen(api, modern("subscriptions/listen", asked, { authorization }));
    const byKey = await listen(api, modern("subscriptions/listen", asked, withKey(made.secret)));
    await aMoment();
    expect([byToken.isOver(), byKey.isOver()]).toEqual([false, false]);
    await revoke(`/oauth/grants/${grantId}`);
    await revoke(`/user-api-keys/${made.id}`);
    await waitUntil("both are over", () => byToken.isOver() && byKey.isOver());
  });
  test("200: attack 89: many concurrent clients with the same ids get their own answers", async () => {
    const owners = [owner, stranger, await anOwner(api), await anOwner(api)];
    const hashes = await Promise.all(owners.map(proposeFor));
    const sessions = await Promise.all(owners.map(({ key }) => aSession(api, withKey(key))));
    const check = async (index: number): Promise<boolean> => {
      const whose = index % owners.length;
      const given = { requestHash: hashes[whose] };
      const session = sessions[whose] ?? {};
      const asked =
        index % 3 === 0
          ? modern(
              "tools/call",
              { name: "checkVerificationStatus", arguments: given },
              withKey(owners[whose]?.key ?? ""),
            )
          : { body: callTool("checkVerificationStatus", given), headers: session };
      const { message } = await ask(api, asked);
      const told = message.result?.["structuredContent"] as { readonly requestHash: string } | undefined;
      return told?.requestHash === hashes[whose] && message.id === 1;
    };
    // All are in progress together, but start staggered, because a listener's backlog is limited.
    const checking: Promise<boolean>[] = [];
    for (let index = 0; index < sizeOf({ part: 200, all: 1000 }); index++) {
      checking.push(check(index));
      if (index % 50 === 49) await new Promise((resolve) => setImmediate(resolve));
    }
    const right = await Promise.all(checking);
    expect(right.filter((isRight) => !isRight)).toEqual([]);
  }, 60_000);
  test("202: accepts a notification with an empty answer", async () => {
    const session = await aSession(api, key);
    const { status, text, headers } = await ask(api, { body: initialized, headers: session });
    expect([status, text, headers["content-type"]]).toEqual([202, "", undefined]);
  });
  test("400: a message that is not initialize, without a session", async () => {
    const { status, message } = await ask(api, { body: ping, headers: key });
    expect([status, message.error?.code, message.id]).toEqual([400, -32_000, null]);
  });
  test.each(["{", "", "not json", '{"__proto__": {}}', '{"a": "\\u0000"}'])(
    "400: a malformed body: %j",
    async (body) => {
      const session = await aSession(api, key);
      const { status, message } = await ask(api, {
        body,
        headers: { ...session, "content-type": "application/json" },
      });
      expect([status, message.error?.code, message.id]).toEqual([400, -32_700, null]);
    },
  );
  test("400: an unknown version", async () => {
    const session = await aSession(api, key);
    const headers = { ...session, "mcp-protocol-version": "1999-01-01" };
    expect((await ask(api, { body: ping, headers })).status).toBe(400);
  });
  test("400: attack 87: headers that contradict the body", async () => {
    const { status, message } = await ask(
      api,
      modern("tools/list", {}, { ...key, "mcp-method": "tools/call" }),
    );
    expect([status, message.error?.code]).toEqual([400, -32_020]);
  });
  test("400: a 2026 request with an unknown version", async () => {
    const { body } = modern("tools/list");
    const text = JSON.stringify(body).replace("2026-07-28", "2099-01-01");
    const headers = { ...key, "mcp-protocol-version": "2099-01-01", "mcp-method": "tools/list" };
    const { status, message } = await ask(api, { body: text, headers });
    expect([status, message.error?.code]).toEqual([400, -32_022]);
  });
  test.each(["2025", "2026"])(
    "403: attack 88: a token with read access only cannot propose, in %s",
    async (era) => {
      const { authorization } = await aToken(api, owner.who, { scope: "transactions:read:own" });
      const given = { name: "requestVerification", arguments: {} };
      const { status, headers } = await (era === "2026"
        ? ask(api, modern("tools/call", given, { authorization }))
        : ask(api, {
            body: callTool("requestVerification", {}),
            headers: await aSession(api, { authorization }),
          }));
      expect(status).toBe(403);
      expect(headers["www-authenticate"]).toContain('error="insufficient_scope"');
      expect(headers["www-authenticate"]).toContain('scope="transactions:create:own"');
      expect(headers["www-authenticate"]).toContain(metadata);
    },
  );
  test("404: attacks 81, 82, 86: a session of another owner or program, ended, unknown or malformed, byte for byte the same", async () => {
    const session = await aSession(api, key);
    const ended = await aSession(api, key);
    await ask(api, { method: "DELETE", headers: ended });
    const id = session["mcp-session-id"];
    const { authorization } = await aToken(api, owner.who);
    const answers = await Promise.all(
      [
        { ...withKey(stranger.key), "mcp-session-id": id },
        { authorization, "mcp-session-id": id },
        ended,
        { ...key, "mcp-session-id": strangers },
        { ...key, "mcp-session-id": "no id" },
        { ...key, "mcp-session-id": `${id}, ${id}` },
      ].map((headers) => ask(api, { body: ping, headers })),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 404, message: { id: null, error: { code: -32_001 } } });
    expect((await ask(api, { body: ping, headers: session })).status).toBe(200);
  });
  test("404: a session that was idle for a week, which is deleted", async () => {
    const session = await aSession(api, key);
    const id = session["mcp-session-id"];
    await inDatabase(api, (client) =>
      client.query("update mcp_sessions set last_used_at = now() - interval '8 days' where id = $1", [id]),
    );
    expect((await ask(api, { body: ping, headers: session })).status).toBe(404);
    await api.app.sweep();
    const { rowCount } = await inDatabase(api, (client) =>
      client.query("select from mcp_sessions where id = $1", [id]),
    );
    expect(rowCount).toBe(0);
  });
  test("404: an unknown method of the 2026 revision", async () => {
    const { status, message } = await ask(api, modern("nothing/known", {}, key));
    expect([status, message.error?.code]).toEqual([404, -32_601]);
  });
  test("406: to a client that accepts neither JSON nor events", async () => {
    const session = await aSession(api, key);
    expect((await ask(api, { body: ping, headers: { ...session, accept: "text/html" } })).status).toBe(406);
  });
  test("413: a megabyte and one byte", async () => {
    const { status, message } = await ask(api, { body: `"${"a".repeat(1024 * 1024)}"`, headers: key });
    expect([status, message.error?.code]).toEqual([413, -32_000]);
  });
  test("415: a body with another content type than JSON", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"]) {
      const { status, message } = await ask(api, { body: ping, headers: { ...key, "content-type": type } });
      expect([status, message.error?.code]).toEqual([415, -32_000]);
    }
  });
});

const accountOf = ({ wallet }: Owner): Hex => wallet.address.toLowerCase() as Hex;

describe("GET /mcp", () => {
  test("200: begins with an id and a retry interval, and disables buffering", async () => {
    const session = await aSession(api, key);
    const stream = await openStream(session);
    await waitUntil("it begins", () => stream.text() !== "");
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
      "mcp-session-id": session["mcp-session-id"],
    });
    expect(stream.text()).toMatch(
      new RegExp(`^id: ${session["mcp-session-id"]}\\.\\d+-\\d+\\nretry: 3000\\ndata: \\n\\n$`),
    );
    stream.leave();
  });
  test("200: notifies of subscribed transactions only, not of others of the owner or of other owners", async () => {
    const session = await aSession(api, key);
    const [mine, unheard, theirs] = [
      await proposeFor(owner),
      await proposeFor(owner),
      await proposeFor(stranger),
    ];
    expect((await subscribe(session, mine)).message.result).toBeDefined();
    const refused = await subscribe(session, theirs);
    expect(refused.message.error).toBeDefined();
    const stream = await openStream(session);
    await withdraw(stranger, theirs);
    await withdraw(owner, unheard);
    await withdraw(owner, mine);
    await heard(stream, 1);
    await aMoment();
    expect(updatesIn(stream)).toEqual([uriOf(mine)]);
    stream.leave();
  });
  test("200: notifies of transactions proposed in the session without a subscription", async () => {
    const session = await aSession(api, key);
    const stream = await openStream(session);
    const { message } = await ask(api, {
      body: callTool("requestVerification", {
        escrowAddress: owner.wallet.address,
        userPrompt: "Send nothing to me",
        tx: { to: owner.wallet.address, value: "0", data: "0x" },
      }),
      headers: session,
    });
    const { requestHash } = message.result?.["structuredContent"] as { readonly requestHash: Hex };
    await withdraw(owner, requestHash);
    await heard(stream, 1);
    expect(new Set(updatesIn(stream))).toEqual(new Set([uriOf(requestHash)]));
    stream.leave();
  });
  test("200: resumes after the last event received, without gaps or repetition", async () => {
    const session = await aSession(api, key);
    const hashes = [await proposeFor(owner), await proposeFor(owner), await proposeFor(owner)] as const;
    for (const hash of hashes) await subscribe(session, hash);
    const first = await openStream(session);
    await withdraw(owner, hashes[0]);
    await heard(first, 1);
    first.leave();
    await withdraw(owner, hashes[1]);
    const second = await openStream({ ...session, "last-event-id": idsIn(first).at(-1) ?? "" });
    await heard(second, 1);
    await withdraw(owner, hashes[2]);
    await heard(second, 2);
    expect(updatesIn(second)).toEqual([uriOf(hashes[1]), uriOf(hashes[2])]);
    second.leave();
  });
  test("200: attack 85: the last event of another session, or a forged one, replays nothing", async () => {
    const [session, other] = [await aSession(api, key), await aSession(api, key)];
    const hash = await proposeFor(owner);
    await subscribe(session, hash);
    const first = await openStream(session);
    await waitUntil("it begins", () => first.text() !== "");
    first.leave();
    const [id = ""] = idsIn(first);
    await withdraw(owner, hash);
    await untilSettled(api);
    for (const lastEventId of [
      id.replace(session["mcp-session-id"], other["mcp-session-id"]),
      "1-1",
      `${id}x`,
      "x",
    ]) {
      const stream = await openStream({ ...session, "last-event-id": lastEventId });
      await aMoment();
      expect(updatesIn(stream)).toEqual([]);
      stream.leave();
    }
    const replayed = await openStream({ ...session, "last-event-id": id });
    await heard(replayed, 1);
    replayed.leave();
  }, 20_000);
  test("200: attack 91: the newest stream replaces the others, in the same process and in another", async () => {
    const session = await aSession(api, key);
    const second = await another(api);
    const streams = [await openStream(session), await openStream(session), await openStream(session, second)];
    await waitUntil("two are over", () => streams.filter((stream) => stream.isOver()).length === 2);
    await aMoment();
    expect(streams.map((stream) => stream.isOver())).toEqual([true, true, false]);
    const hash = await proposeFor(owner);
    await subscribe(session, hash);
    await withdraw(owner, hash);
    await heard(streams[2] ?? expect.fail(), 1);
    expect(streams.slice(0, 2).flatMap(updatesIn)).toEqual([]);
    streams[2]?.leave();
    await second.close();
  });
  test("200: ends when its session, grant or key ends, in whichever process", async () => {
    const second = await another(api);
    const session = await aSession(api, key);
    const { authorization, grantId } = await aToken(api, owner.who);
    const made = await api.issueKey({ type: "user", account: accountOf(owner) });
    const streams = await Promise.all(
      [session, await aSession(api, { authorization }), await aSession(api, withKey(made.secret))].map(
        (headers) => openStream(headers),
      ),
    );
    await aMoment();
    expect(streams.map((stream) => stream.isOver())).toEqual([false, false, false]);
    await ask(second, { method: "DELETE", headers: session });
    await revoke(`/oauth/grants/${grantId}`);
    await revoke(`/user-api-keys/${made.id}`);
    await waitUntil("all are over", () => streams.every((stream) => stream.isOver()));
    await second.close();
  });
  test("200: an event recorded by one process reaches streams of both eras in another", async () => {
    const second = await another(api);
    const hash = await proposeFor(owner);
    const session = await aSession(api, key);
    await subscribe(session, hash);
    const stream = await openStream(session, second);
    const asked = { notifications: { resourceSubscriptions: [uriOf(hash)] } };
    const listening = await listen(second, modern("subscriptions/listen", asked, key));
    await waitUntil("both have begun", () => stream.text() !== "" && listening.text() !== "");
    const verdict = await api.http.send({
      method: "POST",
      url: `/transactions/${hash}/approvals`,
      payload: { decision: "UNDECIDED", confidence: 0.1, analysis: "nothing to say" },
      headers: withKey(await api.issueServerKey("orion")),
    });
    expect(verdict.statusCode).toBeLessThan(300);
    await heard(stream, 1);
    await heard(listening, 1);
    expect([...updatesIn(stream), ...updatesIn(listening)]).toEqual([uriOf(hash), uriOf(hash)]);
    stream.leave();
    listening.leave();
    await second.close();
  });
  test("200: ends when the process shuts down, which does not wait for it", async () => {
    const second = await another(api);
    const session = await aSession(api, key);
    const stream = await openStream(session, second);
    await waitUntil("it begins", () => stream.text() !== "");
    await second.close();
    await waitUntil("it is over", () => stream.isOver());
  });
  test("400: without a session", async () => {
    const { status, message } = await ask(api, { method: "GET", headers: key });
    expect([status, message.error?.code]).toEqual([400, -32_000]);
  });
  test("404: with an unknown session, or another program's", async () => {
    const session = await aSession(api, key);
    for (const headers of [
      { ...key, "mcp-session-id": strangers },
      { ...session, ...withKey(stranger.key) },
    ]) {
      const { status, message } = await ask(api, { method: "GET", headers });
      expect([status, message.error?.code]).toEqual([404, -32_001]);
    }
  });
  test("406: to a client that does not accept events", async () => {
    const session = await aSession(api, key);
    const headers = { ...session, accept: "application/json" };
    const { status, message } = await ask(api, { method: "GET", headers });
    expect([status, message.error?.code]).toEqual([406, -32_000]);
  });
});

describe("other methods at /mcp", () => {
  test.each(["HEAD", "PUT", "PATCH"])("405: %s, and the session keeps its stream", async (method) => {
    const session = await aSession(api, key);
    const stream = await openStream(session);
    const { status, headers } = await ask(api, { method, headers: session });
    expect([status, headers.allow]).toEqual([405, "POST, GET, DELETE"]);
    await aMoment();
    expect(stream.isOver()).toBe(false);
    stream.leave();
  });
});

describe("DELETE /mcp", () => {
  test("204: ends the session and its stream at once", async () => {
    const session = await aSession(api, key);
    const stream = await openStream(session);
    expect((await ask(api, { method: "DELETE", headers: session })).status).toBe(204);
    await waitUntil("it is over", () => stream.isOver());
  });
  test("400: without a session", async () => {
    expect((await ask(api, { method: "DELETE", headers: key })).status).toBe(400);
  });
  test("404: the second time, and for another program's session", async () => {
    const session = await aSession(api, key);
    const others = { ...session, ...withKey(stranger.key) };
    expect((await ask(api, { method: "DELETE", headers: others })).status).toBe(404);
    expect((await ask(api, { method: "DELETE", headers: session })).status).toBe(204);
    expect((await ask(api, { method: "DELETE", headers: session })).status).toBe(404);
  });
});
