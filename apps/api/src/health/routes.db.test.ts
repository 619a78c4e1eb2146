import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePorts } from "@countersign/tools/testing";
import { aTestApiWithKeys } from "../../test/api-keys.ts";
import { aTestApi, exceedLimit, type TestApi } from "../../test/test-api.ts";

let api: TestApi;
beforeAll(async () => {
  const [nobodyThere = 0] = await freePorts(1);
  const away = `http://127.0.0.1:${nobodyThere}`;
  api = await aTestApi({ ENGINE_INGRESS_URL: away, IPFS_URL: away });
});
afterAll(() => api.close());

describe("GET /", () => {
  test("200: describes the service and links to the next steps", async () => {
    const answer = await api.http.send("/");
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      name: "Countersign",
      version: "1.0",
      status: "ok",
      documentation: "https://api.example/docs",
      mcp: "https://api.example/mcp",
    });
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "GET", url: "/" })).toBe(429);
  });
});

describe("GET /health", () => {
  test("200: is degraded, not down, while the engine and IPFS are away", async () => {
    const answer = await api.http.send("/health");
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      status: "degraded",
      version: "1.0",
      checks: { database: "ok", engine: "failing", ipfs: "failing" },
    });
  });
  test("200: reveals no dependency versions and no addresses", async () => {
    expect(Object.keys((await api.http.send("/health")).json<object>())).toEqual([
      "status",
      "version",
      "uptimeSeconds",
      "checks",
      "timestamp",
    ]);
  });
});

describe("GET /ready", () => {
  test("200: with the database alone", async () => {
    const answer = await api.http.send("/ready");
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      ready: true,
      checks: { database: "ok", engine: "failing", ipfs: "failing" },
    });
  });
  test("503: without the database", async () => {
    const [nobodyThere = 0] = await freePorts(1);
    const lame = await aTestApi({ DATABASE_URL: `postgres://postgres@127.0.0.1:${nobodyThere}/none` });
    const answer = await lame.http.send("/ready");
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ ready: false, checks: { database: "failing" } });
    await lame.close();
  });
  test("503: while it shuts down, so that it gets no new traffic", async () => {
    const leaving = await aTestApi();
    leaving.app.startDraining();
    expect((await leaving.http.send("/ready")).statusCode).toBe(503);
    await leaving.close();
  });
});

describe("GET /metrics", () => {
  const local = { HOST: "127.0.0.1", BASE_URL: "http://127.0.0.1:3000" };
  const ask = async (environment: Record<string, string>, key?: "admin" | "orion") => {
    const other = await aTestApiWithKeys(environment);
    try {
      await other.http.send("/health");
      const headers = key === undefined ? {} : { "x-api-key": await other.issueServerKey(key) };
      return await other.http.send({ url: "/metrics", headers });
    } finally {
      await other.close();
    }
  };

  test("200: Prometheus text with requests by route and the backlog of durable work", async () => {
    const answer = await ask(local);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toContain("text/plain");
    expect(answer.body).toContain(
      'http_request_duration_seconds_count{method="GET",route="/health",status="200",app="api"}',
    );
    expect(answer.body).toContain('flows_parked{app="api"} 0');
  });
  test.each([
    ["a public listener", { ...local, HOST: "0.0.0.0" }],
    ["a public address", { ...local, BASE_URL: "https://api.example" }],
  ])("401: with %s, to callers without an ADMIN key; 200 with one", async (_, environment) => {
    for (const key of [undefined, "orion"] as const) {
      const answer = await ask(environment, key);
      expect(answer.statusCode).toBe(401);
      expect(answer.headers["www-authenticate"]).toBe('ApiKey header="x-api-key"');
      expect(answer.body).not.toContain("http_request");
    }
    expect((await ask(environment, "admin")).statusCode).toBe(200);
  });
  test("200: without a key on a separate port", async () => {
    expect((await ask({ INTERNAL_PORT: "3009" })).statusCode).toBe(200);
  });
});
