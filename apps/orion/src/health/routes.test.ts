import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { loadConfig } from "@countersign/platform/config";
import { makeService } from "@countersign/platform/http";
import { makeLog } from "@countersign/platform/log";
import { makeTempDir } from "@countersign/tools/testing";
import { makeApp } from "../app.ts";
import { Config } from "../config.ts";
import { anAddress } from "../../test/proposals.ts";

const dir = makeTempDir("orion-health");
afterAll(() => {
  rmSync(dir, { recursive: true });
});

/** No server listens at these addresses. */
const nowhere = "http://127.0.0.1:9";
const settings = {
  ENGINE_INGRESS_URL: nowhere,
  API_URL: nowhere,
  VALIDATOR_URL: nowhere,
  RPC_URL: nowhere,
  INBOX_ADDRESS: anAddress(),
  ORION_KEY: "cs_orion_test",
  VERDICT_KEY_FILE: join(dir, "verdict.json"),
  PGP_KEY_FILE: join(dir, "pgp.asc"),
  SECRETS_KEY: Buffer.alloc(32, 1).toString("base64"),
  VERDICT_KEY_CREATE: "true",
  PGP_KEY_CREATE: "true",
};
const makeOrion = (changes: Readonly<Record<string, string>> = {}) =>
  makeApp(loadConfig(Config, { ...settings, ...changes }), makeLog({ app: "test", level: "silent" }));

describe("GET /", () => {
  test("200: names its public keys", async () => {
    const app = makeOrion();
    const { inbox, fingerprint } = await app.prepare();
    const answer = await (await makeService(app.service)).inject("/");
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ inbox, fingerprint });
    expect(answer.body).not.toContain("PRIVATE");
  });
});
describe("GET /health", () => {
  test("200: also while all dependencies are down, and lists them", async () => {
    const answer = await (await makeService(makeOrion().service)).inject("/health");
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      status: "degraded",
      checks: { engine: "failing", api: "failing", validator: "failing" },
    });
  });
});
describe("GET /ready", () => {
  test("200: once the engine answers, whatever else is down", async () => {
    const engine = createServer((_, response) => {
      response.setHeader("content-type", "application/json").end('"here"');
    }).listen(0, "127.0.0.1");
    await once(engine, "listening");
    const ENGINE_INGRESS_URL = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
    const answer = await (await makeService(makeOrion({ ENGINE_INGRESS_URL }).service)).inject("/ready");
    engine.closeAllConnections();
    engine.close();
    expect(answer.statusCode).toBe(200);
  });
  test("503: while the engine is down", async () => {
    expect((await (await makeService(makeOrion().service)).inject("/ready")).statusCode).toBe(503);
  });
});
describe("GET /metrics", () => {
  test("200: in the text format of Prometheus", async () => {
    const answer = await (await makeService(makeOrion().service)).inject("/metrics");
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('app="orion"');
  });
});

test("starts without the settings that posting a verdict needs, names all of them, and watches nothing", async () => {
  const lines: string[] = [];
  const log = makeLog({ app: "test", level: "warn", to: { write: (line) => void lines.push(line) } });
  const app = makeApp(loadConfig(Config, { ...settings, ORION_KEY: "", INBOX_ADDRESS: "" }), log);
  await app.prepare();
  expect(app.startWatch()).toEqual([]);
  expect(lines.join("")).toMatch(/ORION_KEY is not set.*INBOX_ADDRESS is not set/s);
});
test("describes itself with its default settings", async () => {
  const { service } = makeApp(loadConfig(Config, {}), makeLog({ app: "test", level: "silent" }));
  await expect(makeService(service)).resolves.toBeDefined();
});
