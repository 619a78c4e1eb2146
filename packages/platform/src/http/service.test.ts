import { request } from "node:http";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { defineErrors, detailSurface, requestErrors } from "../errors/index.ts";
import { open, type Authenticator } from "./auth.ts";
import { credential } from "./auth.ts";
import {
  makeLocalLimiter,
  perCaller,
  perIp,
  perValue,
  unlimited,
  type Limit,
  type Limiter,
} from "./limit.ts";
import { ok, route } from "./route.ts";
import { aClock, aLog, aService } from "../../test/http.ts";

const base = { tag: "Test", summary: "Test", auth: open, replies: { 200: z.unknown() } } as const;

const echo = route({
  ...base,
  method: "POST",
  path: "/echo",
  body: z.object({ word: z.string().min(2) }),
  replies: { 200: z.object({ word: z.string() }) },
  handle: ({ body }) => ok(body),
});
const bodyless = route({ ...base, method: "POST", path: "/bodyless", handle: () => ok({ fine: true }) });
const broken = route({
  ...base,
  method: "GET",
  path: "/broken",
  handle: () => {
    throw new Error("password is hunter2");
  },
});
const named = route({
  ...base,
  method: "GET",
  path: "/named/{name}",
  params: z.object({ name: z.string().max(8192) }),
  handle: ({ params }) => ok({ length: params.name.length }),
});

const json = { "content-type": "application/json" };

describe("requests", () => {
  test("is validated, and the refusal names the field but not the value", async () => {
    const service = await aService([echo]);
    const answer = await service.inject({ method: "POST", url: "/echo", payload: { word: "x" } });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({
      statusCode: 400,
      message: "body.word: Too small: expected string to have >=2 characters",
      error: "Bad Request",
    });
    expect(answer.headers["x-error-code"]).toBe("request.invalid");
  });

  test("may be an empty body with a JSON content type where no body is required", async () => {
    const service = await aService([bodyless]);
    expect((await service.inject({ method: "POST", url: "/bodyless", headers: json })).statusCode).toBe(200);
  });

  test("may not be an empty body where one is required", async () => {
    const service = await aService([echo]);
    expect((await service.inject({ method: "POST", url: "/echo", headers: json })).statusCode).toBe(400);
  });

  test.each([
    ["is not JSON", "{bad"],
    ["reaches for a prototype", '{"__proto__":{"x":1},"word":"hello"}'],
    ["holds NUL", '{"word":"a\\u0000b"}'],
    ["is nested without end", `${'{"word":'.repeat(20_000)}1${"}".repeat(20_000)}`],
    ["holds half a character", '{"word":"a\\ud800b"}'],
  ])("is refused when it %s", async (_, payload) => {
    const service = await aService([echo]);
    const answer = await service.inject({ method: "POST", url: "/echo", headers: json, payload });
    expect(answer.statusCode).toBe(400);
    expect(Object.keys(answer.json<object>())).toEqual(["statusCode", "message", "error"]);
  });

  test("is refused when it is of another type or too large", async () => {
    const service = await aService([echo]);
    const post = (headers: Record<string, string>, payload: string) =>
      service.inject({ method: "POST", url: "/echo", headers, payload });
    expect((await post({ "content-type": "text/plain" }, "hello")).statusCode).toBe(415);
    expect((await post(json, JSON.stringify({ word: "x".repeat(300_000) }))).statusCode).toBe(413);
  });

  test("may be a path parameter of 8 kB, every character of it percent-encoded", async () => {
    const service = await aService([named]);
    const address = await service.listen({ host: "127.0.0.1", port: 0 });
    const url = `${address}/named/${"%2B".repeat(8192)}`;
    expect(await (await fetch(url)).json()).toEqual({ length: 8192 });
    expect((await fetch(`${url}%2B`)).status).toBe(400);
    await service.close();
  });
});

describe("responses", () => {
  test("holds only what the reply's schema names", async () => {
    const leaky = route({
      ...base,
      method: "GET",
      path: "/leaky",
      replies: { 200: z.object({ id: z.string() }) },
      handle: () => ok({ id: "1", secret: "2" }),
    });
    const service = await aService([leaky]);
    expect((await service.inject("/leaky")).json()).toEqual({ id: "1" });
  });

  test.each([204, 304] as const)("has no body where the status %i says it all", async (status) => {
    const bodiless = route({
      ...base,
      method: "GET",
      path: "/bodiless",
      replies: { [status]: z.undefined() },
      handle: () => ({ status, body: undefined, headers: { ETag: '"1"' } }),
    });
    const answer = await (await aService([bodiless])).inject("/bodiless");
    expect(answer.statusCode).toBe(status);
    expect(answer.body).toBe("");
    expect(answer.headers["content-type"]).toBeUndefined();
    expect(answer.headers.etag).toBe('"1"');
  });

  test("is a 500 without details after an unexpected error, which is logged", async () => {
    const { log, lines } = aLog();
    const service = await aService([broken], { log });
    const answer = await service.inject("/broken");
    expect(answer.json()).toEqual({
      statusCode: 500,
      message: "Internal server error",
      error: "Internal Server Error",
    });
    expect(lines().find(({ msg }) => msg === "a request failed")).toMatchObject({
      route: "/broken",
      error: { message: "password is hunter2" },
    });
  });

  test("is a 500 when a handler answers what its route does not declare", async () => {
    const wrong = route({
      ...base,
      method: "GET",
      path: "/wrong",
      replies: { 200: z.object({ n: z.number() }) },
      handle: () => ok({ n: "1" as unknown as number }),
    });
    expect((await (await aService([wrong])).inject("/wrong")).statusCode).toBe(500);
  });

  test("is a 404 in the service's own shape for an unknown path", async () => {
    expect((await (await aService([])).inject("/nowhere")).json()).toEqual({
      statusCode: 404,
      message: "No such resource",
      error: "Not Found",
    });
  });

  test("is shaped by the surface: the validator says 422 and detail", async () => {
    const service = await aService([echo], { surface: detailSurface });
    const answer = await service.inject({ method: "POST", url: "/echo", payload: {} });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toEqual({
      detail: "body.word: Invalid input: expected string, received undefined",
    });
  });

  test("is a 422 there as well for a body that is too large or of another type", async () => {
    const service = await aService([echo], { surface: detailSurface });
    const post = (type: string, payload: string) =>
      service.inject({ method: "POST", url: "/echo", headers: { "content-type": type }, payload });
    expect((await post("text/plain", "hello")).statusCode).toBe(422);
    expect((await post("application/json", JSON.stringify({ word: "x".repeat(300_000) }))).statusCode).toBe(
      422,
    );
  });

  test("comes from a service that reads bodies with a reader of its own", async () => {
    const parseJson = (text: string): unknown => {
      if (text === "closed") throw requestErrors.forbidden();
      if (text === "broken") throw new Error("oh");
      return { word: text };
    };
    const service = await aService([echo], { parseJson });
    const post = (payload: string) =>
      service.inject({
        method: "POST",
        url: "/echo",
        headers: { "content-type": "application/json" },
        payload,
      });
    expect((await post("10000000000000000000001")).json()).toMatchObject({ word: "10000000000000000000001" });
    expect((await post("closed")).statusCode).toBe(403);
    expect((await post("broken")).json()).toMatchObject({
      statusCode: 400,
      message: "The body is not valid JSON",
    });
  });

  test.each([
    ['{"word":"a","word":"b"}', '"word"'],
    [String.raw`{"word":"a","w\u006frd":"a"}`, '"word"'],
    ['{"word":"a","more":{"x":1,"x":1}}', '"x"'],
  ])("400: a body that has a member twice, %s", async (payload, name) => {
    const answer = await (
      await aService([echo])
    ).inject({ method: "POST", url: "/echo", headers: { "content-type": "application/json" }, payload });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ message: `The body has the member ${name} twice in one object` });
  });

  test("carries security headers and is not cached", async () => {
    const { headers } = await (await aService([bodyless])).inject("/nowhere");
    expect(headers).toMatchObject({
      "content-security-policy": "default-src 'none';frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    });
  });
});

describe("X-Request-Id", () => {
  test("is echoed, and is in the log", async () => {
    const { log, lines } = aLog();
    const service = await aService([bodyless], { log });
    const answer = await service.inject({
      method: "POST",
      url: "/bodyless",
      headers: { "x-request-id": "abc-1.2_3" },
    });
    expect(answer.headers["x-request-id"]).toBe("abc-1.2_3");
    expect(lines().at(-1)).toMatchObject({
      msg: "request",
      requestId: "abc-1.2_3",
      route: "/bodyless",
      status: 200,
    });
  });

  test.each(["has spaces", "x".repeat(129), "newline\\n"])(
    "is replaced when it is unfit to log: %s",
    async (id) => {
      const answer = await (await aService([])).inject({ url: "/", headers: { "x-request-id": id } });
      expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});

describe("the log of a request", () => {
  test("has the details of a refusal, which the client does not get", async () => {
    const { log, lines } = aLog();
    const errors = defineErrors("things", { notYours: { status: 403, message: "Not yours" } });
    const refusing = route({
      ...base,
      method: "GET",
      path: "/refusing",
      refuses: [errors.notYours],
      handle: () => {
        throw errors.notYours({ details: { key: "0xabc", reason: "owned by another" } });
      },
    });
    const answer = await (await aService([refusing], { log })).inject("/refusing");
    expect(answer.json()).toEqual({ statusCode: 403, message: "Not yours", error: "Forbidden" });
    expect(lines()[0]).toMatchObject({
      errorCode: "things.not-yours",
      key: "0xabc",
      reason: "owned by another",
    });
  });

  test("has the route's pattern, never the address with its values", async () => {
    const { log, text } = aLog();
    await (await aService([named], { log })).inject("/named/s3cret?code=topsecret");
    expect(text()).toContain("/named/:name");
    expect(text()).not.toMatch(/s3cret|topsecret/);
  });
});

describe("CORS", () => {
  const anyone = route({
    ...base,
    method: "POST",
    path: "/any/{id}",
    params: z.object({ id: z.string() }),
    cors: "any",
    handle: () => ok({}),
  });
  const preflight = (url: string) => ({
    method: "OPTIONS" as const,
    url,
    headers: {
      origin: "https://evil.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "x-api-key",
    },
  });

  test("lets the web app's pages call everything, and exposes what they need", async () => {
    const answer = await (await aService([echo])).inject(preflight("/echo"));
    expect(answer.headers["access-control-allow-origin"]).toBe("https://ui.example");
    expect(answer.headers["access-control-allow-headers"]).toBe("x-api-key");
  });

  test("lets any page call only what is open to any page", async () => {
    const service = await aService([echo, anyone]);
    expect((await service.inject(preflight("/any/1"))).headers["access-control-allow-origin"]).toBe("*");
    expect((await service.inject(preflight("/any/1/more"))).headers["access-control-allow-origin"]).toBe(
      "https://ui.example",
    );
  });
});

describe("a credential", () => {
  test.each(["authorization", "Authorization", "x-api-key"])(
    "sent twice is refused, whichever of the two is meant: %s",
    async (name) => {
      const service = await aService([bodyless]);
      const address = await service.listen({ host: "127.0.0.1", port: 0 });
      const status = await new Promise((resolve, reject) => {
        const sent = request(`${address}/bodyless`, { method: "POST" }, (answer) => {
          resolve(answer.resume().statusCode);
        });
        sent.once("error", reject);
        sent.setHeader(name, ["one", "two"]);
        sent.end();
      });
      expect(status).toBe(400);
      await service.close();
    },
  );
});

describe("limits", () => {
  const key: Authenticator = {
    scheme: "key",
    security: {},
    challenge: 'ApiKey header="x-api-key"',
    isPresented: ({ headers }) => headers["x-api-key"] !== undefined,
    authenticate: async ({ headers }) => ({
      scheme: "key",
      subject: String(headers["x-api-key"]),
      scopes: [],
    }),
  };
  const limited = route({
    ...base,
    method: "GET",
    path: "/limited",
    auth: credential("key"),
    limit: [perIp(5), perCaller("key", 2)],
    handle: () => ok({}),
  });
  const ask = (service: Awaited<ReturnType<typeof aService>>, apiKey: string) =>
    service.inject({ url: "/limited", headers: { "x-api-key": apiKey } });

  test("show the one with the fewest left, and its reset in Unix seconds", async () => {
    const clock = aClock("2026-01-01T00:00:00Z");
    const service = await aService([limited], { authenticators: [key], clock });
    const { headers } = await ask(service, "a");
    expect(headers).toMatchObject({
      "x-ratelimit-limit": "2",
      "x-ratelimit-remaining": "1",
      "x-ratelimit-reset": String(Date.parse("2026-01-01T00:01:00Z") / 1000),
    });
  });

  test("count the addresses of an IPv6 /64 as one, and of another /64 apart", async () => {
    const service = await aService([limited], { authenticators: [key] });
    const from = async (remoteAddress: string, apiKey: string) =>
      (await service.inject({ url: "/limited", headers: { "x-api-key": apiKey }, remoteAddress })).statusCode;
    for (let host = 1; host <= 5; host++) expect(await from(`2001:db8::${host}`, `k${host}`)).toBe(200);
    expect(await from("2001:db8:0:0:ffff::9", "k9")).toBe(429);
    expect(await from("2001:db8:0:1::1", "k9")).toBe(200);
  });

  test("count an IPv4 address the same when it arrives inside an IPv6 one", async () => {
    const service = await aService([limited], { authenticators: [key] });
    const from = async (remoteAddress: string, apiKey: string) =>
      (await service.inject({ url: "/limited", headers: { "x-api-key": apiKey }, remoteAddress })).statusCode;
    for (let turn = 1; turn <= 5; turn++) expect(await from("::ffff:10.9.0.1", `k${turn}`)).toBe(200);
    expect(await from("10.9.0.1", "k9")).toBe(429);
    expect(await from("10.9.0.2", "k9")).toBe(200);
  });

  test("are counted per caller and per address, each on its own", async () => {
    const service = await aService([limited], { authenticators: [key] });
    const statuses = [];
    for (const apiKey of ["a", "a", "a", "b", "b", "c"])
      statuses.push((await ask(service, apiKey)).statusCode);
    expect(statuses).toEqual([200, 200, 429, 200, 200, 429]);
  });

  test("refuse with Retry-After and the service's error body", async () => {
    const service = await aService([limited], { authenticators: [key] });
    for (let i = 0; i < 2; i++) await ask(service, "a");
    const answer = await ask(service, "a");
    expect(answer.json()).toEqual({
      statusCode: 429,
      message: "Too many requests",
      error: "Too Many Requests",
    });
    expect(answer.headers).toMatchObject({
      "retry-after": "60",
      "x-ratelimit-remaining": "0",
      "x-error-code": "request.too-many",
    });
  });

  test("count an address before its credentials are looked at", async () => {
    let looked = 0;
    const costly = { ...key, authenticate: async () => void looked++ };
    const service = await aService([limited], { authenticators: [costly] });
    for (let i = 0; i < 8; i++) await ask(service, "bad");
    expect(looked).toBe(5);
  });

  test("are counted per value of the query or the body, from wherever it comes; without one nothing is counted", async () => {
    const code = z.object({ code: z.string().optional() }).optional();
    const about = { ...base, path: "/about", limit: [perValue("code", 2)], handle: () => ok({}) } as const;
    const service = await aService([
      route({ ...about, method: "GET", query: code }),
      route({ ...about, method: "POST", body: code }),
    ]);
    const get = (query: string) => service.inject({ url: `/about${query}` });
    const post = (payload: object) => service.inject({ method: "POST", url: "/about", payload });
    const statuses = [];
    for (const query of ["?code=a", "?code=a", "?code=a", "?code=b", "", "", ""])
      statuses.push((await get(query)).statusCode);
    expect(statuses).toEqual([200, 200, 429, 200, 200, 200, 200]);
    expect((await post({ code: "a" })).headers).toMatchObject({ "x-ratelimit-remaining": "1" });
  });

  test("keep no value they count by: it may be a secret", async () => {
    const keys: string[] = [];
    const limiter: Limiter = {
      count: async ({ key: counted }) => {
        keys.push(counted);
        return { limit: 1, remaining: 0, resetAt: new Date(0) };
      },
    };
    const query = z.object({ code: z.string() });
    const limit = [perValue("code", 1)];
    const service = await aService(
      [route({ ...base, method: "GET", path: "/about", limit, query, handle: () => ok({}) })],
      { limiter },
    );
    await service.inject("/about?code=open-sesame");
    expect(keys).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
    expect(keys.join()).not.toContain("sesame");
  });

  test("on a costly operation are counted by the code that performs it, across all endpoints", async () => {
    const limiter = makeLocalLimiter(aClock());
    const costly = { ...perIp(1), counts: "questions" };
    const ask = (path: `/${string}`) =>
      route({
        ...base,
        method: "GET",
        path,
        limit: [costly],
        query: z.object({ costly: z.string().optional() }),
        handle: async ({ query, ip }) => {
          if (query.costly !== undefined) await limiter.count({ limit: costly, route: path, key: ip });
          return ok({});
        },
      });
    const service = await aService([ask("/a"), ask("/b")], { limiter });
    const statuses = [];
    for (const url of ["/a", "/a", "/a?costly=1", "/b?costly=1", "/b"])
      statuses.push((await service.inject(url)).statusCode);
    expect(statuses).toEqual([200, 200, 200, 429, 200]);
  });

  test("believe an address only from a proxy that is trusted", async () => {
    const once = route({ ...base, method: "GET", path: "/once", limit: [perIp(1)], handle: () => ok({}) });
    const askTwice = async (trustedProxies: readonly string[]): Promise<number> => {
      const service = await aService([once], { trustedProxies });
      const ask = (address: string) =>
        service.inject({ url: "/once", headers: { "x-forwarded-for": address } });
      await ask("10.0.0.1");
      return (await ask("10.0.0.2")).statusCode;
    };
    expect(await askTwice([])).toBe(429);
    expect(await askTwice(["127.0.0.1"])).toBe(200);
  });

  test("have a standard number that a service can set, apart from an endpoint's own", async () => {
    const at = (path: `/${string}`, limit?: readonly Limit[]) =>
      route({ ...base, method: "GET", path, ...(limit && { limit }), handle: () => ok({}) });
    const service = await aService([at("/standard"), at("/own", [perIp(4)])], { requestsPerMinutePerIp: 2 });
    const statuses = async (url: string): Promise<number[]> => {
      const answers: number[] = [];
      for (let count = 0; count < 5; count++) answers.push((await service.inject(url)).statusCode);
      return answers;
    };
    expect(await statuses("/standard")).toEqual([200, 200, 429, 429, 429]);
    expect(await statuses("/own")).toEqual([200, 200, 200, 200, 429]);
    expect(await statuses("/nowhere")).toEqual([404, 404, 429, 429, 429]);
  });

  test("apply to unknown paths too, and not to unlimited routes", async () => {
    const service = await aService([
      route({ ...base, method: "GET", path: "/free", limit: unlimited, handle: () => ok({}) }),
    ]);
    const many = (url: string) => Promise.all(Array.from({ length: 301 }, () => service.inject(url)));
    expect((await many("/nowhere")).at(-1)?.statusCode).toBe(429);
    expect((await many("/free")).at(-1)?.statusCode).toBe(200);
  });
});

describe("a stop", () => {
  test("lets a request that is under way finish, and does not wait for its caller to hang up", async () => {
    const started = Promise.withResolvers<undefined>();
    const mayEnd = Promise.withResolvers<undefined>();
    const slow = route({
      ...base,
      method: "GET",
      path: "/slow",
      handle: async () => {
        started.resolve(undefined);
        await mayEnd.promise;
        return ok({ done: true });
      },
    });
    const service = await aService([slow]);
    const address = await service.listen({ host: "127.0.0.1", port: 0 });
    const answer = fetch(`${address}/slow`);
    await started.promise;
    const closed = service.close();
    await vi.waitUntil(() => !service.server.listening, { timeout: 20_000 });
    mayEnd.resolve(undefined);
    expect(await (await answer).json()).toEqual({ done: true });
    await closed;
    await expect(fetch(`${address}/slow`)).rejects.toThrow();
  });
});

describe("the reference", () => {
  test("is a page that loads nothing from other origins", async () => {
    const service = await aService([echo]);
    const page = await service.inject("/docs/");
    expect(page.body).not.toMatch(/(src|href)="https?:/);
    expect(page.headers["content-security-policy"]).toContain("connect-src 'self'");
    expect((await service.inject("/openapi.json")).json()).toMatchObject({ openapi: "3.1.0" });
  });
});

test("answers requests while it drains, and closes their connections", async () => {
  let isDraining = false;
  const service = await aService([bodyless], { isDraining: () => isDraining });
  const ask = () => service.inject({ method: "POST", url: "/bodyless" });
  expect((await ask()).headers.connection).toBe("keep-alive");
  isDraining = true;
  expect(await ask()).toMatchObject({ statusCode: 200, headers: { connection: "close" } });
  const unknown = await service.inject({ method: "GET", url: "/nowhere" });
  expect(unknown).toMatchObject({ statusCode: 404, headers: { connection: "close" } });
});
