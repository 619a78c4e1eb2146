import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeSupervisor, type Child, type Supervisor } from "@countersign/tools/engines";
import {
  freePorts,
  makeTempDir,
  makeTestDatabase,
  waitUntil,
  type TestDatabase,
} from "@countersign/tools/testing";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
let database: TestDatabase;
let supervisor: Supervisor;

beforeAll(async () => {
  database = await makeTestDatabase();
  supervisor = makeSupervisor({ logDir: makeTempDir("api") });
});
afterAll(async () => {
  await supervisor.stop();
  await database.drop();
});

const start = (env: Readonly<Record<string, string>>): Child =>
  supervisor.start({
    name: `api-${env["PORT"] ?? "none"}`,
    command: process.execPath,
    args: [main],
    cwd: "/",
    env,
  });
const status = async (port: number, path: string): Promise<number> =>
  (await fetch(`http://127.0.0.1:${port}${path}`)).status;

test("starts, migrates and is ready with PostgreSQL alone; moves internal endpoints to another port if configured; stops on SIGTERM", async () => {
  const [port = 0, internal = 0, unused = 0] = await freePorts(3);
  const child = start({
    PORT: String(port),
    INTERNAL_PORT: String(internal),
    DATABASE_URL: database.url,
    ENGINE_INGRESS_URL: `http://127.0.0.1:${unused}`,
  });
  await waitUntil(
    "the api is ready",
    async () => {
      expect(await status(port, "/ready")).toBe(200);
    },
    {
      seconds: 30,
      child,
    },
  );
  expect(await status(port, "/metrics")).toBe(404);
  expect(await status(internal, "/metrics")).toBe(200);
  expect(await status(internal, "/health")).toBe(404);
  expect(await status(internal, "/ready")).toBe(200);
  await child.stop();
  expect(child.exitReason()).toBe("exit code 0");
});

test("a worker serves readiness and metrics on its internal port, and nothing to clients", async () => {
  const [port = 0, internal = 0, unused = 0] = await freePorts(3);
  const child = start({
    ...{ ROLE: "worker", PORT: String(port), INTERNAL_PORT: String(internal), DATABASE_URL: database.url },
    ENGINE_INGRESS_URL: `http://127.0.0.1:${unused}`,
  });
  await waitUntil(
    "the worker is ready",
    async () => {
      expect(await status(internal, "/ready")).toBe(200);
    },
    { seconds: 30, child },
  );
  expect(await status(internal, "/metrics")).toBe(200);
  expect(await status(internal, "/health")).toBe(404);
  await expect(status(port, "/ready")).rejects.toThrow();
  await child.stop();
});

test("reports every problem of its configuration at once, and does not start", async () => {
  const child = start({ PORT: "70000", LOG_LEVEL: "loud", BASE_URL: "nonsense" });
  expect((await child.exited).reason).toBe("exit code 1");
  const said = readFileSync(child.logFile, "utf8");
  expect(said).toContain("The configuration has 3 problems");
  expect(said).toMatch(/PORT: .*\n.*BASE_URL: .*\n.*LOG_LEVEL: /);
});

const saidBy = async (child: Child): Promise<string> => {
  expect((await child.exited).reason).toBe("exit code 1");
  return readFileSync(child.logFile, "utf8");
};

test.each([
  ["a database that does not exist", { pathname: "countersign_x" }, /^api did not start: The database .*$/],
  ["a user that does not exist", { username: "nobody_x" }, /^api did not start: PostgreSQL .*$/],
])("explains in one sentence what is wrong with DATABASE_URL: %s", async (_, parts, sentence) => {
  const [port = 0] = await freePorts(1);
  const address = Object.assign(new URL(database.url), parts).href;
  expect((await saidBy(start({ PORT: String(port), DATABASE_URL: address }))).trim()).toMatch(sentence);
});

test("rejects a DATABASE_URL of another kind as a configuration problem, without repeating it", async () => {
  const [port = 0] = await freePorts(1);
  const said = await saidBy(start({ PORT: String(port), DATABASE_URL: "mysql://me:hunter2@127.0.0.1/x" }));
  expect(said).toMatch(/DATABASE_URL: must be a URL such as postgres:\/\//);
  expect(said).not.toContain("hunter2");
});

test("the admin command reports the same", async () => {
  const address = Object.assign(new URL(database.url), { pathname: "countersign_x" }).href;
  const child = supervisor.start({
    ...{ name: "admin", command: process.execPath, cwd: "/", env: { DATABASE_URL: address } },
    args: [fileURLToPath(new URL("admin.ts", import.meta.url)), "keys"],
  });
  expect((await saidBy(child)).trim()).toMatch(/^admin did not start: The database .*$/);
});

test.each([{ NODE_ENV: "production" }, { BASE_URL: "https://api.example" }])(
  "refuses to start on development defaults in production: %j",
  async (env) => {
    const [port = 0] = await freePorts(1);
    const said = await saidBy(start({ PORT: String(port), ...env }));
    expect(said).toContain("DATABASE_URL is required in production: its default is for development");
    expect(said).toContain(
      "SECRETS_KEY, SECRETS_PKCS11_MODULE, SECRETS_KMS_KEYS or SECRETS_KEY_FILE is required in production",
    );
  },
);

test("with DRAIN_SECONDS, it is not ready and still answers, until the time is over", async () => {
  const [port = 0, unused = 0] = await freePorts(2);
  const child = start({
    ...{ PORT: String(port), DATABASE_URL: database.url, DRAIN_SECONDS: "3" },
    ENGINE_INGRESS_URL: `http://127.0.0.1:${unused}`,
  });
  const isAnswered = (path: string, wanted: number) => async (): Promise<void> => {
    expect(await status(port, path)).toBe(wanted);
  };
  await waitUntil("the api is ready", isAnswered("/ready", 200), { seconds: 60, child });
  const stopped = child.stop();
  await waitUntil("the api drains", isAnswered("/ready", 503), { seconds: 3 });
  const answer = await fetch(`http://127.0.0.1:${port}/health`);
  expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"]);
  await stopped;
  expect(child.exitReason()).toBe("exit code 0");
});
