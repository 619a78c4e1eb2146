// What it costs to keep agents told: the memory of a stream on which nothing happens, against that of a stream on Node alone, and
// how far apart the first and the last of many learn of one event. Everything is real but the arbiter, whose verdict is recorded with its key.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { Agent, request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  getToken,
  makeBrowser,
  startInteropApi,
  type Browser,
  type InteropApi,
} from "../mcp-interop/index.ts";
import { ensureDatabase, freePorts, startPostgres, waitUntil, type Supervisor } from "../engines/index.ts";
import { aProposal } from "./bench-transactions-stage.ts";

type Options = { readonly supervisor: Supervisor; readonly dir: string };
type Headers = Readonly<Record<string, string>>;

/** The most sessions that one client may have at once, and as many clients as it takes. */
const sessionsPerClient = 10;
const streamCount = 2000;
/** Opened and closed before anything is measured, so that what is made once is not counted. */
const warmUpCount = 200;
const settleMs = 3000;

/**
 * The process collects its garbage when it is told to, by a signal that means nothing else to it: what is measured is what a
 * stream holds, not what opening it left behind.
 */
const nodeArgs = ["--expose-gc", "--import", "data:text/javascript,process.on('SIGWINCH', () => gc())"];

const many = "1000000";
const noLimits = {
  MCP_REQUESTS_PER_MINUTE_PER_IP: many,
  OAUTH_REGISTRATIONS_PER_MINUTE_PER_IP: many,
  READS_PER_MINUTE_PER_IP: many,
};

/** Starts the service, and starts it anew at the same place: what it holds is in the record. */
async function makeService({ supervisor, dir }: Options): Promise<() => Promise<InteropApi>> {
  const [postgresPort = 0, port = 0] = await freePorts(2);
  const postgres = await startPostgres({ supervisor, dir: `${dir}/mcp-postgres`, port: postgresPort });
  await ensureDatabase(postgres.url("postgres"), "streams");
  const databaseUrl = postgres.url("streams");
  const env = { ...noLimits, SECRETS_KEY: randomBytes(32).toString("base64") };
  return () => startInteropApi({ supervisor, databaseUrl, port, env, nodeArgs });
}

/** So many at a time: the service is to be filled, not to be stormed. */
async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return results;
}

/** One message of the 2025 revisions. */
async function say({ url }: InteropApi, headers: Headers, message: object): Promise<Response> {
  const accept = "application/json, text/event-stream";
  const answer = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept, ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
  });
  const text = await answer.text();
  if (!answer.ok || text.includes('"error"')) throw new Error(`/mcp answered ${answer.status}: ${text}`);
  return answer;
}

/** A session that is told of one transaction. What it shows at the transition. */
async function openSession(api: InteropApi, token: string, uri: string): Promise<Headers> {
  const authorization = `Bearer ${token}`;
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  };
  const begun = await say(api, { authorization }, { id: 1, method: "initialize", params });
  const headers = { authorization, "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
  await say(api, headers, { method: "notifications/initialized" });
  await say(api, headers, { id: 2, method: "resources/subscribe", params: { uri } });
  return headers;
}

type Stream = { readonly close: () => void };
type Serving = Pick<InteropApi, "url" | "child">;

const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY, keepAlive: false });

/** Returns once its first frame is there. `onUpdate` hears of each change, with the time. */
async function openStream(
  { url }: Serving,
  headers: Headers,
  onUpdate: (atMs: number) => void,
): Promise<Stream> {
  const asked = request(`${url}/mcp`, { agent, headers: { ...headers, accept: "text/event-stream" } }).end();
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.once("response", resolve).once("error", reject);
  });
  if (answer.statusCode !== 200) throw new Error(`GET /mcp answered ${answer.statusCode ?? 0}`);
  asked.on("error", () => undefined);
  answer.on("error", () => undefined);
  await new Promise<void>((resolve) => {
    answer.on("data", (bytes: Buffer) => {
      resolve();
      if (bytes.includes("notifications/resources/updated")) onUpdate(performance.now());
    });
  });
  return { close: () => asked.destroy() };
}

async function residentKb({ child: { pid } }: Serving): Promise<number> {
  for (let round = 0; round < 2; round++) {
    process.kill(pid, "SIGWINCH");
    await sleep(settleMs);
  }
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

type Memory = {
  readonly "before (MB)": number;
  readonly "with all (MB)": number;
  readonly "each (kB)": number;
};

/** Opens them all, and says by how much the process has grown. */
async function fill(
  serving: Serving,
  sessions: readonly Headers[],
  heard: number[],
): Promise<{ readonly streams: readonly Stream[]; readonly memory: Memory }> {
  const open = (some: readonly Headers[]): Promise<readonly Stream[]> =>
    inTurns(some, (headers) => openStream(serving, headers, (atMs) => heard.push(atMs)));
  for (const stream of await open(sessions.slice(0, warmUpCount))) stream.close();
  const before = await residentKb(serving);
  const streams = await open(sessions);
  const after = await residentKb(serving);
  const memory = {
    "before (MB)": Math.round(before / 1024),
    "with all (MB)": Math.round(after / 1024),
    "each (kB)": Number(((after - before) / streams.length).toFixed(1)),
  };
  return { streams, memory };
}

async function benchBare({ supervisor, dir }: Options): Promise<Memory> {
  const [port = 0] = await freePorts(1);
  const file = join(import.meta.dirname, "bare-stream-server.ts");
  const args = [...nodeArgs, file, String(port)];
  const child = supervisor.start({ name: "bare-streams", command: process.execPath, args, cwd: dir });
  const serving = { url: `http://127.0.0.1:${port}`, child };
  const probe = await waitUntil("the bare server answers", () => openStream(serving, {}, () => undefined));
  probe.close();
  const nobody = Array.from({ length: streamCount }, () => ({}));
  const { streams, memory } = await fill(serving, nobody, []);
  for (const stream of streams) stream.close();
  return memory;
}

async function post(url: string, headers: Headers, body: object): Promise<Record<string, string>> {
  const sent = { method: "POST", headers: { "content-type": "application/json", ...headers } };
  const answer = await fetch(url, { ...sent, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, string>;
}

type Spread = { readonly "first (ms)": number; readonly "median (ms)": number; readonly "last (ms)": number };

/** How long after it was asked for an event reaches the streams. */
async function spreadOf(heard: number[], event: () => Promise<unknown>): Promise<Spread> {
  heard.length = 0;
  const began = performance.now();
  await event();
  await waitUntil("all streams are told", () => heard.length >= streamCount, { seconds: 60 });
  const after = heard.map((atMs) => Math.round(atMs - began)).sort((a, b) => a - b);
  const at = (index: number): number => after.at(index) ?? Number.NaN;
  return { "first (ms)": at(0), "median (ms)": at(streamCount / 2), "last (ms)": at(-1) };
}

/** Many sessions of one owner, by many clients, all of which follow one transaction. */
async function openSessions(api: InteropApi, browser: Browser, uri: string): Promise<readonly Headers[]> {
  const clients = Array.from({ length: streamCount / sessionsPerClient }, (_, index) => index);
  const tokens = await inTurns(clients, () => getToken(api.url, browser));
  const owners = tokens.flatMap((token) => Array.from({ length: sessionsPerClient }, () => token));
  return inTurns(owners, (token) => openSession(api, token, uri));
}

export async function benchMcpStreams(options: Options): Promise<void> {
  const start = await makeService(options);
  const first = await start();
  const browser = makeBrowser(first.url);
  const asOwner = await browser.session();
  const transactions = `${first.url}/transactions`;
  const { requestHash = "" } = await post(transactions, asOwner, aProposal(browser.wallet.address));
  const sessions = await openSessions(first, browser, `countersign://transactions/${requestHash}`);
  // In a process that has done much else, streams would fit into memory that it has already and does not use.
  await first.child.stop();
  const api = await start();

  const heard: number[] = [];
  const { streams, memory } = await fill(api, sessions, heard);
  console.log(`${streamCount} streams on which nothing happens:`);
  console.table({ "GET /mcp": memory, "Node alone": await benchBare(options) });

  const decide = (decision: string) => (): Promise<unknown> =>
    post(`${transactions}/${requestHash}/approvals`, asOwner, { decision });
  console.log(`From one event to all ${streamCount} streams, since it was asked for:`);
  console.table({
    "the arbiter's verdict": await spreadOf(heard, () => api.decide(requestHash, "APPROVED")),
    "the owner agrees": await spreadOf(heard, decide("APPROVED")),
    "the owner takes it back": await spreadOf(heard, decide("REJECTED")),
  });
  for (const stream of streams) stream.close();
}
