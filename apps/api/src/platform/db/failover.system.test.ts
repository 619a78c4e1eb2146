// The primary of a replicated PostgreSQL is killed while rows are written. Confirmed rows are there afterwards, and
// the same pool goes on with the server that was promoted.
import { once } from "node:events";
import { rmSync } from "node:fs";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { makeSupervisor, startReplicatedPostgres, type ReplicatedPostgres } from "@countersign/tools/engines";
import { freePorts, makeTempDir } from "@countersign/tools/testing";
import { connectDatabase, type Database } from "./connect.ts";

const dir = makeTempDir("failover");
const supervisor = makeSupervisor({ logDir: dir });
const log = makeLog({ app: "test", level: "silent" });
let servers: ReplicatedPostgres;
let database: Database;

beforeAll(async () => {
  servers = await startReplicatedPostgres({
    ...{ supervisor, dir: `${dir}/postgres`, ports: await freePorts(3), database: "failover" },
  });
  database = connectDatabase({ url: servers.url("failover"), poolSize: 4, log });
  await sql`create table written (id int primary key)`.execute(database.db);
});
afterAll(async () => {
  await database.close();
  await supervisor.stop();
  servers.remove();
  rmSync(dir, { recursive: true, force: true });
});

const insert = (id: number): Promise<unknown> => sql`insert into written values (${id})`.execute(database.db);

/** Writes rows until it is told to stop. Returns the ids whose insert was confirmed. */
function write() {
  const confirmed = new Set<number>();
  let failures = 0;
  let isStopped = false;
  let next = 0;
  const one = async (): Promise<void> => {
    while (!isStopped) {
      const id = next++;
      await insert(id).then(
        () => confirmed.add(id),
        () => failures++,
      );
    }
  };
  const writing = Promise.all([one(), one(), one()]);
  return {
    confirmed,
    failures: () => failures,
    stop: async () => {
      isStopped = true;
      await writing;
    },
  };
}

test("no confirmed row is lost when the primary is killed, and the pool goes on with the next one", async () => {
  const writing = write();
  await expect.poll(() => writing.confirmed.size, { timeout: 30_000 }).toBeGreaterThan(100);
  const first = servers.primary();
  await servers.kill(first);
  const promoted = await servers.failOver();
  const before = writing.confirmed.size;
  await expect.poll(() => writing.confirmed.size, { timeout: 30_000 }).toBeGreaterThan(before + 100);
  await writing.stop();
  expect(promoted).not.toBe(first);
  expect(writing.failures()).toBeGreaterThan(0);
  const { rows } = await sql<{ id: number }>`select id from written`.execute(database.db);
  const there = new Set(rows.map(({ id }) => id));
  expect([...writing.confirmed].filter((id) => !there.has(id))).toEqual([]);
});

test("follows a second failover, back to a server that was the primary before", async () => {
  await servers.rejoin(0);
  for (let attempt = 0; servers.primary() !== 0 && attempt < 3; attempt++) {
    const away = servers.primary();
    await servers.kill(away);
    await servers.failOver();
    await servers.rejoin(away);
  }
  await expect
    .poll(() => insert(1_000_000 + servers.primary()).then(() => true), { timeout: 30_000 })
    .toBe(true);
});

test("a connection whose server does not answer any more is given up, and not used again", async () => {
  const sockets = new Set<Socket>();
  let isSilent = false;
  const port = Number(new URL(servers.urlOf(servers.primary(), "x")).port);
  const proxy = createServer((caller) => {
    const server = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [caller, server],
      [server, caller],
    ] as const) {
      sockets.add(from);
      from.on("data", (part) => (isSilent ? undefined : to.write(part)));
      from.on("error", () => undefined);
      from.on("close", () => to.destroy());
    }
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const through = connectDatabase({
    ...{
      url: `postgres://postgres@127.0.0.1:${(proxy.address() as AddressInfo).port}/failover`,
      poolSize: 1,
      log,
    },
  });
  onTestFinished(async () => {
    await through.close();
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  await through.ping();
  isSilent = true;
  await expect(through.ping()).rejects.toThrow("timeout");
  isSilent = false;
  // On the old connection it would wait for the statement before it.
  await through.ping();
  expect(through.connections()).toBe(1);
});
