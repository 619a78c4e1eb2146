import { fileURLToPath } from "node:url";
import { rmSync } from "node:fs";
import { sql } from "kysely";
import pg from "pg";
import { connectEngine, registerFlows, type Engine } from "@countersign/platform/engine";
import { makeLog } from "@countersign/platform/log";
import { makeSupervisor, type Child } from "@countersign/tools/engines";
import {
  freePorts,
  makeTempDir,
  makeTestDatabase,
  startTestRestate,
  waitUntil,
  type TestRestate,
} from "@countersign/tools/testing";
import { connectDatabase, type Db } from "../../../src/platform/db/connect.ts";
import { makeFlows, makeFlowStore, type Flows, type FlowStore } from "../../../src/platform/flows/index.ts";
import { errandGroup, errandTables } from "./errand.ts";

const workerFile = fileURLToPath(new URL("errand-worker.ts", import.meta.url));

/** Everything a durable flow needs, for real: the database, the engine, and worker processes that can be killed. */
export type Harness = {
  readonly restate: TestRestate;
  readonly engine: Engine;
  readonly store: FlowStore;
  readonly flows: Flows;
  readonly startWorker: (options?: {
    readonly port?: number;
    readonly version?: string;
  }) => Promise<Child & { readonly port: number }>;
  readonly register: (port: number) => Promise<void>;
  /** Commits an errand with its flow, then starts it, as an endpoint does. */
  readonly accept: (key: string, options?: { readonly allowanceSeconds?: number }) => Promise<void>;
  /** Commits an errand of the group flow. Nothing is told of it. */
  readonly acceptInGroup: (key: string) => Promise<void>;
  /** Lets the time pass after which the sweeper looks at started rows. */
  readonly makeUnseen: (key: string) => Promise<void>;
  /** Commits a verdict, then wakes the flow. */
  readonly decide: (key: string, verdict: string) => Promise<void>;
  /** Changes something and dies before notifying the engine. */
  readonly changeUntold: (key: string) => Promise<void>;
  readonly close: (gate: string) => Promise<void>;
  readonly open: (gate: string) => Promise<void>;
  /** How often a step began or ended. */
  readonly tries: (key: string, step: string, what?: "begin" | "end") => Promise<number>;
  readonly effects: (key: string) => Promise<readonly string[]>;
  readonly row: (
    key: string,
  ) => Promise<{ readonly status: string; readonly attempt: number; readonly reason: string | null }>;
  readonly until: (what: string, probe: () => Promise<boolean>) => Promise<void>;
  readonly finished: (key: string) => Promise<void>;
  readonly end: () => Promise<void>;
};

const acceptErrand = (db: Db, store: FlowStore, key: string, allowanceSeconds: number): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`insert into errands (key) values (${key})`.execute(tx);
    await store.accept(tx, { flow: "Errand", key, account: "0x0", allowanceSeconds });
  });

export async function setHarness(): Promise<Harness> {
  const [restate, database, [defaultPort = 0]] = await Promise.all([
    startTestRestate(),
    makeTestDatabase(),
    freePorts(1),
  ]);
  const log = makeLog({ app: "harness", level: "silent" });
  const { db, close: closeDatabase } = connectDatabase({ url: database.url, poolSize: 4, log });
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  await pool.query(errandTables);
  const dir = makeTempDir("harness");
  const supervisor = makeSupervisor({ logDir: dir });
  const engine = connectEngine({ app: "errand", ingressUrl: restate.ingressUrl });
  const store = makeFlowStore(db);
  const flows = makeFlows({ store, engine, log, groups: [errandGroup] });

  const count = async (text: string, values: unknown[]): Promise<number> =>
    (await pool.query<{ n: number }>(`select count(*)::integer as n from ${text}`, values)).rows[0]?.n ?? 0;
  const until: Harness["until"] = async (what, probe) => {
    await waitUntil(
      what,
      async () => {
        if (!(await probe())) throw new Error("not yet");
      },
      { seconds: 60 },
    );
  };
  const row: Harness["row"] = async (key) => {
    const { rows } = await pool.query<Awaited<ReturnType<Harness["row"]>>>(
      "select status, attempt, reason from flows where key = $1",
      [key],
    );
    if (rows[0] === undefined) throw new Error(`no flow for ${key}`);
    return rows[0];
  };

  return {
    restate,
    engine,
    store,
    flows,
    row,
    until,
    startWorker: async ({ port = defaultPort, version = "1" } = {}) => {
      const args = [workerFile, database.url, String(port), restate.identityKey, version];
      const child = supervisor.start({ name: `worker-${port}`, command: process.execPath, args, cwd: dir });
      await waitUntil("the worker listens", () => fetchRefusal(port), { seconds: 30, child });
      return { ...child, port };
    },
    register: async (port) => {
      await registerFlows({
        adminUrl: restate.adminUrl,
        workerUrl: `http://127.0.0.1:${port}`,
        force: false,
      });
    },
    accept: async (key, { allowanceSeconds = 3600 } = {}) => {
      await acceptErrand(db, store, key, allowanceSeconds);
      await flows.start({ flow: "Errand", key });
    },
    acceptInGroup: (key) =>
      store.accept(db, { flow: errandGroup, key, account: "0x0", allowanceSeconds: 3600 }),
    makeUnseen: async (key) =>
      void (await pool.query("update flows set sweep_at = now() where key = $1 and status = 'started'", [
        key,
      ])),
    decide: async (key, verdict) => {
      const asked = await db.transaction().execute(async (tx) => {
        await sql`update errands set verdict = ${verdict} where key = ${key}`.execute(tx);
        return store.askWake(tx, { flow: "Errand", key });
      });
      await flows.wake(asked);
    },
    changeUntold: async (key) => {
      await store.askWake(db, { flow: "Errand", key });
    },
    close: async (gate) => void (await pool.query("insert into gates values ($1)", [gate])),
    open: async (gate) => void (await pool.query("delete from gates where place = $1", [gate])),
    tries: (key, step, what = "begin") =>
      count("tries where key = $1 and step = $2 and what = $3", [key, step, what]),
    effects: async (key) => {
      const { rows } = await pool.query<{ done: string }>(
        "select step || ' by ' || version as done from effects where key = $1 order by 1",
        [key],
      );
      return rows.map(({ done }) => done);
    },
    finished: (key) => until(`${key} is finished`, async () => (await row(key)).status === "finished"),
    end: async () => {
      await supervisor.stop();
      await restate.stop();
      await Promise.all([pool.end(), closeDatabase()]);
      await database.drop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** A running worker rejects callers other than the engine; a stopped one refuses the connection. */
async function fetchRefusal(port: number): Promise<void> {
  const { connect } = await import("node:http2");
  await new Promise<void>((resolve, reject) => {
    const session = connect(`http://127.0.0.1:${port}`);
    session.once("error", reject);
    session.once("connect", () => {
      session.close(resolve);
    });
  });
}
