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

describe("GET /health", () => {
  test("200: says how the server and its language model are", async () => {
    const answer = await (await makeValidator().http).inject("/health");
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      status: "ok",
      version: "1.0",
      uptime_seconds: 0,
      llm: { enabled: false },
    });
  });
});

describe("GET /ready", () => {
  test("200: once it is up", async () => {
    expect((await (await makeValidator().http).inject("/ready")).statusCode).toBe(200);
  });
  test("503: while it shuts down", async () => {
    const { app, http } = makeValidator();
    app.health.startDraining();
    expect((await (await http).inject("/ready")).statusCode).toBe(503);
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
