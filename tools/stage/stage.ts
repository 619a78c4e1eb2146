// The whole system for tests: real engines, and our services as processes that can be killed and restarted with other
// settings. A proxy between any two of them can be told to fail.
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Deployment } from "@countersign/contracts/deploy";
import { registerOrion, registerWorker } from "../dev/apps.ts";
import { openDataDir, type DataDir } from "../dev/data-dir.ts";
import { root } from "../dev/options.ts";
import { databaseName, urlsOf, type StackUrls } from "../dev/parts.ts";
import { portCount, portsFrom } from "../dev/ports.ts";
import { seedStack } from "../dev/seed-stack.ts";
import { ensureServerKeys, type ServerKeys } from "../dev/server-keys.ts";
import { startAnvil } from "../engines/anvil.ts";
import { startIpfs } from "../engines/ipfs.ts";
import { freePortRange } from "../engines/ports.ts";
import { openPostgresArchive, type PostgresArchive } from "../engines/postgres-archive.ts";
import { removePostgres } from "../engines/postgres-home.ts";
import { ensureDatabase, startPostgres, withClient, type Postgres } from "../engines/postgres.ts";
import { startRestate, type Restate } from "../engines/restate.ts";
import { makeSupervisor } from "../engines/supervisor.ts";
import { waitUntil } from "../engines/wait.ts";
import { startCustodianStandIn, type CustodianStandIn } from "../stand-ins/custodian/stand-in.ts";
import { makeTempDir } from "../testing/temp-dir.ts";
import { castActors, type Actor, type Actors, type Proxies } from "./actors.ts";
import { makeChain, type Chain } from "./chain.ts";
import { startFaultyProxy } from "./faulty-proxy.ts";
import type { Environment, Ground } from "./ground.ts";
import { startPatientProxy } from "./patient-proxy.ts";
import { startWorld, type StageWorld } from "./world.ts";

/** An engine that can be cut off from its power, and given it back. */
type Engine = {
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
};

type DatabaseServer = {
  readonly kill: () => Promise<void>;
  /** With further settings, if any. */
  readonly start: (settings?: readonly string[]) => Promise<void>;
  /** Where it keeps its files. */
  readonly cluster: string;
  /** In use if the stage was set with it. */
  readonly archive: PostgresArchive;
};

export type Stage = {
  readonly urls: StackUrls;
  readonly serverKeys: ServerKeys;
  readonly deployment: Deployment;
  /** The public key that the engine signs its calls with. */
  readonly identityKey: string;
  readonly chain: Chain;
  /** A second chain with real contracts, if the stage was set with it. Blocks are mined for transactions only. */
  readonly world: StageWorld | undefined;
  /** Who keeps the wallets that the service sends from. It is in this process, and stays when others die. */
  readonly custodian: CustodianStandIn;
  readonly actors: Actors;
  /** Runs the API's flows, if the stage was set with a worker of its own. */
  readonly worker: Actor;
  /** Starts a second API process on the same database. Returns its address. */
  readonly startAnotherApi: () => Promise<string>;
  readonly postgres: DatabaseServer;
  readonly restate: Engine;
  readonly proxies: Proxies;
  readonly query: <Row extends Record<string, unknown>>(
    sql: string,
    values?: readonly unknown[],
  ) => Promise<readonly Row[]>;
  readonly logDir: string;
  /** Where everything is kept that the engines and the services keep. */
  readonly dir: DataDir;
  readonly end: () => Promise<void>;
};

const beginPostgres = ({ supervisor, dir, ports }: Ground, settings: readonly string[]): Promise<Postgres> =>
  startPostgres({ supervisor, dir: dir.postgres, port: ports.postgres, settings });

const beginRestate = ({ supervisor, dir, ports }: Ground): Promise<Restate> =>
  startRestate({
    supervisor,
    dir: dir.restate,
    ports: { ingress: ports.restateIngress, admin: ports.restateAdmin, node: ports.restateNode },
  });

type EngineOptions = { readonly settings: readonly string[]; readonly hasWorld: boolean | undefined };

async function startEngines(ground: Ground, { settings, hasWorld = false }: EngineOptions) {
  const { supervisor, dir, ports } = ground;
  const [postgres, restate, world] = await Promise.all([
    beginPostgres(ground, settings),
    beginRestate(ground),
    hasWorld ? startWorld(ground) : undefined,
    startAnvil({ supervisor, dir: dir.anvil, port: ports.anvil }),
    startIpfs({ supervisor, dir: dir.ipfs, port: ports.ipfs }),
  ]);
  await ensureDatabase(postgres.url("postgres"), databaseName);
  return { postgres, restate, world };
}

async function startProxies({ urls }: Ground): Promise<Proxies> {
  const [validator, ipfs, anvil, orion, api] = await Promise.all([
    startFaultyProxy(urls.validator),
    startFaultyProxy(urls.ipfs),
    startFaultyProxy(urls.anvil),
    startFaultyProxy(urls.orion),
    startFaultyProxy(urls.api),
  ]);
  return { validator, ipfs, anvil, orion, api };
}

/** Fills the compile cache that all processes share. One that is killed would leave nothing in it. */
async function compile({ supervisor }: Ground, app: "api" | "orion"): Promise<void> {
  const file = join(root, "apps", app, "src/start.ts");
  await supervisor.run({
    name: `compile-${app}`,
    command: process.execPath,
    args: ["--input-type=module", "--eval", `await import(${JSON.stringify(file)}); process.exit(0);`],
    cwd: root,
  });
}

type StageOptions = {
  /**
   * Whether the engine's calls wait for a service that is away. Otherwise they are refused and the engine comes again, later
   * each time, as it does everywhere else: a test of a hundred deaths would mostly wait for that.
   */
  readonly isEngineHeld?: boolean;
  /** Settings of every service, in addition to the stage's. */
  readonly env?: Environment;
  /** Whether a process of its own runs the flows of the API. */
  readonly isWorkerApart?: boolean;
  /** Whether the database archives its log. */
  readonly isArchived?: boolean;
  /** Whether there is a second chain with the real contracts of tools/world, which the API watches and the simulator reads. */
  readonly hasWorld?: boolean;
};

/** Returns when everything is up and the engine knows both services. */
export async function setStage(wanted: StageOptions = {}): Promise<Stage> {
  const { isEngineHeld = false, env = {}, isWorkerApart = false, isArchived = false, hasWorld } = wanted;
  const dir = openDataDir(makeTempDir("stage"));
  const ports = portsFrom(String(await freePortRange(portCount)));
  const urls = urlsOf(ports);
  const supervisor = makeSupervisor({ logDir: dir.logs });
  const ground: Ground = { supervisor, dir, ports, urls };
  const archive = openPostgresArchive(dir.postgres);
  const archiving = isArchived ? archive.settings : [];
  const [{ world, ...engines }] = await Promise.all([
    startEngines(ground, { settings: archiving, hasWorld }),
    // Only where services are killed over and over: elsewhere it costs more than it saves.
    ...(isEngineHeld ? [compile(ground, "api"), compile(ground, "orion")] : []),
  ]);
  const [deployment, proxies, custodian] = await Promise.all([
    seedStack({ urls, dir }),
    startProxies(ground),
    startCustodianStandIn({ port: ports.custodian, rpcUrl: urls.anvil }),
  ]);
  const { identityKey } = engines.restate;
  const cast = castActors({ ...ground, proxies, deployment, identityKey, env, world });
  const chain = makeChain(urls.anvil);
  const halls = isEngineHeld ? await openHalls(urls) : undefined;
  const known = { ...ground, urls: { ...urls, ...halls?.urls } };
  await startActors(known, cast.actors, isWorkerApart ? cast.worker : undefined);
  return {
    ...{ ...cast, urls, deployment, identityKey, chain, world, custodian, proxies, dir, logDir: dir.logs },
    serverKeys: ensureServerKeys(dir.serverKeysFile),
    postgres: {
      ...powerOf(engines.postgres, (settings: readonly string[] = []) =>
        beginPostgres(ground, [...archiving, ...settings]),
      ),
      ...{ archive, cluster: engines.postgres.cluster },
    },
    restate: powerOf(engines.restate, () => beginRestate(ground)),
    query: (sql, values = []) =>
      withClient(urls.postgres, async (client) => (await client.query(sql, [...values])).rows as never),
    end: async () => {
      chain.stopMining();
      await supervisor.stop();
      await custodian.close();
      for (const proxy of Object.values(proxies)) proxy.close();
      halls?.close();
      removePostgres(dir.postgres);
      rmSync(dir.path, { recursive: true, force: true });
    },
  };
}

/** Where the engine waits for the services that run its flows. */
async function openHalls({ worker, orionWorker }: StackUrls) {
  const [ofApi, ofOrion] = await Promise.all([startPatientProxy(worker), startPatientProxy(orionWorker)]);
  return {
    urls: { worker: ofApi.url, orionWorker: ofOrion.url },
    close: () => {
      ofApi.close();
      ofOrion.close();
    },
  };
}

/** Later starts need no registration: the engine remembers where they are. */
async function startActors(
  { supervisor, urls }: Ground,
  actors: Actors,
  worker: Actor | undefined,
): Promise<void> {
  const [api, orion] = await Promise.all([
    actors.api.start(worker === undefined ? {} : { ROLE: "http" }),
    actors.orion.start(),
    actors.validator.start(),
  ]);
  await worker?.start();
  await Promise.all([registerWorker({ supervisor, urls, api }), registerOrion({ supervisor, urls, orion })]);
}

type Powered = Pick<Postgres, "kill">;

/** Its own children may outlive a killed PostgreSQL for a moment, in which it refuses to start. */
function powerOf<Args extends readonly unknown[]>(
  running: Powered,
  begin: (...args: Args) => Promise<Powered>,
) {
  let current = running;
  return {
    kill: () => current.kill(),
    start: async (...args: Args) => {
      current = await waitUntil("the engine starts again", () => begin(...args));
    },
  };
}
