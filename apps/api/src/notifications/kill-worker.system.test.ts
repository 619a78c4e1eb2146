// Delivers events to a receiver that fails every fifth time, while the worker process is killed with SIGKILL again and
// again.
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { registerFlows } from "@countersign/platform/engine";
import { makeSupervisor, type Child, type Supervisor } from "@countersign/tools/engines";
import {
  findRunSeed,
  freePorts,
  makeRandom,
  makeTempDir,
  sizeOf,
  startTestRestate,
  waitUntil,
  type TestRestate,
} from "@countersign/tools/testing";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  aNotifyApi,
  aReceiver,
  verified,
  type NotifyApi,
  type Received,
  type Receiver,
} from "../../test/notifications.ts";
import { aPerson, aTransaction, type Person } from "../../test/transactions/decide-api.ts";

const size = {
  events: sizeOf({ part: 300, all: 10_000 }),
  accounts: sizeOf({ part: 5, all: 20 }),
  kills: sizeOf({ part: 4, all: 20 }),
};
const seed = findRunSeed();

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const dir = makeTempDir("notifications");
let made: NotifyApi;
let receiver: Receiver;
let restate: TestRestate;
let supervisor: Supervisor;
let ports: readonly number[];
let worker: Child;

async function startWorker(): Promise<Child> {
  const { config } = made.api;
  const [port = 0, internal = 0] = ports;
  const child = supervisor.start({
    ...{ name: "worker", command: process.execPath, args: [main], cwd: dir },
    env: {
      ...{ ROLE: "worker", WORKER_PORT: String(port), PORT: String(internal), LOG_LEVEL: "warn" },
      ...{ DATABASE_URL: config.DATABASE_URL, SECRETS_KEY: config.SECRETS_KEY ?? "" },
      ...{ ENGINE_INGRESS_URL: restate.ingressUrl, ENGINE_IDENTITY_KEYS: restate.identityKey },
      ...{ RPC_URLS: "1=http://127.0.0.1:9", SWEEP_EVERY_MS: "200" },
      ...{
        WEBHOOK_LOOPBACK: "true",
        WEBHOOK_TIMEOUT_MS: "1000",
        NOTIFY_EVERY_MS: "100",
        NOTIFY_RETRY_MS: "50",
      },
    },
  });
  await waitUntil("the worker listens", () => isListening(port), { seconds: 60, child });
  return child;
}

/** A running worker rejects callers other than the engine; a stopped one refuses the connection. */
async function isListening(port: number): Promise<void> {
  const { connect } = await import("node:http2");
  await new Promise<void>((resolve, reject) => {
    const session = connect(`http://127.0.0.1:${port}`);
    session.once("error", reject);
    session.once("connect", () => {
      session.close(resolve);
    });
  });
}

beforeAll(async () => {
  [made, receiver, restate, ports] = await Promise.all([
    aNotifyApi(),
    aReceiver(),
    startTestRestate(),
    freePorts(2),
  ]);
  supervisor = makeSupervisor({ logDir: dir });
  worker = await startWorker();
  const workerUrl = `http://127.0.0.1:${ports[0] ?? 0}`;
  await registerFlows({ adminUrl: restate.adminUrl, workerUrl, force: false });
});
afterAll(async () => {
  await supervisor.stop();
  await restate.stop();
  await receiver.close();
  await made.close();
  rmSync(dir, { recursive: true, force: true });
});

type Hook = {
  readonly owner: Person;
  readonly path: string;
  readonly secret: string;
  readonly transactionId: string;
};

/** An owner with a transaction whose changes are sent to a webhook. */
async function aHook(number: number): Promise<Hook> {
  const owner = await aPerson(made);
  const { id: transactionId } = await aTransaction(made, owner);
  const path = `/${number}`;
  const answer = await made.api.http.send({
    ...{ method: "POST", url: "/webhooks", headers: owner.jwt },
    payload: { url: `${receiver.url}${path}` },
  });
  return { owner, path, transactionId, secret: answer.json<{ secret: string }>().secret };
}

const addEvents = (hooks: readonly Hook[], from: number, to: number): Promise<unknown> =>
  sql`
    insert into account_events (account, transaction_id, request_hash, version, event, status, phase)
    select t.account, t.id, t.request_hash, v.version, 'learn', 'PENDING', t.phase
    from transactions t, generate_series(${from}::int, ${to}::int) as v(version)
    where t.id = any(${hooks.map(({ transactionId }) => transactionId)}::uuid[])
    order by v.version, t.id`.execute(made.db);

const receivedBy = ({ path }: Hook): readonly Received[] =>
  receiver.received.filter((one) => one.path === path);
const isAccepted = ({ status }: Received): boolean => status === 200;

type Body = { readonly data: { readonly version: number }; readonly timestamp: string };
const bodyOf = (one: Received): Body => JSON.parse(one.body) as Body;
const firstOfEach = (all: readonly Received[]): readonly Received[] =>
  [...new Map([...all].reverse().map((one) => [one.id, one])).values()].reverse();

/** Adds the events in small commits, and kills the worker meanwhile, each time after its share of the messages. */
async function addAndKill(hooks: readonly Hook[], perHook: number, random: () => number): Promise<void> {
  const batch = Math.max(1, Math.floor(perHook / 50));
  const adding = (async () => {
    for (let version = 2; version <= perHook + 1; version += batch) {
      await addEvents(hooks, version, Math.min(version + batch - 1, perHook + 1));
      await sleep(20);
    }
  })();
  for (let kill = 1; kill <= size.kills; kill++) {
    const share = (size.events * kill) / (size.kills + 1);
    await waitUntil(
      `${share} messages are received`,
      async () => {
        expect(receiver.received.length).toBeGreaterThanOrEqual(share);
      },
      { seconds: 600 },
    );
    await sleep(random() * 200);
    await worker.kill();
    worker = await startWorker();
  }
  await adding;
}

const anHourMs = 60 * 60 * 1000;

test(
  `each of ${size.events} events is delivered at least once and in order, with ${size.kills} kills (seed ${seed})`,
  { timeout: anHourMs },
  async () => {
    const random = makeRandom(seed);
    receiver.answer = () => (random() < 0.2 ? 500 : 200);
    const perHook = size.events / size.accounts;
    const hooks: Hook[] = [];
    for (let number = 0; number < size.accounts; number++) hooks.push(await aHook(number));
    // When it arrives, as a receiver does: the library rejects messages that are older than five minutes.
    const unverified: string[] = [];
    receiver.onReceive = (one) => {
      try {
        verified(hooks[Number(one.path.slice(1))]?.secret ?? "", one);
      } catch (error) {
        unverified.push(String(error));
      }
    };
    await addAndKill(hooks, perHook, random);
    const versions = Array.from({ length: perHook }, (_, index) => index + 2);
    for (const hook of hooks)
      await waitUntil(
        `everything is delivered to ${hook.path}`,
        async () => {
          const accepted = new Set(
            receivedBy(hook)
              .filter(isAccepted)
              .map(({ id }) => id),
          );
          if (accepted.size < perHook) throw new Error(`${accepted.size} of ${perHook}`);
        },
        { seconds: 1800 },
      );
    for (const hook of hooks) {
      const all = receivedBy(hook);
      // In order: a message is first sent, and first accepted, after all earlier ones.
      expect(firstOfEach(all).map((one) => bodyOf(one).data.version)).toEqual(versions);
      expect(firstOfEach(all.filter(isAccepted)).map((one) => bodyOf(one).data.version)).toEqual(versions);
      for (const same of Map.groupBy(all, ({ id }) => id).values())
        expect(new Set(same.map(({ body }) => body)).size).toBe(1);
    }
    expect(unverified).toEqual([]);
    report();
  },
);

/** The time from the commit of an event to its first acceptance. */
function report(): void {
  const accepted = firstOfEach(receiver.received.filter(isAccepted));
  const delays = accepted
    .map((one) => one.at - new Date(bodyOf(one).timestamp).getTime())
    .sort((a, b) => a - b);
  const at = (share: number): number => delays[Math.floor((delays.length - 1) * share)] ?? 0;
  const again = receiver.received.filter(isAccepted).length - accepted.length;
  console.log(
    `${accepted.length} events, ${receiver.received.length} attempts, ${size.kills} kills, ${again} accepted twice; ` +
      `event to delivery: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(1)} ms`,
  );
}

test("an event is delivered while nothing fails", async () => {
  receiver.answer = () => 200;
  receiver.onReceive = () => undefined;
  const hook = await aHook(size.accounts);
  await addEvents([hook], 2, 2);
  await waitUntil(
    "it is delivered",
    async () => {
      expect(receivedBy(hook)).toHaveLength(1);
    },
    { seconds: 60 },
  );
  const [one] = receivedBy(hook);
  if (one !== undefined)
    console.log(`event to delivery: ${one.at - new Date(bodyOf(one).timestamp).getTime()} ms`);
});
