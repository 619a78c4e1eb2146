import { afterAll, describe, expect, test } from "vitest";
import { loadConfig } from "@countersign/platform/config";
import { makeService } from "@countersign/platform/http";
import { makeLog } from "@countersign/platform/log";
import { makeApp, type App } from "./app.ts";
import { Config } from "./config.ts";

const apps: App[] = [];
afterAll(() => Promise.all(apps.map((app) => app.close())));
function anApp(settings: Record<string, string> = {}): App {
  const app = makeApp(loadConfig(Config, settings), makeLog({ app: "test", level: "silent" }));
  apps.push(app);
  return app;
}
const ask = async ({ service }: App, path: string) => (await makeService(service)).inject(path);

describe("GET /health", () => {
  test("200: lists the chains whose nodes do not answer", async () => {
    const answer = await ask(anApp({ RPC_URLS: "1=http://127.0.0.1:9" }), "/health");
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ status: "degraded", checks: { "chain 1": "failing" } });
    expect(answer.body).not.toContain("127.0.0.1:9");
  });
});

describe("GET /ready", () => {
  test("503: before a worker has started", async () => {
    expect((await ask(anApp(), "/ready")).statusCode).toBe(503);
  });

  test("200: once a worker has started, also without a node", { timeout: 60_000 }, async () => {
    const app = anApp({ CAPTURE_WORKERS: "1", SECOND_ENGINE_WORKERS: "0" });
    await app.start();
    expect((await ask(app, "/ready")).statusCode).toBe(200);
  });
});

describe("GET /metrics", () => {
  test("200: in the text format of Prometheus", async () => {
    const answer = await ask(anApp(), "/metrics");
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain("capture_unproven_total");
    expect(answer.body).toContain("second_engine_differs_total");
    expect(answer.body).toContain("second_engine_held_bytes");
  });
});
