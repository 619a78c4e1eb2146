// MCP across real processes: they share only the database, and are killed.
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { makeSupervisor, type Child, type Supervisor } from "@countersign/tools/engines";
import {
  freePorts,
  makeTempDir,
  makeTestDatabase,
  waitUntil,
  type TestDatabase,
} from "@countersign/tools/testing";
import { makeKey } from "./api-keys/key-format.ts";
import { untilSettled } from "../test/events.ts";
import { uriOf } from "./mcp/resource-uri.ts";
import {
  aSession,
  ask,
  callTool,
  listen,
  messagesIn,
  modern,
  ping,
  type OpenedStream,
} from "../test/mcp/over-http.ts";
import { send, type TestApi } from "../test/test-api.ts";
import { anOwner, withKey, type Owner } from "../test/transactions.ts";

type Hex = `0x${string}`;
type Headers = Readonly<Record<string, string>>;
type Process = { readonly origin: string; readonly child: Child };

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const orionKey = makeKey("orion", "live");
const secretsKey = randomBytes(32).toString("base64");
const cleanUps: (() => Promise<void>)[] = [];
let database: TestDatabase;
let supervisor: Supervisor;
let first: Process;
let second: Process;
let owner: Owner;
let key: Headers;

async function start(port?: number): Promise<Process> {
  const [free = 0, unused = 0] = await freePorts(2);
  const origin = `http://127.0.0.1:${port ?? free}`;
  const env = {
    PORT: String(port ?? free),
    NODE_ENV: "test",
    ROLE: "http",
    // The public name of both.
    BASE_URL: "https://api.example",
    DATABASE_URL: database.serviceUrl,
    SECRETS_KEY: secretsKey,
    BOOTSTRAP_ORION_KEY: orionKey,
    ENGINE_INGRESS_URL: `http://127.0.0.1:${unused}`,
    RPC_URLS: `1=http://127.0.0.1:${unused}`,
    MCP_CHECK_EVERY_MS: "200",
    TRUSTED_PROXIES: "127.0.0.1",
    TRANSACTIONS_PER_MINUTE_PER_KEY: "1000",
  };
  const child = supervisor.start({
    name: `api-${port ?? free}`,
    command: process.execPath,
    args: [main],
    cwd: "/",
    env,
  });
  await waitUntil("the api answers", async () => (await fetch(`${origin}/ready`)).ok, { child });
  return { origin, child };
}

beforeAll(async () => {
  database = await makeTestDatabase();
  cleanUps.push(database.drop);
  const logDir = makeTempDir("mcp-two-processes");
  supervisor = makeSupervisor({ logDir });
  cleanUps.push(async () => {
    await supervisor.stop();
    rmSync(logDir, { recursive: true });
  });
  first = await start();
  second = await start();
  const { origin } = first;
  owner = await anOwner({ http: { send: (given) => send(origin, given) } } as TestApi);
  key = withKey(owner.key);
});
afterAll(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
});
const opened: OpenedStream[] = [];
afterEach(() => {
  for (const stream of opened.splice(0)) stream.leave();
});

/** Proposes in a session, which is notified of changes from then on. */
async function propose(where: Process, session: Headers): Promise<Hex> {
  const { message } = await ask(where, {
    body: callTool("requestVerification", {
      escrowAddress: owner.wallet.address,
      userPrompt: "Send nothing to me",
      tx: { to: owner.wallet.address, value: "0", data: "0x" },
    }),
    headers: session,
  });
  return (message.result?.["structuredContent"] as { readonly requestHash: Hex }).requestHash;
}

async function decide(where: Process, hash: Hex): Promise<void> {
  const answer = await send(where.origin, {
    method: "POST",
    url: `/transactions/${hash}/approvals`,
    payload: { decision: "UNDECIDED", confidence: 0.1, analysis: "nothing to say" },
    headers: withKey(orionKey),
  });
  expect(answer.statusCode).toBeLessThan(300);
}

async function openStream(where: Process, headers: Headers): Promise<OpenedStream> {
  const stream = await listen(where, { method: "GET", headers: { accept: "text/event-stream", ...headers } });
  opened.push(stream);
  await waitUntil("it begins", () => stream.text() !== "");
  return stream;
}

const updatesIn = (stream: OpenedStream): readonly unknown[] =>
  messagesIn(stream.text())
    .filter(({ method }) => method === "notifications/resources/updated")
    .map(({ params }) => params?.["uri"]);
const lastIdIn = (stream: OpenedStream): string =>
  [...stream.text().matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? "";
const untilHeard = (stream: OpenedStream, hash: Hex): Promise<unknown> =>
  waitUntil("it is heard", () => updatesIn(stream).includes(uriOf(hash)));

test("a verdict recorded by one process arrives through the other, on streams of both eras", async () => {
  const session = await aSession(first, key);
  const hash = await propose(first, session);
  const stream = await openStream(second, session);
  const asked = { notifications: { resourceSubscriptions: [uriOf(hash)] } };
  const listening = await listen(second, modern("subscriptions/listen", asked, key));
  opened.push(listening);
  await waitUntil("it is acknowledged", () => listening.text() !== "");
  await decide(first, hash);
  await untilHeard(stream, hash);
  await untilHeard(listening, hash);
});

test("a stream ends soon after the session has a newer one elsewhere", async () => {
  const session = await aSession(first, key);
  const older = await openStream(first, session);
  const newer = await openStream(second, session);
  await waitUntil("it is over", () => older.isOver());
  expect(newer.isOver()).toBe(false);
});

test("a session survives its process, and its stream resumes elsewhere without gaps or repetition", async () => {
  const session = await aSession(first, key);
  const before = await propose(first, session);
  const meanwhile = await propose(first, session);
  await untilSettled({ databaseUrl: database.url });
  const stream = await openStream(first, session);
  await decide(second, before);
  await untilHeard(stream, before);

  await first.child.kill();
  await waitUntil("it is over", () => stream.isOver());
  await decide(second, meanwhile);
  expect((await ask(second, { body: ping, headers: session })).message.result).toEqual({});
  const later = await openStream(second, { ...session, "last-event-id": lastIdIn(stream) });
  await untilHeard(later, meanwhile);
  expect(updatesIn(later)).toEqual([uriOf(meanwhile)]);

  const { port } = new URL(first.origin);
  first = await start(Number(port));
  expect((await ask(first, { body: ping, headers: session })).message.result).toEqual({});
});

test("a process that shuts down ends its streams and does not wait for their readers", async () => {
  const third = await start();
  const session = await aSession(third, key);
  const hash = await propose(third, session);
  const stream = await openStream(third, session);
  const asked = { notifications: { resourceSubscriptions: [uriOf(hash)] } };
  const listening = await listen(third, modern("subscriptions/listen", asked, key));
  opened.push(listening);
  await third.child.stop();
  // If it had waited for them, it would have been killed.
  expect(third.child.exitReason()).toBe("exit code 0");
  await waitUntil("both are over", () => stream.isOver() && listening.isOver());
});
