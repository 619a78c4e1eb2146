import { afterAll, beforeAll, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { makeTestDatabase } from "@countersign/tools/testing";
import pg from "pg";
import { connectDatabase, type Database } from "../platform/db/connect.ts";
import { makeEventStore, makeTail, makeWaitForChange } from "./index.ts";
import type { AccountEvent } from "./event.ts";

const log = makeLog({ app: "api", level: "silent" });
let database: Database;
let other: pg.Client;
let drop: () => Promise<void>;

beforeAll(async () => {
  const made = await makeTestDatabase();
  drop = made.drop;
  database = connectDatabase({ url: made.url, poolSize: 4, log });
  other = new pg.Client({ connectionString: made.url });
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await database.close();
  await drop();
});

const account = `0x${"a".repeat(40)}`;
const hashOf = (number: number): `0x${string}` => `0x${number.toString(16).padStart(64, "0")}`;
let lastNumber = 0;

async function append(client: pg.Client): Promise<number> {
  const number = ++lastNumber;
  await client.query(
    `insert into account_events (account, transaction_id, request_hash, version, event, status, phase)
     values ($1, gen_random_uuid(), $2, 1, 'propose', 'PENDING', 'RECEIVED')`,
    [account, Buffer.from(hashOf(number).slice(2), "hex")],
  );
  return number;
}
const numberOf = ({ requestHash }: AccountEvent): number => Number(BigInt(requestHash));

const aTail = () => makeTail({ store: makeEventStore(database.db), log, everyMs: 20 });

/**
 * Collects the events appended from now on. A listener starts at the oldest open transaction of the whole
 * cluster, and other tests use the cluster at the same time.
 */
async function listen() {
  const before = lastNumber;
  const events: AccountEvent[] = [];
  const { stop } = await aTail().listen((event) => {
    if (numberOf(event) > before) events.push(event);
  });
  return { events, stop };
}

async function heard(count: number, events: readonly AccountEvent[]): Promise<void> {
  while (events.length < count) await new Promise((resolve) => setTimeout(resolve, 10));
}

test("hears committed events of others, once each", async () => {
  const { events, stop } = await listen();
  const numbers = [await append(other), await append(other), await append(other)];
  await heard(3, events);
  expect(events.map(numberOf)).toEqual(numbers);
  stop();
});

test("misses no event that is committed late under an early id", async () => {
  const { events, stop } = await listen();
  await other.query("begin");
  const early = await append(other);
  const second = new pg.Client(connection(other));
  await second.connect();
  const late = await append(second);
  await second.end();
  // The other transaction is still open. A later event must wait for it to keep the order.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(events).toEqual([]);
  await other.query("commit");
  await heard(2, events);
  expect(events.map(numberOf)).toEqual([early, late]);
  stop();
});

test("sends no query while there are no listeners", async () => {
  let asked = 0;
  const store = makeEventStore(database.db);
  const tail = makeTail({
    store: { ...store, readAfter: (...given) => (asked++, store.readAfter(...given)) },
    log,
    everyMs: 5,
  });
  const { stop } = await tail.listen(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 50));
  stop();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const before = asked;
  expect(before).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(asked).toBe(before);
});

test("a waiting reader is released by the awaited change, by an earlier change, and by the timeout", async () => {
  const wait = makeWaitForChange(aTail(), new AbortController().signal);
  const number = lastNumber + 1;
  const waiting = wait({ requestHash: hashOf(number), since: 0, read: async () => 0, forMs: 60_000 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  await append(other);
  await waiting;
  await wait({ requestHash: hashOf(number), since: 0, read: async () => 1, forMs: 60_000 });
  await wait({ requestHash: hashOf(number), since: 1, read: async () => 1, forMs: 10 });
});

test("a waiting reader is released when the process stops, also if it comes later", async () => {
  const stopping = new AbortController();
  const wait = makeWaitForChange(aTail(), stopping.signal);
  const request = { requestHash: hashOf(lastNumber + 1), since: 0, read: async () => 0, forMs: 60_000 };
  const waiting = wait(request);
  stopping.abort();
  await waiting;
  await wait(request);
});

function connection(client: pg.Client) {
  const { host, port, user, database: name } = client;
  return { host, port, user: user ?? "", database: name ?? "" };
}
