import { readFileSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { makeSupervisor, type Child, type Supervisor } from "@countersign/tools/engines";
import {
  freePorts,
  makeTempDir,
  makeTestDatabase,
  mayDoWithoutRedis,
  startTestRedis,
  waitUntil,
  type TestDatabase,
  type TestRedis,
} from "@countersign/tools/testing";

type Api = { readonly url: string; readonly child: Child };
type Health = { readonly status: string; readonly checks: Readonly<Record<string, string>> };

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const password = "correct-horse-battery";
const limit = 300;
const cleanUps: (() => Promise<void>)[] = [];
let database: TestDatabase;
let redis: TestRedis;
let supervisor: Supervisor;
let apis: readonly Api[];

const children: Child[] = [];

function startMain(name: string, env: Readonly<Record<string, string>>): Child {
  const child = supervisor.start({ name, command: process.execPath, args: [main], cwd: "/", env });
  children.push(child);
  return child;
}

async function startApi(redisUrl: string): Promise<Api> {
  const [port = 0, unused = 0] = await freePorts(2);
  const env = {
    PORT: String(port),
    ROLE: "http",
    DATABASE_URL: database.serviceUrl,
    ENGINE_INGRESS_URL: `http://127.0.0.1:${unused}`,
    REDIS_URL: redisUrl,
    // So that each test is a separate caller.
    TRUSTED_PROXIES: "127.0.0.1",
  };
  const child = startMain(`api-${port}`, env);
  const url = `http://127.0.0.1:${port}`;
  await waitUntil("the api answers", async () => (await fetch(`${url}/ready`)).ok, { child });
  return { url, child };
}

const ask = async ({ url }: Api, from: string): Promise<Response> => {
  const answer = await fetch(url, { headers: { "x-forwarded-for": from } });
  await answer.body?.cancel();
  return answer;
};
const status = async (api: Api, from: string): Promise<number> => (await ask(api, from)).status;

/** A connection to Redis with delayed answers. */
async function aSlowWayTo(port: number, delayMs: number): Promise<number> {
  const [slowPort = 0] = await freePorts(1);
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    near.on("data", (bytes) => far.write(bytes));
    far.on("data", (bytes) => void setTimeout(() => near.write(bytes), delayMs));
    near.on("close", () => far.destroy()).on("error", () => undefined);
    far.on("close", () => near.destroy()).on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(slowPort, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return slowPort;
}

/** Asks the processes alternately, this many times each. */
async function askInTurn(times: number, from: string): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < times; i++) for (const api of apis) statuses.push(await status(api, from));
  return statuses;
}

/** How many requests pass one process until it rejects. */
async function passUntilRefused(api: Api, from: string): Promise<number> {
  for (let passed = 0; ; passed++) {
    const answered = await status(api, from);
    if (answered === 429) return passed;
    expect(answered).toBe(200);
    expect(passed).toBeLessThan(limit);
  }
}

/** The duration of the fastest of some requests: a busy machine delays many of them, but hardly all. */
async function fastestMs(api: Api, from: string): Promise<number> {
  let fastest = Infinity;
  for (let i = 0; i < 50; i++) {
    const began = performance.now();
    expect(await status(api, from)).toBe(200);
    fastest = Math.min(fastest, performance.now() - began);
  }
  return fastest;
}

const health = async ({ url }: Api): Promise<Health> =>
  (await (await fetch(`${url}/health`)).json()) as Health;
const untilLimitsAre = (state: "ok" | "failing"): Promise<unknown> =>
  waitUntil(`limits are ${state} everywhere`, async () =>
    (await Promise.all(apis.map(health))).every(({ checks }) => checks["limits"] === state),
  );
/** Returns what a process has reported about Redis, in order. */
const reportsOf = ({ child }: Api): readonly string[] =>
  [
    ...readFileSync(child.logFile, "utf8").matchAll(
      /"msg":"(Redis is away|limits are shared through Redis)/gu,
    ),
  ].map(([, report = expect.fail()]) => report);
const untilReported = (api: Api, report: string): Promise<unknown> =>
  waitUntil(`the last report is "${report}"`, () => reportsOf(api).at(-1) === report);

describe.skipIf(mayDoWithoutRedis())("two processes with one Redis", () => {
  beforeAll(async () => {
    redis = await startTestRedis({ password });
    cleanUps.push(redis.stop);
    database = await makeTestDatabase();
    cleanUps.push(database.drop);
    const logDir = makeTempDir("shared-limits");
    supervisor = makeSupervisor({ logDir });
    cleanUps.push(async () => {
      await supervisor.stop();
      rmSync(logDir, { recursive: true });
    });
    apis = await Promise.all([startApi(redis.url), startApi(redis.url)]);
    await untilLimitsAre("ok");
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  });

  const sharesTheLimit = async (from: string): Promise<void> => {
    const [first = expect.fail(), second = expect.fail()] = apis;
    const statuses: number[] = [];
    for (const api of [first, second])
      for (let i = 0; i < limit / 2; i++) statuses.push(await status(api, from));
    expect(statuses).toEqual(Array.from({ length: limit }, () => 200));
    for (const api of apis) {
      const refused = await ask(api, from);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
    }
  };

  test("allow one address 150 requests each, and the 301st at neither; others pass", async () => {
    await sharesTheLimit("10.0.0.1");
    expect(new Set(await askInTurn(1, "10.0.0.2"))).toEqual(new Set([200]));
  });

  test("show at the second what is left after the first", async () => {
    const [first = expect.fail(), second = expect.fail()] = apis;
    await ask(first, "10.0.0.3");
    expect((await ask(second, "10.0.0.3")).headers.get("x-ratelimit-remaining")).toBe(String(limit - 2));
  });

  test("reject no request and lift no limit when Redis is killed, and share again when it is back", async () => {
    const from = "10.0.0.4";
    expect(new Set(await askInTurn(100, from))).toEqual(new Set([200]));
    // On a busy machine late answers are reported, too.
    for (const api of apis) await untilReported(api, "limits are shared through Redis");
    const before = apis.map((api) => reportsOf(api).length);
    await redis.kill9();
    // 200 were counted together, and both knew: each continues from there, not from its own 100 or from 0.
    for (const api of apis) {
      const passed = await passUntilRefused(api, from);
      expect(passed).toBeGreaterThanOrEqual(limit - 200);
      expect(passed).toBeLessThan(limit - 190);
    }
    await untilLimitsAre("failing");
    for (const { url } of apis) expect((await fetch(`${url}/ready`)).status).toBe(200);
    // However many requests noticed.
    expect(apis.map((api, i) => reportsOf(api).slice(before[i]))).toEqual([
      ["Redis is away"],
      ["Redis is away"],
    ]);

    await redis.restart();
    await untilLimitsAre("ok");
    // Its counts are gone, but not those of the processes.
    expect(await askInTurn(1, from)).toEqual([429, 429]);
    await sharesTheLimit("10.0.0.5");
    for (const api of apis) await untilReported(api, "limits are shared through Redis");
  });

  test("answer in time and within the limit while Redis hangs, and share again when it resumes", async () => {
    const from = "10.0.0.6";
    await askInTurn(10, from);
    process.kill(redis.pid(), "SIGSTOP");
    for (const api of apis) expect(await passUntilRefused(api, from)).toBeLessThan(limit - 10);
    // Each request waits 50 ms for an answer until the connection is dropped, a second after the first; then none
    // does.
    for (const api of apis) expect(await fastestMs(api, "10.0.1.6")).toBeLessThan(50);
    process.kill(redis.pid(), "SIGCONT");
    await untilLimitsAre("ok");
    await sharesTheLimit("10.0.0.7");
  });

  test("wait for a slow Redis only briefly, accept its answers late, and log once that it is slow", async () => {
    const { port } = new URL(redis.url);
    const slowPort = await aSlowWayTo(Number(port), 100);
    const slow = await startApi(redis.url.replace(port, String(slowPort)));
    await waitUntil("limits are ok", async () => (await health(slow)).checks["limits"] === "ok");
    const [quick = expect.fail()] = apis;
    for (let i = 0; i < 10; i++) expect(await status(quick, "10.0.0.9")).toBe(200);
    for (let i = 0; i < 10; i++) expect(await status(slow, "10.0.0.9")).toBe(200);
    const remaining = async (api: Api): Promise<number> =>
      Number((await ask(api, "10.0.0.9")).headers.get("x-ratelimit-remaining"));
    expect(await remaining(quick)).toBe(limit - 21);
    // Its last answers are still on their way, but it knows of the ten that passed elsewhere.
    expect(await remaining(slow)).toBeLessThan(limit - 15);
    expect(reportsOf(slow)).toEqual(["Redis is away"]);
    await slow.child.stop();
    expect(slow.child.exitReason()).toBe("exit code 0");
  });

  test("shut down while Redis is down", async () => {
    await redis.kill9();
    await untilLimitsAre("failing");
    for (const { child } of apis) {
      await child.stop();
      expect(child.exitReason()).toBe("exit code 0");
    }
  });

  test("never log the password of Redis, right or wrong", async () => {
    await redis.restart();
    const wrong = await startApi(redis.url.replace(password, "wrong-horse-battery"));
    apis = [wrong];
    await untilLimitsAre("failing");
    expect(await status(wrong, "10.0.0.8")).toBe(200);
    await startMain("api-mistold", { REDIS_URL: `http://:${password}@127.0.0.1` }).exited;
    const logs = children.map(({ logFile }) => readFileSync(logFile, "utf8")).join("");
    expect(logs).toContain("WRONGPASS");
    expect(logs).toContain("REDIS_URL: must be a redis or rediss URL");
    expect(logs).not.toContain("horse");
  });
});
