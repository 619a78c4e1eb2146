// The whole system for tests: real engines that stay, and our own services as processes that can be killed and started
// again with other settings. Between any two of them stands a proxy that can be told to fail.
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Deployment } from "@countersign/contracts/deploy";
import { registerOrion, registerWorker, startApi, startOrion, startValidator } from "../dev/apps.ts";
import { openDataDir, type DataDir } from "../dev/data-dir.ts";
import { root } from "../dev/options.ts";
import { databaseName, urlsOf, type StackUrls } from "../dev/parts.ts";
import { portCount, portsFrom, type StackPorts } from "../dev/ports.ts";
import { seedStack } from "../dev/seed-stack.ts";
import { ensureServerKeys, type ServerKeys } from "../dev/server-keys.ts";
import { startAnvil } from "../engines/anvil.ts";
import { startIpfs } from "../engines/ipfs.ts";
import { freePortRange } from "../engines/ports.ts";
import { removePostgres } from "../engines/postgres-home.ts";
import { ensureDatabase, startPostgres, withClient, type Postgres } from "../engines/postgres.ts";
import { startRestate, type Restate } from "../engines/restate.ts";
import { makeSupervisor, type Child, type Supervisor } from "../engines/supervisor.ts";
import { waitUntil } from "../engines/wait.ts";
import { makeTempDir } from "../testing/temp-dir.ts";
import { makeChain, type Chain } from "./chain.ts";
import { startFaultyProxy, type FaultyProxy } from "./faulty-proxy.ts";

export type Environment = Readonly<Record<string, string>>;

/** One of our services. */
type Actor = {
  /** Returns once it listens. One that runs is killed first. */
  readonly start: (env?: Environment) => Promise<Child>;
  /** Ends it as a power cut would. */
  readonly kill: () => Promise<void>;
};

/** An engine that can be cut off from its power, and given it back. */
type Engine = {
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
};

type Name = "api" | "orion" | "validator";
/** Who is asked through a proxy: the validator by orion, the gateway and the chain by both, orion and the api by each other. */
type Neighbour = "validator" | "ipfs" | "anvil" | "orion" | "api";

export type Stage = {
  readonly urls: StackUrls;
  readonly serverKeys: ServerKeys;
  readonly deployment: Deployment;
  readonly chain: Chain;
  readonly actors: Readonly<Record<Name, Actor>>;
  readonly postgres: Engine;
  readonly restate: Engine;
  readonly proxies: Readonly<Record<Neighbour, FaultyProxy>>;
  readonly query: <Row extends Record<string, unknown>>(
    sql: string,
    values?: readonly unknown[],
  ) => Promise<readonly Row[]>;
  readonly logDir: string;
  readonly end: () => Promise<void>;
};

type Ground = {
  readonly supervisor: Supervisor;
  readonly dir: DataDir;
  readonly ports: StackPorts;
  readonly urls: StackUrls;
};

/** Limits that no test meets by accident, and intervals that no test has to wait for. */
const settings: Readonly<Record<Name, Environment>> = {
  api: {
    TRANSACTIONS_PER_MINUTE_PER_IP: "1000000",
    TRANSACTIONS_PER_MINUTE_PER_USER: "1000000",
    TRANSACTIONS_PER_MINUTE_PER_KEY: "1000000",
    READS_PER_MINUTE_PER_IP: "1000000",
    NUDGE_SECONDS: "2",
    VERDICT_SECONDS: "60",
    MINIMUM_DEADLINE_SECONDS: "1",
    SWEEP_EVERY_MS: "200",
    WATCH_EVERY_MS: "100",
    MIRROR_EVERY_MS: "500",
  },
  orion: { WATCH_EVERY_MS: "300" },
  validator: {},
};

function makeActor(begin: (env: Environment) => Promise<Child>): Actor {
  let child: Child | undefined;
  const kill = async (): Promise<void> => {
    if (child?.exitReason() === undefined) await child?.kill();
  };
  return {
    kill,
    start: async (env = {}) => {
      await kill();
      child = await begin(env);
      return child;
    },
  };
}

const beginPostgres = ({ supervisor, dir, ports }: Ground): Promise<Postgres> =>
  startPostgres({ supervisor, dir: dir.postgres, port: ports.postgres });

const beginRestate = ({ supervisor, dir, ports }: Ground): Promise<Restate> =>
  startRestate({
    supervisor,
    dir: dir.restate,
    ports: { ingress: ports.restateIngress, admin: ports.restateAdmin, node: ports.restateNode },
  });

async function startEngines(ground: Ground) {
  const { supervisor, dir, ports } = ground;
  const [postgres, restate] = await Promise.all([
    beginPostgres(ground),
    beginRestate(ground),
    startAnvil({ supervisor, dir: dir.anvil, port: ports.anvil }),
    startIpfs({ supervisor, dir: dir.ipfs, port: ports.ipfs }),
  ]);
  await ensureDatabase(postgres.url("postgres"), databaseName);
  return { postgres, restate };
}

async function startProxies({ urls }: Ground): Promise<Stage["proxies"]> {
  const [validator, ipfs, anvil, orion, api] = await Promise.all([
    startFaultyProxy(urls.validator),
    startFaultyProxy(urls.ipfs),
    startFaultyProxy(urls.anvil),
    startFaultyProxy(urls.orion),
    startFaultyProxy(urls.api),
  ]);
  return { validator, ipfs, anvil, orion, api };
}

/** Compiled code is kept from one start to the next: a test that kills a service often does not compile it each time. */
const cacheOf = ({ dir }: Pick<Ground, "dir">): Environment => ({
  NODE_COMPILE_CACHE: join(dir.path, "compiled"),
});

/** A process that is killed keeps nothing, so one that ends by itself fills the cache first. */
async function compile({ supervisor, dir }: Ground, app: "api" | "orion"): Promise<void> {
  const file = join(root, "apps", app, "src/start.ts");
  await supervisor.run({
    name: `compile-${app}`,
    command: process.execPath,
    args: ["--input-type=module", "--eval", `await import(${JSON.stringify(file)}); process.exit(0);`],
    cwd: root,
    env: cacheOf({ dir }),
  });
}

type Cast = Ground & {
  readonly proxies: Stage["proxies"];
  readonly deployment: Deployment;
  readonly identityKey: string;
};

/** Each listens where it should, and meets its neighbours through the proxies. */
function castActors({ supervisor, dir, urls, proxies, deployment, identityKey }: Cast): Stage["actors"] {
  const common = { supervisor, dir, deployment, identityKey };
  const compiled = cacheOf({ dir });
  const neighbours = {
    ...urls,
    validator: proxies.validator.url,
    ipfs: proxies.ipfs.url,
    anvil: proxies.anvil.url,
  };
  return {
    validator: makeActor((env) =>
      startValidator({ supervisor, urls, env: { ...settings.validator, ...env } }),
    ),
    api: makeActor((env) =>
      startApi({
        ...common,
        urls: { ...neighbours, orion: proxies.orion.url },
        env: { ...settings.api, ...compiled, ...env },
      }),
    ),
    orion: makeActor((env) =>
      startOrion({
        ...common,
        urls: { ...neighbours, api: proxies.api.url },
        env: { ...settings.orion, ...compiled, ...env },
      }),
    ),
  };
}

type StageOptions = {
  /** False: the services are started by whoever asked for the stage. */
  readonly isComplete?: boolean;
};

/** Returns when everything is up and the engine knows both services. */
export async function setStage({ isComplete = true }: StageOptions = {}): Promise<Stage> {
  const dir = openDataDir(makeTempDir("stage"));
  const ports = portsFrom(String(await freePortRange(portCount)));
  const urls = urlsOf(ports);
  const supervisor = makeSupervisor({ logDir: dir.logs });
  const ground: Ground = { supervisor, dir, ports, urls };
  const [engines] = await Promise.all([
    startEngines(ground),
    compile(ground, "api"),
    compile(ground, "orion"),
  ]);
  const [deployment, proxies] = await Promise.all([seedStack({ urls, dir }), startProxies(ground)]);
  const { identityKey } = engines.restate;
  const actors = castActors({ ...ground, proxies, deployment, identityKey });
  const chain = makeChain(urls.anvil);
  if (isComplete) await startActors(ground, actors);
  return {
    ...{ urls, deployment, chain, actors, proxies, logDir: dir.logs },
    serverKeys: ensureServerKeys(dir.serverKeysFile),
    postgres: powerOf(engines.postgres, () => beginPostgres(ground)),
    restate: powerOf(engines.restate, () => beginRestate(ground)),
    query: (sql, values = []) =>
      withClient(urls.postgres, async (client) => (await client.query(sql, [...values])).rows as never),
    end: async () => {
      chain.stopMining();
      await supervisor.stop();
      for (const proxy of Object.values(proxies)) proxy.close();
      removePostgres(dir.postgres);
      rmSync(dir.path, { recursive: true, force: true });
    },
  };
}

/** Later starts need no registration: the engine remembers where they are. */
async function startActors({ supervisor, urls }: Ground, actors: Stage["actors"]): Promise<void> {
  const [api, orion] = await Promise.all([
    actors.api.start(),
    actors.orion.start(),
    actors.validator.start(),
  ]);
  await Promise.all([registerWorker({ supervisor, urls, api }), registerOrion({ supervisor, urls, orion })]);
}

type Powered = Pick<Postgres, "kill">;

/** Its own children may outlive a killed PostgreSQL for a moment, in which it refuses to start. */
function powerOf(running: Powered, begin: () => Promise<Powered>): Engine {
  let current = running;
  return {
    kill: () => current.kill(),
    start: async () => {
      current = await waitUntil("the engine starts again", begin);
    },
  };
}
