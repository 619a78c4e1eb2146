import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadConfig } from "@countersign/platform/config";
import { makeService } from "@countersign/platform/http";
import { makeLog } from "@countersign/platform/log";
import { makeApp } from "../app.ts";
import { Config } from "../config.ts";

const makeValidator = () => {
  const config = loadConfig(Config, { VALIDATE_WORKERS: "1" });
  const app = makeApp(config, makeLog({ app: "validator", level: "silent" }));
  return { app, http: makeService(app.service) };
};

const loaded = makeValidator();
let checks = 0;
beforeAll(async () => {
  ({ checks } = await loaded.app.load());
}, 240_000);
afterAll(() => loaded.app.close());

describe("GET /health", () => {
  test("200: says how the server is, and what its verdicts rest on", async () => {
    const answer = await (await loaded.http).inject("/health");
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      status: "ok",
      version: "1.4",
      llm: { enabled: false, model: null, state: "off" },
      catalogue: { checks, version: expect.stringMatching(/^[0-9a-f]{12}$/) as unknown },
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
    expect((await (await loaded.http).inject("/ready")).statusCode).toBe(200);
  });
  test("503: before its tables are loaded", async () => {
    expect((await (await makeValidator().http).inject("/ready")).statusCode).toBe(503);
  });
  test("503: while it shuts down", async () => {
    loaded.app.health.startDraining();
    expect((await (await loaded.http).inject("/ready")).statusCode).toBe(503);
  });
});

describe("GET /metrics", () => {
  test("200: Prometheus text", async () => {
    expect((await (await makeValidator().http).inject("/metrics")).body).toContain('app="validator"');
  });
  test.each(["validate", "public_validate"])("200: how busy the workers of %s are", async (name) => {
    const { body } = await (await loaded.http).inject("/metrics");
    expect(body).toContain(`${name}_waiting{app="validator"} 0`);
    expect(body).toContain(`${name}_workers{app="validator"} 1`);
    expect(body).toContain(`${name}_over_budget_total{app="validator"} 0`);
  });
});

test("errors are the validator's: a body with detail and nothing else", async () => {
  expect((await (await makeValidator().http).inject("/nowhere")).json()).toEqual({
    detail: "No such resource",
  });
});
