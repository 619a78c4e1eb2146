import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { startCollector, waitUntil, type Collector } from "@countersign/tools/testing";
import { aLog, aService } from "../../test/http.ts";
import { credential, open, type Authenticator } from "../http/auth.ts";
import { unlimited } from "../http/limit.ts";
import { ok, route } from "../http/route.ts";
import { requestErrors } from "../errors/index.ts";
import type { Attributes } from "./attributes.ts";
import { startExport } from "./export.ts";
import {
  annotateSpan,
  callOther,
  callService,
  currentTraceparent,
  inSpan,
  inTrace,
  readTraceparent,
  setRecorder,
  traceTransport,
  withTracing,
  writeTraceparent,
} from "./index.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";
const given = `00-${traceId}-${spanId}-01`;
const context = { traceId, spanId, isSampled: true };

describe("traceparent", () => {
  test("reads a context and writes it again", () => {
    expect(readTraceparent(given)).toEqual(context);
    expect(writeTraceparent(context)).toBe(given);
    expect(readTraceparent(given.replace(/01$/, "00"))).toEqual({ ...context, isSampled: false });
    expect(readTraceparent(given.replace(/01$/, "03"))).toEqual(context);
  });
  test.each([
    ["nothing", undefined],
    ["several headers", [given, given]],
    ["two values in one header", `${given},${given}`],
    ["another version", given.replace(/^00/, "01")],
    ["the invalid version", given.replace(/^00/, "ff")],
    ["upper case", given.toUpperCase()],
    ["a trace id of zeros", `00-${"0".repeat(32)}-${spanId}-01`],
    ["a span id of zeros", `00-${traceId}-${"0".repeat(16)}-01`],
    ["more after it", `${given}-extra`],
    ["a line break after it", `${given}\n`],
    ["a blank before it", ` ${given}`],
    ["a short trace id", `00-${traceId.slice(1)}-${spanId}-01`],
    ["digits that are not hexadecimal", given.replace("0af7", "0ag7")],
  ])("rejects %s", (_, value) => {
    expect(readTraceparent(value)).toBeUndefined();
  });
  test("returns for any text undefined or what writes the same ids", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/)),
        (text) => {
          const read = readTraceparent(text);
          return read === undefined || writeTraceparent(read).slice(0, 52) === text.slice(0, 52);
        },
      ),
    );
  });
});

type Seen = { readonly headers: Readonly<Record<string, string>>; readonly inside: string | undefined };

const bearer: Authenticator = {
  scheme: "test",
  security: { type: "http", scheme: "bearer", description: "" },
  challenge: "Bearer",
  isPresented: ({ headers }) => headers["authorization"] !== undefined,
  authenticate: async ({ headers }) =>
    headers["authorization"] === "Bearer good" ? { scheme: "test", subject: "a", scopes: [] } : undefined,
};

/** A service with a public, a private and a failing route, which records what its handlers saw. */
async function aTracedService(options: { readonly trustsCallers?: boolean } = {}) {
  const seen: Seen[] = [];
  const { log, lines } = aLog();
  const base = {
    method: "GET",
    tag: "Test",
    summary: "Test",
    limit: unlimited,
    replies: { 200: z.unknown() },
  } as const;
  const handle = async () => {
    log.info("inside");
    const answer = await callService(
      { to: "validator", method: "POST", path: "/validate" },
      async (headers) => {
        seen.push({ headers, inside: currentTraceparent() });
        return { status: 200 };
      },
    );
    return ok({ status: answer.status });
  };
  const service = await aService(
    [
      route({ ...base, path: "/public/{name}", params: z.object({ name: z.string() }), auth: open, handle }),
      route({ ...base, path: "/private", auth: credential("test"), handle }),
      route({
        ...base,
        path: "/broken",
        auth: credential("test"),
        refuses: [requestErrors.internal],
        handle: async () => {
          throw new Error("the request was: send everything to bob");
        },
      }),
      route({ ...base, path: "/health", auth: open, handle }),
    ],
    { authenticators: [bearer], log, ...options },
  );
  const get = (url: string, headers: Record<string, string> = {}) => service.inject({ url, headers });
  return { get, seen, lines };
}

const withCredential = { authorization: "Bearer good" };

describe("without a collector", () => {
  test("passes on the context of an authenticated caller unchanged, and logs its ids", async () => {
    const { get, seen, lines } = await aTracedService();
    await get("/private", { ...withCredential, traceparent: given });
    expect(seen).toEqual([{ headers: { traceparent: given }, inside: given }]);
    expect(lines().map(({ msg, traceId: id, spanId: span }) => [msg, id, span])).toEqual([
      ["inside", traceId, spanId],
      ["request", traceId, spanId],
    ]);
  });
  test.each([
    ["without a context", "/private", withCredential],
    ["with a malformed context", "/private", { ...withCredential, traceparent: `${given}0` }],
    ["of an unauthenticated caller", "/public/a", { traceparent: given }],
  ])("a request %s has no trace", async (_, url, headers) => {
    const { get, seen, lines } = await aTracedService();
    expect((await get(url, headers)).statusCode).toBe(200);
    expect(seen).toEqual([{ headers: {}, inside: undefined }]);
    expect(lines().some((line) => "traceId" in line || "spanId" in line)).toBe(false);
  });
  test("a service that only ours call continues every trace", async () => {
    const { get, seen } = await aTracedService({ trustsCallers: true });
    await get("/public/a", { traceparent: given });
    expect(seen).toMatchObject([{ inside: given }]);
  });
  test("does not let two concurrent requests mix their traces", async () => {
    const other = given.replace("0af7", "1bf8");
    const { get, seen } = await aTracedService();
    await Promise.all(
      [given, other].map((traceparent) => get("/private", { ...withCredential, traceparent })),
    );
    expect(seen.map(({ inside }) => inside).sort()).toEqual([given, other].sort());
  });
  test("does not load the SDK", async () => {
    const { execFileSync } = await import("node:child_process");
    const file = new URL("index.ts", import.meta.url).href;
    const listed = execFileSync(
      process.execPath,
      [
        "--input-type=module",
        "--eval",
        `import { registerHooks } from "node:module";
         const seen = [];
         registerHooks({ resolve: (name, context, next) => { seen.push(name); return next(name, context); } });
         await import(${JSON.stringify(file)});
         console.log(seen.filter((name) => name.includes("opentelemetry")).length, seen.length > 5);`,
      ],
      { encoding: "utf8" },
    );
    expect(listed.trim()).toBe("0 true");
  });
});

describe("with a collector", () => {
  let collector: Collector;
  beforeEach(async () => {
    collector = await startCollector();
  });
  afterEach(async () => {
    setRecorder(undefined);
    await collector.close();
  });

  const trace = async (settings: Partial<Parameters<typeof withTracing>[0]> = {}) => {
    const { log, lines } = aLog();
    const { close } = await withTracing(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: undefined,
        OTEL_SERVICE_NAME: undefined,
        OTEL_TRACES_SAMPLER: "parentbased_always_on",
        OTEL_TRACES_SAMPLER_ARG: 1,
        OTEL_BSP_SCHEDULE_DELAY: 60_000,
        ...settings,
      },
      { app: "test", log },
      async () => ({ close: async () => undefined }),
    );
    let closed: Promise<void> | undefined;
    const closeOnce = () => (closed ??= close());
    onTestFinished(closeOnce);
    /** Sends what was recorded. */
    const flush = async () => {
      await closeOnce();
      return collector.spans();
    };
    return { flush, lines };
  };
  const named = (name: string) =>
    collector.spans().find((span) => span.name === name) ?? expect.unreachable(name);

  test("a request of an authenticated caller is a child of the caller's span, and its calls are its children", async () => {
    const { flush } = await trace();
    const { get, seen, lines } = await aTracedService();
    await get("/private", { ...withCredential, traceparent: given });
    expect(await flush()).toHaveLength(2);
    const server = named("GET /private");
    const call = named("POST validator /validate");
    expect(server).toMatchObject({ service: "countersign-test", traceId, parentId: spanId, isFailed: false });
    expect(server.attributes).toEqual({
      "http.request.method": "GET",
      "http.route": "/private",
      "http.response.status_code": 200,
    });
    expect(call).toMatchObject({ traceId, parentId: server.spanId });
    expect(seen).toMatchObject([{ headers: { traceparent: `00-${traceId}-${call.spanId}-01` } }]);
    expect(lines().map(({ spanId: id }) => id)).toEqual([server.spanId, server.spanId]);
  });
  test("a request of an unauthenticated caller begins a trace with a link to the caller's", async () => {
    const { flush } = await trace();
    const { get } = await aTracedService();
    await get("/public/a-secret-code?token=canary", { traceparent: given });
    await flush();
    const server = named("GET /public/:name");
    expect(server.traceId).not.toBe(traceId);
    expect(server).toMatchObject({ parentId: undefined, links: [{ traceId, spanId }] });
    expect(collector.text()).not.toMatch(/a-secret-code|canary/);
  });
  test("a wrong credential does not continue the caller's trace", async () => {
    const { flush } = await trace();
    const { get } = await aTracedService();
    expect((await get("/private", { authorization: "Bearer bad", traceparent: given })).statusCode).toBe(401);
    await flush();
    expect(named("GET /private")).toMatchObject({ parentId: undefined, links: [{ traceId, spanId }] });
    expect(named("GET /private").attributes).toMatchObject({ "http.response.status_code": 401 });
  });
  test("a failed request says what kind of failure it was, and not what was thrown", async () => {
    const { flush } = await trace();
    const { get, lines } = await aTracedService();
    expect((await get("/broken", withCredential)).statusCode).toBe(500);
    await flush();
    expect(named("GET /broken")).toMatchObject({
      isFailed: true,
      attributes: { "error.type": "request.internal" },
    });
    expect(collector.text()).not.toContain("bob");
    expect(lines()[0]).toMatchObject({ msg: "a request failed", spanId: named("GET /broken").spanId });
  });
  test("health checks and unknown addresses have no span", async () => {
    const { flush } = await trace();
    const { get } = await aTracedService();
    await get("/health");
    await get("/wp-admin");
    expect(await flush()).toEqual([]);
  });
  test("other programs' calls have a span only within a trace, and learn nothing about it", async () => {
    const { flush } = await trace();
    await callOther({ to: "ipfs", method: "GET" }, async () => ({ status: 200 }));
    await inTrace("flow: step", { parent: context }, () =>
      callOther({ to: "ipfs", method: "GET" }, async () => ({ status: 503 })),
    );
    const failing = inSpan("nothing", {}, async () => Promise.reject(new TypeError("text of a library")));
    await expect(failing).rejects.toThrow("text of a library");
    await flush();
    expect(collector.spans().map(({ name }) => name)).toEqual(["GET ipfs", "flow: step"]);
    expect(named("GET ipfs")).toMatchObject({ isFailed: true, attributes: { "error.type": "503" } });
  });
  test("an error leaves its name and no text", async () => {
    const { flush } = await trace();
    const failing = inTrace("step", {}, () => Promise.reject(new TypeError("send everything to bob")));
    await expect(failing).rejects.toThrow("bob");
    await flush();
    expect(named("step")).toMatchObject({ isFailed: true, attributes: { "error.type": "TypeError" } });
    expect(collector.text()).not.toContain("bob");
  });
  test("drops attributes that are not on the list, redacts credentials and cuts long texts", async () => {
    const { flush } = await trace();
    await inTrace("step", {}, async () => {
      annotateSpan({
        "countersign.step": `Bearer ${"x".repeat(40)}`,
        "countersign.flow": "f".repeat(300),
        prompt: "send everything to bob",
      } as Attributes);
    });
    await flush();
    expect(named("step").attributes).toEqual({
      "countersign.step": "[redacted]",
      "countersign.flow": "f".repeat(200),
    });
  });
  test("each request to a node has a span, without its parameters", async () => {
    const { flush } = await trace();
    const transport = traceTransport((_options: object) => ({
      config: { key: "http" },
      request: async ({ method }: { method: string; params?: unknown }) => method,
    }));
    const { request, config } = transport({});
    expect(config).toEqual({ key: "http" });
    await inTrace("step", {}, async () => {
      expect(await request({ method: "eth_call", params: ["canary"] })).toBe("eth_call");
    });
    await flush();
    expect(named("eth_call chain")).toMatchObject({ parentId: named("step").spanId });
    expect(collector.text()).not.toContain("canary");
  });

  test.each([
    ["parentbased_always_on", "01", 1],
    ["parentbased_always_on", "00", 0],
    ["parentbased_always_off", "01", 1],
    ["always_off", "01", 0],
    ["always_on", "00", 1],
    ["traceidratio", "01", 0],
    ["parentbased_traceidratio", "01", 1],
  ] as const)("%s with a caller's flag %s and ratio 0 exports %d spans", async (sampler, flag, count) => {
    const { flush } = await trace({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: 0 });
    const { get, lines } = await aTracedService();
    await get("/health");
    await get("/private", { ...withCredential, traceparent: `00-${traceId}-${spanId}-${flag}` });
    expect((await flush()).filter(({ name }) => name === "GET /private")).toHaveLength(count);
    // Logs have the ids of spans that are not exported, too.
    expect(lines().at(-1)).toMatchObject({ msg: "request", traceId });
  });

  test("a collector that refuses spans is logged once, and again when it recovers", async () => {
    collector.setMode("refuse");
    const { lines } = await trace({ OTEL_BSP_SCHEDULE_DELAY: 10 });
    const messages = () => lines().map(({ msg }) => msg);
    for (const count of [1, 2, 3]) {
      await inTrace("step", {}, async () => undefined);
      await waitUntil("it was asked again", () => collector.requests() >= count);
    }
    collector.setMode("accept");
    await inTrace("last", {}, async () => undefined);
    await waitUntil("it recovered", () => messages().length === 2);
    expect(messages()).toEqual([
      "spans not accepted by the collector",
      "spans accepted by the collector again",
    ]);
  });
  test("requests take no longer with a collector that hangs than with one that answers", async () => {
    const hanging = await startCollector();
    hanging.setMode("hang");
    const exporting = [collector, hanging].map(({ url: endpoint }) =>
      startExport({
        ...{ endpoint, serviceName: "test", sampler: "always_on", ratio: 1, everyMs: 1 },
        log: aLog().log,
      }),
    );
    onTestFinished(async () => {
      await hanging.close();
      await Promise.all(exporting.map(({ close }) => close()));
    });
    const { get } = await aTracedService();
    for (const { record } of exporting) record("first", {}).end();
    await waitUntil("both were asked", () => collector.requests() > 0 && hanging.requests() > 0);
    const took: [number[], number[]] = [[], []];
    // Alternately, so that whatever else the machine does hits both.
    for (let round = 0; round < 15; round++)
      for (const [index, { record }] of exporting.entries()) {
        setRecorder(record);
        const begun = performance.now();
        for (let count = 0; count < 20; count++)
          expect((await get("/private", withCredential)).statusCode).toBe(200);
        took[index]?.push(performance.now() - begun);
      }
    const median = (times: readonly number[]) => [...times].sort((a, b) => a - b)[7] ?? Number.NaN;
    expect(median(took[1])).toBeLessThan(3 * median(took[0]));
  });
  test("a collector that hangs keeps neither requests nor the end of the process waiting", async () => {
    collector.setMode("hang");
    const { flush } = await trace({ OTEL_BSP_SCHEDULE_DELAY: 1 });
    const { get } = await aTracedService();
    await get("/private", withCredential);
    await waitUntil("it was asked", () => collector.requests() > 0);
    // Far more than the queue holds: what does not fit is dropped.
    for (let count = 0; count < 5_000; count++) await inTrace("step", {}, async () => undefined);
    expect((await get("/private", withCredential)).statusCode).toBe(200);
    // It would hang for ten seconds, which is longer than a test may take.
    await flush();
    expect(collector.spans()).toEqual([]);
  });
});
