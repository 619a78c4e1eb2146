// npm run bench: what our layers cost, each against the bare thing under it, on this machine, in one run.
// npm run bench -- transactions [endpoints|rows|verdicts]: that part alone; BIG=1 compares a million rows, which takes minutes.
// npm run bench -- route: what a route costs, alone.
// npm run bench -- proposal-cost [TREE]: commits, statements, WAL, engine entries, RPC calls, gas and CPU of a proposal; with TREE alternately
// with another checkout. ROUNDS and PROPOSALS set how many.
// npm run bench -- mcp-streams: what it costs to keep 2,000 MCP clients told.
// npm run bench -- validator: the validator's part alone. npm run bench -- cost: draws what a verdict costs by size.
// npm run bench -- simulation [rounds]: what the state of the chain and the second engine add to a verdict. Needs the world's packages.
// npm run bench -- outside-states SET…: what a state decides about cases that were not checked. Needs the world's packages.
// npm run bench -- adapters [EXAMPLE]: from `npm install` to the first verdict with each library, and the changed lines.
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
import { benchAdapters } from "./bench-adapters.ts";
import { benchAuthenticated, benchSignIn } from "./bench-identity.ts";
import { benchMcpStreams } from "./bench-mcp-streams.ts";
import { benchOutsideStates } from "./bench-outside-states.ts";
import { benchSimulation } from "./bench-simulation.ts";
import { benchTransactions } from "./bench-transactions.ts";
import { benchFlood, benchValidateOverHttp, benchVerdicts } from "./bench-validator.ts";
import { benchProposalCost, serveCostMeter } from "./compare-costs.ts";
import { cpuOf } from "./cost-counters.ts";
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

/** By rate, and by the CPU time of the server alone, which other load on the machine affects much less. */
async function benchRoute(): Promise<Readonly<Record<string, Comparison>>> {
  const [barePort = 0, ourPort = 0] = await freePorts(2);
  const bare = { pid: node("bare-server", String(barePort)).pid, port: barePort };
  const ours = { pid: node("route-server", String(ourPort)).pid, port: ourPort };
  for (const { port } of [bare, ours])
    await waitUntil("the server answers", () => fetchOk(`http://127.0.0.1:${port}/`), { seconds: 30 });
  const hammer = async ({ pid, port }: typeof bare): Promise<{ rate: number; perCpuSecond: number }> => {
    const before = cpuOf(pid);
    const { requests } = await autocannon({
      url: `http://127.0.0.1:${port}/`,
      connections: 32,
      duration: 2,
    });
    return { rate: requests.average, perCpuSecond: (requests.total * 1000) / (cpuOf(pid) - before) };
  };
  await hammer(bare);
  await hammer(ours);
  const rate = (server: typeof bare) => async (): Promise<number> => (await hammer(server)).rate;
  const perCpuSecond = (server: typeof bare) => async (): Promise<number> =>
    (await hammer(server)).perCpuSecond;
  return {
    "GET through a route object ÷ bare Fastify (requests/s, 32 connections)": await compare(
      5,
      rate(ours),
      rate(bare),
    ),
    "the same, requests for each second of the server's CPU": await compare(
      5,
      perCpuSecond(ours),
      perCpuSecond(bare),
    ),
  };
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
    ...(await benchRoute()),
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

const [, , only, part, ...more] = process.argv;
try {
  console.log(
    "Each layer is measured alternately with the library under it. Compare the ratio; the absolute figures depend on the machine.",
  );
  if (only === "cost") await benchCost();
  if (only === "simulation") await benchSimulation({ supervisor, dir }, Number(part ?? "50"));
  if (only === "outside-states") await benchOutsideStates({ supervisor, dir }, [part ?? "8", ...more]);
  if (only === "route") console.table(await benchRoute());
  if (only === "proposal-cost") await benchProposalCost({ supervisor, dir }, part);
  if (only === "proposal-cost-server") await serveCostMeter({ supervisor, dir });
  if (only === "adapters") console.table(await benchAdapters(part === undefined ? [] : [part]));
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
