import { describe, expect, test } from "vitest";
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  CountersignError,
  InvalidRequestError,
  RateLimitError,
  ServiceError,
} from "./errors.ts";
import { makeHttp } from "./http.ts";
import { aServer, breaksOff, hangs, nowhere, says, saysHalf, type Step } from "../test/server.ts";

const fine = says(200, { fine: true });
const caught = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "nothing was thrown",
    (error: unknown) => error,
  );

describe("a request", () => {
  test("is sent as JSON with idempotency key and user agent", async () => {
    await using server = await aServer(fine);
    const ask = {
      method: "POST",
      query: { a: 1, b: undefined },
      body: { x: "y" },
      idempotencyKey: "k",
    } as const;
    const { status, body } = await makeHttp(server)("/things", ask);
    expect({ status, body }).toEqual({ status: 200, body: { fine: true } });
    expect(server.received).toMatchObject([
      { method: "POST", path: "/things", query: { a: "1" }, body: '{"x":"y"}' },
    ]);
    expect(server.received[0]?.headers).toMatchObject({
      "content-type": "application/json",
      "idempotency-key": "k",
      "user-agent": "countersign-sdk/0.1.0",
    });
  });

  test("carries the trace of its program, which a function returns for each request", async () => {
    await using server = await aServer(fine);
    const [first, second] = ["a", "b"].map((digit) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`);
    const given = [second, undefined];
    await makeHttp({ ...server, ...(first === undefined ? {} : { traceparent: first }) })("/things");
    const http = makeHttp({ ...server, traceparent: () => given.shift() });
    await http("/things");
    await http("/things");
    expect(server.received.map(({ headers }) => headers["traceparent"])).toEqual([first, second, undefined]);
  });

  test("is sent without a trace if the trace is malformed or cannot be read", async () => {
    await using server = await aServer(fine);
    const failing = (): string => {
      throw new Error("no span");
    };
    for (const traceparent of ["", "two\nlines", `00-${"A".repeat(32)}-${"a".repeat(16)}-01`, failing])
      expect((await makeHttp({ ...server, traceparent })("/things")).status).toBe(200);
    expect(server.received.map(({ headers }) => headers["traceparent"])).toEqual(Array(4).fill(undefined));
  });

  test("does not set the user agent in a browser", async () => {
    await using server = await aServer(fine);
    Object.assign(globalThis, { document: {} });
    try {
      await makeHttp(server)("/things");
    } finally {
      Reflect.deleteProperty(globalThis, "document");
    }
    expect(server.received[0]?.headers["user-agent"]).not.toContain("countersign");
  });

  test("is rejected locally if it cannot be serialized", async () => {
    await using server = await aServer(fine);
    const http = makeHttp(server);
    for (const ask of [
      { method: "POST", body: { amount: 1n } },
      { headers: { "x-thing": "two\nlines" } },
      { method: "POST", idempotencyKey: "a blank" },
    ] as const)
      expect(await caught(http("/things", ask))).toBeInstanceOf(CountersignError);
    for (const path of ["//elsewhere.example/x", "https://elsewhere.example/x", "/\\elsewhere.example"])
      expect(await caught(http(path))).toBeInstanceOf(CountersignError);
    expect(server.received).toEqual([]);
  });

  test.each(["countersign.example", "ftp://countersign.example", "https://me:secret@countersign.example"])(
    "rejects the address %s without quoting it",
    (url) => {
      expect(() => makeHttp({ url })).toThrow(CountersignError);
      expect(() => makeHttp({ url })).not.toThrow(/secret/);
    },
  );

  test("rejects an address with a path", () => {
    expect(() => makeHttp({ url: "https://countersign.example/api" })).toThrow(
      "use https://countersign.example",
    );
  });
});

describe.concurrent("retries an idempotent request after", () => {
  const troubles: Readonly<Record<string, Step>> = {
    "a connection that was reset before anything was read": "no connection",
    "a connection that was reset once the request had arrived": breaksOff,
    "half an answer": saysHalf,
    "503": says(503, { message: "away" }),
    "500": says(500, { message: "away" }),
    "502 of something in between": says(502, "<html>bad gateway</html>"),
    "429 with Retry-After 0": says(429, { message: "slowly" }, { "retry-after": "0" }),
  };
  test.each(Object.entries(troubles))("%s", async (_name, trouble) => {
    await using server = await aServer(trouble, fine);
    expect((await makeHttp(server)("/things")).body).toEqual({ fine: true });
    expect(server.received.length + server.turnedAway()).toBe(2);
  });

  test("a timeout", async () => {
    await using server = await aServer(hangs, fine);
    expect((await makeHttp({ ...server, timeoutMs: 2_000 })("/things")).body).toEqual({ fine: true });
  });

  test("no earlier than Retry-After, in seconds or as a date", async () => {
    const inASecond = says(
      503,
      {},
      { date: "Sun, 06 Nov 2033 08:49:37 GMT", "retry-after": "Sun, 06 Nov 2033 08:49:38 GMT" },
    );
    for (const trouble of [says(429, {}, { "retry-after": "1" }), inASecond]) {
      await using server = await aServer(trouble, fine);
      const began = performance.now();
      await makeHttp(server)("/things");
      expect(performance.now() - began).toBeGreaterThanOrEqual(990);
    }
  });
});

describe("a request that is not idempotent", () => {
  const post = { method: "POST", body: {} } as const;
  test.each([
    ["a reset", breaksOff],
    ["half an answer", saysHalf],
    ["503", says(503, {})],
    ["500", says(500, {})],
  ] as const)("is sent once despite %s", async (_name, trouble) => {
    await using server = await aServer(trouble, fine);
    expect(await caught(makeHttp(server)("/things", post))).toBeInstanceOf(CountersignError);
    expect(server.received).toHaveLength(1);
  });

  test("is retried after 429, which has no effect", async () => {
    await using server = await aServer(says(429, {}, { "retry-after": "0" }), says(201, { made: true }));
    expect((await makeHttp(server)("/things", post)).status).toBe(201);
  });
});

describe("a 409 for an idempotency key", () => {
  const keyed = { method: "POST", body: {}, idempotencyKey: "once" } as const;

  test("is retried after a lost response", async () => {
    await using server = await aServer(
      breaksOff,
      says(409, { message: "under way" }),
      says(201, { made: true }),
    );
    expect((await makeHttp(server)("/things", keyed)).body).toEqual({ made: true });
    expect(server.received.map(({ headers }) => headers["idempotency-key"])).toEqual([
      "once",
      "once",
      "once",
    ]);
  });

  test("is retried after Retry-After", async () => {
    await using server = await aServer(says(409, {}, { "retry-after": "0" }), says(201, { made: true }));
    expect((await makeHttp(server)("/things", keyed)).status).toBe(201);
  });

  test("is thrown if no earlier attempt can be in progress", async () => {
    await using server = await aServer(
      says(429, {}, { "retry-after": "0" }),
      says(409, { message: "other request" }),
    );
    expect(await caught(makeHttp(server)("/things", keyed))).toBeInstanceOf(ConflictError);
    expect(server.received).toHaveLength(2);
  });
});

describe("throws", () => {
  test("a ConnectionError after all retries if nothing listens", async () => {
    const url = await nowhere();
    const error = await caught(makeHttp({ url, retries: 1 })("/things?code=secret"));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ message: `No response from ${url} to GET /things: nothing listens there` });
  });

  test("after exactly four attempts", async () => {
    await using server = await aServer(
      says(503, { message: "We are away" }, { "x-request-id": "r1", "x-error-code": "a.b" }),
    );
    const error = await caught(makeHttp(server)("/things"));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({
      message: "We are away",
      status: 503,
      requestId: "r1",
      code: "a.b",
      path: "/things",
    });
    expect(server.received).toHaveLength(4);
  });

  test("at once if Retry-After exceeds a minute", async () => {
    await using server = await aServer(says(429, { message: "tomorrow" }, { "retry-after": "86400" }));
    const error = await caught(makeHttp(server)("/things"));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ retryAfterMs: 86_400_000 });
    expect(server.received).toHaveLength(1);
  });

  test("if the response is not JSON, and names the origin", async () => {
    await using server = await aServer(says(200, "<html>welcome</html>"));
    expect(await caught(makeHttp(server)("/things"))).toMatchObject({
      name: "ConnectionError",
      message: `The response of ${server.url} to GET /things is not JSON: check the service's address`,
    });
  });

  test("on a redirect, without sending the credential there", async () => {
    await using elsewhere = await aServer(fine);
    await using server = await aServer(says(307, "", { location: `${elsewhere.url}/things?token=secret` }));
    const error = await caught(makeHttp(server)("/things"));
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).message).toContain(`to ${elsewhere.url}. Redirects are not followed`);
    expect(elsewhere.received).toEqual([]);
  });

  test.each([
    [400, { message: "to must be an address" }, InvalidRequestError, "to must be an address"],
    [422, { detail: "human_intent is missing" }, InvalidRequestError, "human_intent is missing"],
    [401, { error: "invalid_client", error_description: "Who is it?" }, AuthenticationError, "Who is it?"],
  ])("the service's message for %i", async (status, body, Class, message) => {
    await using server = await aServer(says(status, body));
    const error = await caught(makeHttp(server)("/things"));
    expect(error).toBeInstanceOf(Class);
    expect(error).toMatchObject({ message, status, body });
  });
});

describe("abort", () => {
  test.each([
    ["while an answer is awaited", hangs],
    ["while it waits to be sent again", says(503, {}, { "retry-after": "30" })],
  ] as const)("rejects at once with the caller's reason: %s", async (_name, step) => {
    await using server = await aServer(step);
    const controller = new AbortController();
    const asked = caught(makeHttp(server)("/things", { signal: controller.signal }));
    while (server.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    setTimeout(() => {
      controller.abort(new Error("enough"));
    }, 50);
    expect(await asked).toMatchObject({ message: "enough" });
    expect(server.received).toHaveLength(1);
  });

  test("sends nothing if already aborted", async () => {
    await using server = await aServer(fine);
    const signal = AbortSignal.abort(new Error("never mind"));
    expect(await caught(makeHttp(server)("/things", { signal }))).toMatchObject({ message: "never mind" });
    expect(server.received).toEqual([]);
  });
});
