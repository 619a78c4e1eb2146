import { describe, expect, test } from "vitest";
import { loadConfig } from "@countersign/platform/config";
import { makeService } from "@countersign/platform/http";
import { makeLog } from "@countersign/platform/log";
import { makeApp } from "../app.ts";
import { Config } from "../config.ts";

const makeValidator = () => {
  const app = makeApp(loadConfig(Config, {}), makeLog({ app: "validator", level: "silent" }));
  return { app, http: makeService(app.service) };
};

const makeLoaded = async () => {
  const { app, http } = makeValidator();
  const engine = await app.load();
  return { app, engine, http: await http };
};

describe("GET /health", () => {
  test("200: says how the server is, and what its verdicts rest on", async () => {
    const { http, engine } = await makeLoaded();
    const answer = await http.inject("/health");
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      status: "ok",
      version: "1.0",
      llm: { enabled: false, model: null, state: "off" },
      catalogue: { checks: engine.nodes.length, version: expect.stringMatching(/^[0-9a-f]{12}$/) as unknown },
    });
    const { lists, registry } = answer.json<{
      lists: { as_of: string }[];
      registry: { entries: number }[];
    }>();
    expect(lists.length).toBeGreaterThan(0);
    expect(registry.length).toBeGreaterThan(0);
  });
  test("503: before its tables are loaded", async () => {
    const answer = await (await makeValidator().http).inject("/health");
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({ detail: "The service is not ready" });
  });
});

describe("GET /ready", () => {
  test("200: once it is up", async () => {
    const { http } = await makeLoaded();
    expect((await http.inject("/ready")).statusCode).toBe(200);
  });
  test("503: before its tables are loaded", async () => {
    expect((await (await makeValidator().http).inject("/ready")).statusCode).toBe(503);
  });
  test("503: while it shuts down", async () => {
    const { app, http } = await makeLoaded();
    app.health.startDraining();
    expect((await http.inject("/ready")).statusCode).toBe(503);
  });
});

describe("GET /metrics", () => {
  test("200: Prometheus text", async () => {
    expect((await (await makeValidator().http).inject("/metrics")).body).toContain('app="validator"');
  });
});

test("errors are the validator's: a body with detail and nothing else", async () => {
  expect((await (await makeValidator().http).inject("/nowhere")).json()).toEqual({
    detail: "No such resource",
  });
});
