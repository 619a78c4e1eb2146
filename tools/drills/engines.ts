// The parts that are not ours: each can be killed and started again.
import { join } from "node:path";
import type { DataDir } from "../dev/data-dir.ts";
import { databaseName, type StackUrls } from "../dev/parts.ts";
import { startAnvil } from "../engines/anvil.ts";
import { startIpfs } from "../engines/ipfs.ts";
import { freePorts } from "../engines/ports.ts";
import { startRedis } from "../engines/redis.ts";
import { startReplicatedPostgres, type ReplicatedPostgres } from "../engines/replicated-postgres.ts";
import { startRestateCluster, type RestateCluster, type RestatePorts } from "../engines/restate.ts";
import type { Supervisor } from "../engines/supervisor.ts";
import { waitForListener, waitUntil } from "../engines/wait.ts";

/** A part with one process at a time. */
type Part = { readonly start: () => Promise<void>; readonly kill: () => Promise<void> };

export type Engines = {
  readonly postgres: ReplicatedPostgres;
  readonly restate: RestateCluster;
  /** Of each of its nodes. */
  readonly restatePorts: readonly RestatePorts[];
  readonly redis: Part;
  readonly redisUrl: string;
  /** They show the same chain. */
  readonly providers: readonly Part[];
  readonly providerUrls: readonly string[];
};

function makePart(begin: () => Promise<Pick<Part, "kill">>): Part {
  let current: Pick<Part, "kill"> | undefined;
  return {
    start: async () => {
      // A killed process may leave a lock or a port behind for a moment.
      current = await waitUntil("a part starts", begin);
    },
    kill: async () => current?.kill(),
  };
}

async function portsOfNodes(count: number): Promise<readonly RestatePorts[]> {
  const ports = await freePorts(count * 3);
  return Array.from({ length: count }, (_, index) => {
    const [ingress = 0, admin = 0, node = 0] = ports.slice(index * 3);
    return { ingress, admin, node };
  });
}

const makeProvider = (supervisor: Supervisor, name: string, ports: { own: number; node: string }): Part =>
  makePart(async () => {
    const child = supervisor.start({
      ...{ name, command: process.execPath, cwd: import.meta.dirname },
      args: [join(import.meta.dirname, "rpc-provider.ts"), String(ports.own), ports.node],
    });
    await waitForListener(child, ports.own);
    return child;
  });

const portOf = (url: string): number => Number(new URL(url).port);

/** Starts PostgreSQL with two standbys, three nodes of Restate, Redis, IPFS, and a chain behind two providers. */
export async function startEngines(supervisor: Supervisor, dir: DataDir, urls: StackUrls): Promise<Engines> {
  const restatePorts = await portsOfNodes(3);
  const [redisPort = 0, ...providerPorts] = await freePorts(3);
  const [postgres, restate] = await Promise.all([
    startReplicatedPostgres({
      ...{ supervisor, dir: dir.postgres, ports: await freePorts(3), database: databaseName },
    }),
    startRestateCluster({ supervisor, dir: dir.restate, ports: restatePorts }),
    startAnvil({ supervisor, dir: dir.anvil, port: portOf(urls.anvil) }),
    startIpfs({ supervisor, dir: dir.ipfs, port: portOf(urls.ipfs) }),
  ]);
  const redis = makePart(() => startRedis({ supervisor, dir: join(dir.path, "redis"), port: redisPort }));
  const providers = providerPorts.map((own, index) =>
    makeProvider(supervisor, `provider-${index}`, { own, node: String(portOf(urls.anvil)) }),
  );
  for (const part of [redis, ...providers]) await part.start();
  return {
    ...{ postgres, restate, restatePorts, redis, providers },
    redisUrl: `redis://127.0.0.1:${redisPort}`,
    providerUrls: providerPorts.map((port) => `http://127.0.0.1:${port}`),
  };
}
