// npm run bench: what our layers cost, each against the bare thing under it, on this machine, in one run.
// npm run bench -- transactions [endpoints|rows|verdicts]: that part alone; BIG=1 compares a million rows, which takes minutes.
// npm run bench -- mcp-streams: what it costs to keep 2,000 MCP clients told.
// npm run bench -- validator: the validator's part alone. npm run bench -- cost: draws what a verdict costs by size.
// npm run bench -- flood: ordinary requests to the validator while expensive public ones are sent.
import { rmSync } from "node:fs";
import { join } from "node:path";
import autocannon from "autocannon";
import { registerFlows } from "@countersign/platform/engine";
import { makeLog } from "@countersign/platform/log";
import { connectDatabase } from "../../apps/api/src/platform/db/connect.ts";
import { migrate } from "../../apps/api/src/platform/db/migrate.ts";
import { makeFlowStore } from "../../apps/api/src/platform/flows/index.ts";
import {
  ensureDatabase,
  fetchOk,
  freePorts,
  makeSupervisor,
  removePostgres,
  startPostgres,
  startRestate,
  waitUntil,
  type Supervisor,
} from "../engines/index.ts";
import { makeTempDir } from "../testing/temp-dir.ts";
import { benchAuthenticated, benchSignIn } from "./bench-identity.ts";
import { benchMcpStreams } from "./bench-mcp-streams.ts";
import { benchTransactions } from "./bench-transactions.ts";
import { benchFlood, benchValidateOverHttp, benchVerdicts } from "./bench-validator.ts";
import { compare, type Comparison } from "./ratio.ts";
import { benchCost } from "./validator-cost.ts";

const dir = makeTempDir("bench");
const supervisor = makeSupervisor({ logDir: `${dir}/logs` });
const node = (file: string, ...args: readonly string[]): ReturnType<Supervisor["start"]> =>
  supervisor.start({
    name: file,
    command: process.execPath,
    args: [join(import.meta.dirname, `${file}.ts`), ...args],
    cwd: dir,
  });

async function startBare(): Promise<string> {
  const [port = 0] = await freePorts(1);
  node("bare-server", String(port));
  await waitUntil("the server answers", () => fetchOk(`http://127.0.0.1:${port}/`), { seconds: 30 });
  return `http://127.0.0.1:${port}`;
}

async function benchRoute(): Promise<Comparison> {
  const [bare = 0, ours = 0] = await freePorts(2);
  node("bare-server", String(bare));
  node("route-server", String(ours));
  for (const port of [bare, ours])
    await waitUntil("the server answers", () => fetchOk(`http://127.0.0.1:${port}/`), { seconds: 30 });
  const hammer = (port: number) => async (): Promise<number> =>
    (await autocannon({ url: `http://127.0.0.1:${port}/`, connections: 32, duration: 2 })).requests.average;
  await hammer(bare)();
  await hammer(ours)();
  return compare(5, hammer(ours), hammer(bare));
}

async function benchFlow(): Promise<Comparison> {
  const [postgresPort = 0, ingress = 0, admin = 0, nodePort = 0, worker = 0] = await freePorts(5);
  const postgres = await startPostgres({ supervisor, dir: `${dir}/postgres`, port: postgresPort });
  await ensureDatabase(postgres.url("postgres"), "bench");
  await migrate(postgres.url("bench"));
  const restate = await startRestate({
    supervisor,
    dir: `${dir}/restate`,
    ports: { ingress, admin, node: nodePort },
  });
  node("flow-server", postgres.url("bench"), String(worker));
  await waitUntil(
    "the flows are registered",
    () => registerFlows({ adminUrl: restate.adminUrl, workerUrl: `http://127.0.0.1:${worker}`, force: true }),
    { seconds: 30 },
  );
  const { db, close } = connectDatabase({
    url: postgres.url("bench"),
    poolSize: 8,
    log: makeLog({ app: "bench", level: "silent" }),
  });
  const store = makeFlowStore(db);
  let made = 0;
  const call = async (flow: string, key: string): Promise<void> => {
    await fetchOk(`${restate.ingressUrl}/${flow}/${key}/run`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ key, attempt: 1 }),
    });
  };
  const ours = async (key: string): Promise<void> => {
    await store.accept(db, { flow: "Harness", key, account: "0x0", allowanceSeconds: 60 });
    await call("Harness", key);
  };
  const rate = (one: (key: string) => Promise<void>) => async (): Promise<number> => {
    const count = 300;
    const keys = Array.from({ length: count }, () => `bench-${made++}`);
    const began = performance.now();
    const client = async (): Promise<void> => {
      for (let key = keys.pop(); key !== undefined; key = keys.pop()) await one(key);
    };
    await Promise.all(Array.from({ length: 16 }, client));
    return (count * 1000) / (performance.now() - began);
  };
  const bare = rate((key) => call("Bare", key));
  await bare();
  const result = await compare(5, rate(ours), bare);
  await close();
  return result;
}

async function benchLayers(): Promise<void> {
  console.table({
    "GET through a route object ÷ bare Fastify (requests/s, 32 connections)": await benchRoute(),
    "sign-in message parsed, checked and verified ÷ bare native recover (per second)": await benchSignIn(),
    "GET /auth/me with a token ÷ bare Fastify (requests/s, 32 connections)": await benchAuthenticated(
      supervisor,
      dir,
      await startBare(),
    ),
    "durable flow with its row in the record ÷ bare Restate (flows/s, 4 steps, 16 clients)":
      await benchFlow(),
  });
}

async function benchValidator(): Promise<void> {
  console.table(await benchVerdicts());
  console.table(await benchValidateOverHttp(supervisor, dir));
}

const [, , only, part] = process.argv;
try {
  console.log(
    "Each layer is measured alternately with the library under it. Compare the ratio; the absolute figures depend on the machine.",
  );
  if (only === "cost") await benchCost();
  if (only === "flood") await benchFlood(supervisor, dir);
  if (only === undefined) await benchLayers();
  if (only === undefined || only === "transactions")
    await benchTransactions(
      { supervisor, dir },
      { rows: process.env["BIG"] === "1" ? 1_000_000 : 100_000, part },
    );
  if (only === undefined || only === "mcp-streams") await benchMcpStreams({ supervisor, dir });
  if (only === undefined || only === "validator") await benchValidator();
} finally {
  await supervisor.stop();
  for (const home of [
    "postgres",
    "identity-postgres",
    "transactions-postgres",
    "verdicts-postgres",
    "mcp-postgres",
  ])
    removePostgres(`${dir}/${home}`);
  rmSync(dir, { recursive: true, force: true });
}
