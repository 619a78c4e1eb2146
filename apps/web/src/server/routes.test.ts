// Tests the server on a real port, in front of a recording fake of the main service.
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { allowedCalls } from "./allowed.ts";
import { recordHere } from "../../../../tools/stand-ins/collector/record-here.ts";
import { startCollector } from "../../../../tools/stand-ins/collector/stand-in.ts";
import { aMainService, aToken, aWebServer, json, pageText, scriptText } from "../../test/server.ts";

let main: Awaited<ReturnType<typeof aMainService>>;
let web: Awaited<ReturnType<typeof aWebServer>>;
beforeAll(async () => {
  main = await aMainService();
  web = await aWebServer({ API_URL: main.url, PUBLIC_API_URL: "https://api.example" });
});
afterEach(() => {
  main.reset();
  web.lines.length = 0;
});
afterAll(async () => {
  await web.close();
  await main.close();
});

const address = "0x00000000000000000000000000000000000A11ce";
const hash = `0x${"ab".repeat(32)}`;
const cookiesOf = (access: string, refresh: string) => ({
  cookie: `cs_access=${access}; cs_refresh=${refresh}`,
});
const aSession = (name = "a") => {
  const access = aToken(`access ${name}`, 600);
  const refresh = aToken(`refresh ${name}`, 86_400);
  return { access, refresh, headers: cookiesOf(access, refresh) };
};
/** A session with an expired access token, and its renewal. */
const aStaleSession = (name: string) => {
  const [access, refresh] = [aToken(`stale ${name}`, 10), aToken(`refresh ${name}`, 86_400)];
  const next = {
    accessToken: aToken(`next ${name}`, 600),
    refreshToken: aToken(`next refresh ${name}`, 86_400),
  };
  main.answer("POST /auth/refresh", json(200, next));
  return { next, refresh, headers: cookiesOf(access, refresh) };
};
const signedIn = { accessToken: aToken("access", 600), refreshToken: aToken("refresh", 86_400) };
const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
};

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; manifest-src 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types verify-in-worker service-worker";

describe("every response", () => {
  test.each(["/", "/tx/anything", "/assets/none.js", "/api/none", "/session", "/config.json", "/health"])(
    "carries the CSP: %s",
    async (path) => {
      const { headers } = await web.send(path, { headers: { accept: "text/html" } });
      expect(headers.get("content-security-policy")).toBe(policy);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("permissions-policy")).toContain("camera=()");
      expect(headers.get("access-control-allow-origin")).toBeNull();
      expect(headers.get("strict-transport-security")).toBeNull();
    },
  );
  test("passes on the caller's request ID if it is safe", async () => {
    const { headers } = await web.call("/api/verification-services/active", {
      headers: { "x-request-id": "mine-1" },
    });
    expect(headers.get("x-request-id")).toBe("mine-1");
    expect(main.received[0]?.headers["x-request-id"]).toBe("mine-1");
    const other = await web.call("/api/verification-services/active", {
      headers: { "x-request-id": "{not mine}" },
    });
    expect(other.headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
  });
});

describe("traces", () => {
  const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;

  test("a page's own trace is not passed on", async () => {
    await web.call("/api/verification-services/active", { headers: { traceparent } });
    expect(main.received[0]?.headers["traceparent"]).toBeUndefined();
  });
  test("a call begins a trace that the main service continues, and its log line has the trace's id", async () => {
    const collector = await startCollector();
    const recording = await recordHere(collector, "web");
    await web.call("/api/verification-services/active", { headers: { traceparent } });
    await web.call("/config.json");
    await recording.close();
    await collector.close();
    const [span, ...others] = collector.spans();
    expect(others).toEqual([]);
    expect(span).toMatchObject({
      name: "GET /api/verification-services/active",
      parentId: undefined,
      links: [{ traceId: "a".repeat(32) }],
    });
    const { traceId = "", spanId = "" } = span ?? {};
    expect(main.received[0]?.headers["traceparent"]).toBe(`00-${traceId}-${spanId}-01`);
    await until(() => web.lines.some((line) => JSON.stringify(line).includes(traceId)));
  });
});

describe("GET a page", () => {
  test.each(["/", "/tx/0x12", "/agents/0x34?tab=all", "/connect?code=ABCD", "/no-such.page"])(
    "200: %s serves index.html without caching",
    async (path) => {
      const answer = await web.send(path, { headers: { accept: "text/html,*/*" } });
      expect([answer.status, await answer.text()]).toEqual([200, pageText]);
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(answer.headers.get("cache-control")).toBe("no-cache");
    },
  );
  test.each([
    ["br", "br"],
    ["gzip", "gzip"],
    ["identity", null],
  ])("200: a hashed asset is immutable and served as %s on request", async (asked, got) => {
    const answer = await web.send("/assets/index-abc123.js", { headers: { "accept-encoding": asked } });
    expect([answer.status, await answer.text()]).toEqual([200, scriptText]);
    expect(answer.headers.get("content-encoding")).toBe(got);
    expect(answer.headers.get("content-type")).toBe("application/javascript; charset=utf-8");
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  });
  test.each([
    ["/assets/index-old.js", "text/html"],
    ["/favicon.ico", "image/*"],
    ["/tx/0x12", "application/json"],
    ["/.secret", "*/*"],
    ["/assets/..%2f..%2f.secret", "*/*"],
  ])("404: %s for %s", async (path, accept) => {
    const answer = await web.send(path, { headers: { accept } });
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { statusCode: 404, message: "No such resource", error: "Not Found" },
    ]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });
  test("503: reports that the pages are not built", async () => {
    const unbuilt = await aWebServer({ API_URL: main.url }, { built: false });
    const answer = await unbuilt.send("/", { headers: { accept: "text/html" } });
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining("npm run build")]);
    await unbuilt.close();
  });
});

describe("GET /config.json, /health and /ready", () => {
  test("200: returns the audience of signed requests and the health", async () => {
    expect(await (await web.send("/config.json")).json()).toEqual({ apiUrl: "https://api.example" });
    expect(await (await web.send("/health")).json()).toEqual({ status: "ok" });
    const ready = await web.send("/ready");
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { ready: true, checks: { api: "ok", pages: "ok" } },
    ]);
  });
  test("503: not ready but healthy without the main service", async () => {
    const lonely = await aWebServer({ API_URL: "http://127.0.0.1:1" });
    const ready = await lonely.send("/ready");
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { ready: false, checks: { api: "failing", pages: "ok" } },
    ]);
    expect((await lonely.send("/health")).status).toBe(200);
    // The audience defaults to the main service's URL.
    expect(await (await lonely.send("/config.json")).json()).toEqual({ apiUrl: "http://127.0.0.1:1" });
    await lonely.close();
  });
  test("503: not ready without the pages", async () => {
    const unbuilt = await aWebServer({ API_URL: main.url }, { built: false });
    const ready = await unbuilt.send("/ready");
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { ready: false, checks: { api: "ok", pages: "failing" } },
    ]);
    await unbuilt.close();
  });
});

describe("requests from other origins", () => {
  const calls = [
    ["GET", "/api/verification-services/active"],
    ["GET", "/api/no/such/call"],
    ["POST", "/session"],
    ["GET", "/session"],
    ["DELETE", "/session"],
  ] as const;
  test.each(calls)("403: %s %s without our header is not passed on", async (method, path) => {
    const answer = await web.send(path, { method, headers: aSession().headers });
    expect([answer.status, answer.headers.get("x-error-code")]).toEqual([403, "web.foreign-page"]);
    expect(main.received).toEqual([]);
  });
  test.each(calls)("403: %s %s from another site is not passed on", async (method, path) => {
    for (const site of ["cross-site", "same-site", "none"]) {
      const answer = await web.call(path, { method, headers: { "sec-fetch-site": site } });
      expect(answer.status).toBe(403);
    }
    expect(main.received).toEqual([]);
  });
  test("404: a CORS preflight gets no permission", async () => {
    for (const path of ["/api/settings", "/session"]) {
      const answer = await web.send(path, {
        method: "OPTIONS",
        headers: { origin: "https://evil.example", "access-control-request-headers": "x-countersign-page" },
      });
      expect(answer.ok).toBe(false);
      expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });
});

describe("POST /session", () => {
  const body = JSON.stringify({ message: "example.org wants you to sign in", signature: "0x1234" });
  const signIn = (init: { headers?: Record<string, string>; body?: string } = {}) =>
    web.call("/session", {
      method: "POST",
      body,
      ...init,
      headers: { "content-type": "application/json", ...init.headers },
    });

  test("200: stores the tokens only in HttpOnly cookies", async () => {
    main.answer(
      "POST /auth/siwe/verify",
      json(200, { ...signedIn, user: { id: "u", ethereumAddress: address } }),
    );
    const answer = await signIn({ headers: { "user-agent": "a browser" } });
    expect([answer.status, await answer.text()]).toEqual([200, JSON.stringify({ address })]);
    const [access, refresh] = answer.headers.getSetCookie();
    const about = /; Max-Age=(\d+); Path=\/; HttpOnly; SameSite=Strict$/;
    expect(access?.replace(about, "")).toBe(`cs_access=${signedIn.accessToken}`);
    expect(refresh?.replace(about, "")).toBe(`cs_refresh=${signedIn.refreshToken}`);
    expect(Math.abs(Number(about.exec(access ?? "")?.[1]) - 86_400)).toBeLessThan(60);
    const others = [...answer.headers].filter(([name]) => name !== "set-cookie");
    expect(JSON.stringify(others)).not.toContain("eyJ");
    expect(main.received).toMatchObject([
      { body, headers: { "x-forwarded-for": "127.0.0.1", "user-agent": "a browser" } },
    ]);
  });
  test("200: uses __Host- cookies and HSTS on https", async () => {
    const secure = await aWebServer({ API_URL: main.url, UI_URL: "https://ui.example" });
    main.answer(
      "POST /auth/siwe/verify",
      json(200, { ...signedIn, user: { id: "u", ethereumAddress: address } }),
    );
    const answer = await secure.call("/session", {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    });
    for (const [index, name] of ["__Host-cs_access", "__Host-cs_refresh"].entries())
      expect(answer.headers.getSetCookie()[index]).toMatch(
        new RegExp(`^${name}=.+; Path=/; HttpOnly; SameSite=Strict; Secure$`),
      );
    expect(answer.headers.get("strict-transport-security")).toBe("max-age=31536000");
    // A cookie without the prefix may come from a subdomain.
    const planted = await secure.call("/api/settings", { headers: aSession().headers });
    expect(planted.status).toBe(200);
    expect(main.callsOf("/settings")[0]?.headers.authorization).toBeUndefined();
    await secure.close();
  });
  test("400: without a body", async () => {
    expect((await web.call("/session", { method: "POST" })).status).toBe(400);
  });
  test.each([400, 401, 429, 503])(
    "%d: passes on the main service's error, without a cookie",
    async (status) => {
      const refusal = { statusCode: status, message: "Not so", error: "As it says" };
      main.answer("POST /auth/siwe/verify", json(status, refusal, { "x-error-code": "sign-in.refused" }));
      const answer = await signIn();
      expect([answer.status, await answer.json()]).toEqual([status, refusal]);
      expect(answer.headers.get("x-error-code")).toBe("sign-in.refused");
      expect(answer.headers.getSetCookie()).toEqual([]);
    },
  );
  test("413: the body is too large", async () => {
    const answer = await signIn({ body: JSON.stringify("x".repeat(300 * 1024)) });
    expect([answer.status, await answer.json()]).toMatchObject([413, { statusCode: 413 }]);
  });
  test("415: the body is not JSON", async () => {
    expect((await signIn({ headers: { "content-type": "text/plain" } })).status).toBe(415);
  });
  test("502: the answer is malformed", async () => {
    main.answer("POST /auth/siwe/verify", json(200, { unexpected: signedIn.accessToken }));
    const answer = await signIn();
    expect(answer.status).toBe(502);
    expect(await answer.text()).not.toContain("eyJ");
  });
});

describe("GET /session", () => {
  const me = json(200, { id: "u", ethereumAddress: address });
  test("200: returns the signed-in account", async () => {
    main.answer("GET /auth/me", me);
    const { access, headers } = aSession();
    const answer = await web.call("/session", { headers });
    expect([answer.status, await answer.json()]).toEqual([200, { address }]);
    expect(main.received).toMatchObject([{ headers: { authorization: `Bearer ${access}` } }]);
  });
  test("200: renews the session and sets new cookies", async () => {
    main.answer("GET /auth/me", me);
    const { next, headers } = aStaleSession("who");
    const answer = await web.call("/session", { headers });
    expect([answer.status, await answer.text()]).toEqual([200, JSON.stringify({ address })]);
    expect(answer.headers.getSetCookie()[0]).toContain(`cs_access=${next.accessToken};`);
  });
  test("200: renews a session whose access token was revoked early", async () => {
    const { next } = aStaleSession("early");
    main.answer("GET /auth/me", (response, { headers, ...received }) =>
      headers.authorization === `Bearer ${next.accessToken}`
        ? me(response, { headers, ...received })
        : json(401, {})(response, { headers, ...received }),
    );
    expect((await web.call("/session", { headers: aSession("early").headers })).status).toBe(200);
  });
  test("200: signed out without a request to the main service", async () => {
    const answer = await web.call("/session");
    expect([answer.status, await answer.json()]).toEqual([200, { address: null }]);
    expect([main.received.length, answer.headers.getSetCookie()]).toEqual([0, []]);
  });
  test("200: signed out; clears the cookies of an ended session", async () => {
    main.answer("GET /auth/me", json(401, {}));
    main.answer("POST /auth/refresh", json(401, {}));
    const answer = await web.call("/session", { headers: aSession("ended").headers });
    expect([answer.status, await answer.json()]).toEqual([200, { address: null }]);
    expect(answer.headers.getSetCookie()).toEqual([
      "cs_access=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict",
      "cs_refresh=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict",
    ]);
  });
  test("502: an unknown state is not reported as signed out", async () => {
    main.answer("GET /auth/me", json(500, {}));
    const answer = await web.call("/session", { headers: aSession().headers });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([502, []]);
  });
});

describe("DELETE /session", () => {
  const ended = (response: { writeHead: (status: number) => { end: () => void } }): void => {
    response.writeHead(204).end();
  };
  test("204: ends the session at the main service and in the browser", async () => {
    main.answer("POST /auth/logout", ended);
    const { access, refresh, headers } = aSession();
    const answer = await web.call("/session", { method: "DELETE", headers });
    expect([answer.status, answer.headers.getSetCookie().length]).toEqual([204, 2]);
    expect(answer.headers.getSetCookie().every((cookie) => cookie.includes("=; Max-Age=0;"))).toBe(true);
    expect(main.received).toMatchObject([
      {
        url: "/auth/logout",
        body: JSON.stringify({ refreshToken: refresh }),
        headers: { authorization: `Bearer ${access}` },
      },
    ]);
  });
  test("204: ends all sessions on request", async () => {
    main.answer("POST /auth/logout-all", ended);
    const answer = await web.call("/session?everywhere=true", {
      method: "DELETE",
      headers: aSession().headers,
    });
    expect([answer.status, main.received.map(({ url }) => url)]).toEqual([204, ["/auth/logout-all"]]);
  });
  test("204: the session does not exist or has ended", async () => {
    expect((await web.call("/session", { method: "DELETE" })).status).toBe(204);
    expect(main.received).toEqual([]);
    main.answer("POST /auth/logout", json(401, {}));
    const answer = await web.call("/session", { method: "DELETE", headers: aSession().headers });
    expect([answer.status, answer.headers.getSetCookie().length]).toEqual([204, 2]);
  });
  test("204: renews an expired session first, and ends the newest tokens", async () => {
    main.answer("POST /auth/logout", ended);
    const { next, headers } = aStaleSession("out");
    const answer = await web.call("/session", { method: "DELETE", headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.getSetCookie()).toHaveLength(2);
    expect(answer.headers.getSetCookie()[0]).toContain("cs_access=; Max-Age=0");
    expect(main.callsOf("/auth/logout")[0]?.body).toBe(JSON.stringify({ refreshToken: next.refreshToken }));
  });
  test("502: keeps the newest cookies if the main service did not confirm", async () => {
    main.answer("POST /auth/logout", json(503, {}));
    const kept = await web.call("/session", { method: "DELETE", headers: aSession().headers });
    expect([kept.status, kept.headers.getSetCookie()]).toEqual([502, []]);
    const { next, headers } = aStaleSession("kept");
    const renewed = await web.call("/session", { method: "DELETE", headers });
    expect([renewed.status, renewed.headers.getSetCookie()[0]]).toEqual([
      502,
      expect.stringContaining(next.accessToken),
    ]);
  });
});

describe("/api", () => {
  const filled = (path: string): string =>
    path
      .replaceAll("{ethereumAddress}", address)
      .replaceAll("{requestHash}", hash)
      .replaceAll(/\{\w+\}/g, "some-1");

  test.each(allowedCalls.filter(({ endless }) => endless !== true))(
    "200: passes on $method $path",
    async ({ method, path, open }) => {
      const { access, headers } = aSession();
      const body = method === "PUT" ? { body: '{"executionType":1}' } : {};
      const sent = { ...headers, ...(method === "PUT" ? { "content-type": "application/json" } : {}) };
      const answer = await web.call(`/api${filled(path)}?a=1&b=%20`, { method, headers: sent, ...body });
      expect([answer.status, await answer.json()]).toEqual([200, { answered: filled(path) }]);
      expect(main.received).toMatchObject([{ method, url: `${filled(path)}?a=1&b=%20` }]);
      // Public calls carry no token.
      expect(main.received[0]?.headers.authorization).toBe(open === true ? undefined : `Bearer ${access}`);
      expect(main.received[0]?.headers.cookie).toBeUndefined();
    },
  );
  test("200: compresses responses without changing them", async () => {
    const receipt = { reasons: Array.from({ length: 200 }, () => "the same again") };
    main.answer(`GET /transactions/${hash}/receipt`, json(200, receipt, { etag: '"v1"' }));
    for (const encoding of ["br", "gzip"]) {
      const answer = await web.call(`/api/transactions/${hash}/receipt`, {
        headers: { ...aSession().headers, "accept-encoding": encoding },
      });
      expect(answer.headers.get("content-encoding")).toBe(encoding);
      expect(answer.headers.get("vary")).toContain("accept-encoding");
      expect(answer.headers.get("content-length")).toBeNull();
      expect(await answer.json()).toEqual(receipt);
    }
  });
  test("201: never compresses a response with a secret", async () => {
    main.answer("POST /user-api-keys", json(201, { key: "secret", name: "the same again ".repeat(200) }));
    const answer = await web.call("/api/user-api-keys", { method: "POST", headers: aSession().headers });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("content-encoding")).toBeNull();
  });
  test("200: passes on the body unchanged and drops credentials", async () => {
    const body = '{ "b" : 1,\n "a":"é" }';
    await web.call(`/api/transactions/${hash}/approvals`, {
      method: "POST",
      body,
      headers: {
        ...aSession().headers,
        "content-type": "application/json",
        "idempotency-key": "one",
        "if-none-match": '"v1"',
        prefer: "wait=25",
        "x-api-key": "cs_live_somebody_elses",
        "x-forwarded-for": "10.9.8.7",
        "x-real-ip": "10.9.8.7",
        forwarded: "for=10.9.8.7",
        origin: web.url,
      },
    });
    const [received] = main.received;
    expect(received?.body).toBe(body);
    expect(received?.headers).toMatchObject({
      "content-type": "application/json",
      "idempotency-key": "one",
      "if-none-match": '"v1"',
      prefer: "wait=25",
      "x-forwarded-for": "127.0.0.1",
    });
    for (const name of ["x-api-key", "x-real-ip", "forwarded", "origin", "cookie", "x-countersign-page"])
      expect(received?.headers[name]).toBeUndefined();
  });
  test("200: adds no token to a signed call", async () => {
    const headers = {
      ...aSession().headers,
      authorization: "Bearer of-the-page",
      "x-ethereum-signature": "0x12",
      "x-ethereum-address": address,
      "x-ethereum-nonce": "n",
    };
    await web.call(`/api/transactions/${hash}/approvals`, { method: "POST", headers });
    expect(main.received[0]?.headers).toMatchObject({
      "x-ethereum-signature": "0x12",
      "x-ethereum-nonce": "n",
    });
    expect(main.received[0]?.headers.authorization).toBeUndefined();
  });
  test("403: a session alone cannot let agents be approved without the owner", async () => {
    const put = (body: string, more: Record<string, string> = {}) =>
      web.call("/api/settings", {
        method: "PUT",
        body,
        headers: { ...aSession().headers, "content-type": "application/json", ...more },
      });
    for (const body of ['{"executionType":2}', '{"executionType":0}', '{"executionType":"1"}', "{", "[]"])
      expect((await put(body)).status).toBe(403);
    expect(main.received).toEqual([]);
    expect((await put('{"executionType":1}')).status).toBe(200);
    expect((await put('{"executionType":2}', { "x-ethereum-signature": "0x12" })).status).toBe(200);
    expect(main.received).toHaveLength(2);
  });
  test("200: passes on the browser cookie for consent calls only", async () => {
    const { headers } = aSession();
    const cookie = `${headers.cookie}; oauth_txn=the-mark; theme=dark`;
    for (const path of ["/oauth/approve", "/oauth/deny", "/auth/connect/approve"])
      await web.call(`/api${path}`, { method: "POST", headers: { cookie } });
    await web.call("/api/oauth/session-info?session=s", {
      headers: { cookie: "__Host-oauth_txn=secure; a=b" },
    });
    expect(main.received.map(({ headers: { cookie: shown } }) => shown)).toEqual([
      "oauth_txn=the-mark",
      "oauth_txn=the-mark",
      undefined,
      "__Host-oauth_txn=secure",
    ]);
  });
  test("200: passes on only the response headers that a page needs", async () => {
    main.answer(
      "GET /settings",
      json(
        200,
        {},
        {
          etag: '"v2"',
          "retry-after": "3",
          "x-error-code": "none",
          "cache-control": "no-store",
          "set-cookie": "planted=1",
          "content-security-policy": "default-src *",
          "access-control-allow-origin": "*",
          "www-authenticate": "Bearer",
          server: "other",
        },
      ),
    );
    const { headers } = await web.call("/api/settings", { headers: aSession().headers });
    expect(headers.get("etag")).toBe('"v2"');
    expect(headers.get("retry-after")).toBe("3");
    expect(headers.get("content-security-policy")).toBe(policy);
    for (const name of ["set-cookie", "access-control-allow-origin", "www-authenticate", "server"])
      expect(headers.get(name)).toBeNull();
  });
  test.each([304, 400, 401, 403, 404, 409, 410, 429, 500, 503])(
    "%d of the main service passes as it is, and is asked for once",
    async (status) => {
      const body = { statusCode: status, message: "As it says", error: "So" };
      main.answer("GET /settings", json(status, body));
      const answer = await web.call("/api/settings", { headers: aSession().headers });
      expect([answer.status, main.received.length, answer.headers.getSetCookie()]).toEqual([status, 1, []]);
      if (status !== 304) expect(await answer.json()).toEqual(body);
    },
  );
  test("401: passes on a call without cookies", async () => {
    await web.call("/api/settings");
    expect(main.received[0]?.headers.authorization).toBeUndefined();
  });
  test.each([
    ["POST", "/auth/siwe/verify"],
    ["POST", "/auth/refresh"],
    ["POST", "/auth/logout"],
    ["POST", "/auth/logout-all"],
    ["POST", "/auth/connect/initiate"],
    ["GET", "/auth/connect/status"],
    ["POST", "/oauth/token"],
    ["POST", "/oauth/register"],
    ["GET", "/oauth/authorize"],
    ["POST", "/transactions"],
    ["POST", "/users"],
    ["POST", "/mcp"],
    ["GET", "/metrics"],
    ["GET", "/health"],
    ["POST", "/custody/admin/transactions"],
    ["PATCH", `/internal/orion-metadata/${hash}/tee-proof`],
    ["PATCH", "/settings/by-ethereum/0x1"],
    ["POST", "/settings"],
    ["GET", "/webhooks/some-1"],
    ["GET", "/settings/"],
    ["GET", "//settings"],
    ["GET", "/transactions/..%2Fmetrics"],
    ["GET", "/transactions/%2e%2e"],
    ["GET", "/public/agents/x%2F..%2F..%2Fmetrics"],
    ["DELETE", "/auth/sessions/%2e"],
  ])("404: does not pass on %s %s", async (method, path) => {
    // The raw path, without URL normalization.
    const { hostname, port } = new URL(web.url);
    const socket = connect(Number(port), hostname);
    const { cookie } = aSession().headers;
    socket.write(
      `${method} /api${path} HTTP/1.1\r\nhost: x\r\nx-countersign-page: 1\r\ncookie: ${cookie}\r\nconnection: close\r\n\r\n`,
    );
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString()));
    await once(socket, "close");
    expect(text).toMatch(/^HTTP\/1.1 404 /);
    expect(text).toContain(
      '{"statusCode":404,"message":"This call isn’t available through the web app","error":"Not Found"}',
    );
    expect(main.received).toEqual([]);
  });
  test("413: the body is too large", async () => {
    const answer = await web.call("/api/public/validate", {
      method: "POST",
      body: JSON.stringify("x".repeat(300 * 1024)),
      headers: { "content-type": "application/json" },
    });
    expect(answer.status).toBe(413);
    expect(main.received).toEqual([]);
  });
  test("502: does not reveal the address of the main service", async () => {
    const lonely = await aWebServer({ API_URL: "http://127.0.0.1:1" });
    const answer = await lonely.call("/api/verification-services/active");
    expect([answer.status, await answer.json()]).toEqual([
      502,
      { statusCode: 502, message: "The main service didn’t answer", error: "Bad Gateway" },
    ]);
    expect(answer.headers.get("x-error-code")).toBe("web.api-unavailable");
    await lonely.close();
  });
  test("502: the main service closes the connection", async () => {
    main.answer("GET /settings", (response) => void response.destroy());
    expect((await web.call("/api/settings", { headers: aSession().headers })).status).toBe(502);
  });
});

describe("a renewal", () => {
  test("is shared by concurrent calls, which all set the new cookies", async () => {
    const { next, refresh, headers } = aStaleSession("many");
    main.answer("POST /auth/refresh", async (response, received) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      await json(200, next)(response, received);
    });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => web.call(`/api/settings?${index}`, { headers })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(main.callsOf("/auth/refresh").map(({ body }) => body)).toEqual([
      JSON.stringify({ refreshToken: refresh }),
    ]);
    const shown = new Set(main.callsOf("/settings").map(({ headers: { authorization } }) => authorization));
    expect(shown).toEqual(new Set([`Bearer ${next.accessToken}`]));
    for (const answer of answers) {
      expect(answer.headers.getSetCookie()[1]).toContain(`cs_refresh=${next.refreshToken};`);
      expect(await answer.text()).not.toContain("eyJ");
    }
    // A concurrent call with the old cookies.
    await web.call("/api/settings", { headers });
    expect(main.callsOf("/auth/refresh")).toHaveLength(1);
  });
  test("works with a refresh token only", async () => {
    const { next, refresh } = aStaleSession("half");
    await web.call("/api/settings", { headers: { cookie: `cs_refresh=${refresh}` } });
    expect(main.callsOf("/settings")[0]?.headers.authorization).toBe(`Bearer ${next.accessToken}`);
  });
  test("is separate for each session", async () => {
    const one = aStaleSession("one");
    await web.call("/api/settings", { headers: one.headers });
    const other = aStaleSession("other");
    await web.call("/api/settings", { headers: other.headers });
    expect(main.callsOf("/settings").map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${one.next.accessToken}`,
      `Bearer ${other.next.accessToken}`,
    ]);
  });
  test("that is refused returns 401 and clears the cookies", async () => {
    const { headers } = aStaleSession("refused");
    main.answer("POST /auth/refresh", json(401, { statusCode: 401, message: "No", error: "Unauthorized" }));
    const answer = await web.call("/api/settings", { headers });
    expect(answer.status).toBe(401);
    expect(answer.headers.getSetCookie()[1]).toContain("cs_refresh=; Max-Age=0");
    expect(main.callsOf("/settings")).toEqual([]);
  });
  test.each([
    [500, 502],
    [429, 429],
  ])("that is answered %d returns %d and keeps the session", async (status, told) => {
    const { next, headers } = aStaleSession(`later ${status}`);
    main.answer("POST /auth/refresh", json(status, {}, { "retry-after": "7" }));
    const answer = await web.call("/api/settings", { headers });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([told, []]);
    expect(answer.headers.get("retry-after")).toBe(status === 429 ? "7" : null);
    main.answer("POST /auth/refresh", json(200, next));
    expect((await web.call("/api/settings", { headers })).status).toBe(200);
  });
});

describe("GET /api/events", () => {
  const listen = (signal?: AbortSignal) =>
    web.call("/api/events", {
      headers: { ...aSession().headers, accept: "text/event-stream", "last-event-id": "7" },
      ...(signal === undefined ? {} : { signal }),
    });
  const open = () => {
    const seen = { end: (): void => undefined, say: (_: string): void => undefined, isClosed: false };
    main.answer("GET /events", (response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      response.flushHeaders();
      seen.say = (text) => void response.write(text);
      seen.end = () => void response.end();
      response.on("close", () => (seen.isClosed = true));
    });
    return seen;
  };

  test("200: opens at once and streams events until the main service ends it", async () => {
    const stream = open();
    const answer = await listen();
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    expect(main.received[0]?.headers["last-event-id"]).toBe("7");
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (const text of ["id: 8\ndata: one\n\n", "id: 9\ndata: two\n\n"]) {
      stream.say(text);
      expect((await reader?.read())?.value).toBe(text);
    }
    stream.end();
    expect((await reader?.read())?.done).toBe(true);
  });
  test("200: ends at the main service when the page disconnects", async () => {
    const stream = open();
    const leaving = new AbortController();
    const answer = await listen(leaving.signal);
    stream.say(": here\n\n");
    expect(answer.status).toBe(200);
    leaving.abort();
    await until(() => stream.isClosed);
  });
  test("200: does not block shutdown", async () => {
    const stream = open();
    const brief = await aWebServer({ API_URL: main.url });
    const answer = await brief.call("/api/events", { headers: aSession().headers });
    await brief.close();
    await until(() => stream.isClosed);
    await answer.text().catch(() => undefined);
  });
  test("401: passes on the status of the main service", async () => {
    main.answer("GET /events", json(401, { statusCode: 401, message: "No", error: "Unauthorized" }));
    const answer = await listen();
    expect([answer.status, await answer.json()]).toMatchObject([401, { message: "No" }]);
  });
});

describe("the log", () => {
  test("contains route patterns and outcomes, but no secrets or bodies", async () => {
    const { headers } = aStaleSession("logged");
    main.answer(
      "POST /auth/siwe/verify",
      json(200, { ...signedIn, user: { id: "u", ethereumAddress: address } }),
    );
    await web.call("/session", {
      method: "POST",
      body: '{"message":"secret-message","signature":"0x99"}',
      headers: { "content-type": "application/json" },
    });
    await web.call(`/api/transactions/${hash}?code=the-code`, { headers });
    main.answer("GET /settings", (response) => void response.destroy());
    await web.call("/api/settings", { headers });
    await until(() => web.lines.length >= 4);
    const text = web.lines.join("");
    expect(text).toContain(
      '"method":"GET","route":"/api/transactions/:requestHash","status":200,"durationMs":',
    );
    for (const secret of ["eyJ", "cs_access", "secret-message", "0x99", "the-code", hash])
      expect(text).not.toContain(secret);
  });
});

describe("behind a trusted proxy", () => {
  test("uses the proxy's X-Forwarded-For", async () => {
    const behind = await aWebServer({ API_URL: main.url, TRUSTED_PROXIES: "127.0.0.1" });
    await behind.call("/api/verification-services/active", { headers: { "x-forwarded-for": "203.0.113.9" } });
    expect(main.received[0]?.headers["x-forwarded-for"]).toBe("203.0.113.9");
    await behind.close();
  });
});

describe("stopping", () => {
  test("waits for pending responses, not for idle connections", async () => {
    const held = Promise.withResolvers<undefined>();
    main.answer("GET /verification-services/active", async (response, received) => {
      await held.promise;
      await json(200, [])(response, received);
    });
    const stopping = await aWebServer({ API_URL: main.url });
    const answer = stopping.call("/api/verification-services/active");
    await until(() => main.received.length === 1);
    const closed = stopping.close();
    held.resolve(undefined);
    expect(await (await answer).json()).toEqual([]);
    await closed;
  });
});
