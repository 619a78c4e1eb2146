// An installation in which every part exists more than once: what a small production would be, on one machine.
import { rmSync } from "node:fs";
import type { Deployment } from "@countersign/contracts/deploy";
import { registerFlows } from "@countersign/platform/engine";
import { openDataDir, type DataDir } from "../dev/data-dir.ts";
import { databaseName, urlsOf, type StackUrls } from "../dev/parts.ts";
import { portCount, portsFrom } from "../dev/ports.ts";
import { seedStack } from "../dev/seed-stack.ts";
import { ensureServerKeys, type ServerKeys } from "../dev/server-keys.ts";
import { freePortRange } from "../engines/ports.ts";
import { withClient } from "../engines/postgres.ts";
import { makeSupervisor, type Supervisor } from "../engines/supervisor.ts";
import { fetchOk, waitUntil } from "../engines/wait.ts";
import { makeChain, type Chain } from "../stage/chain.ts";
import type { Stage } from "../stage/stage.ts";
import { startEngines, type Engines } from "./engines.ts";
import {
  kinds,
  makeMember,
  route,
  startBalancers,
  type Balancers,
  type Environment,
  type Ground,
  type Kind,
  type Member,
} from "./members.ts";
import { superviseFailover } from "./supervise-failover.ts";

export type Installation = Engines & {
  readonly supervisor: Supervisor;
  readonly dir: DataDir;
  /** As clients and our own processes reach each part. */
  readonly urls: StackUrls;
  readonly serverKeys: ServerKeys;
  readonly deployment: Deployment;
  readonly chain: Chain;
  readonly members: readonly Member[];
  readonly balancers: Balancers;
  /** Makes a process that is neither started nor behind its balancer. */
  readonly makeMember: (kind: Kind, name: string) => Promise<Member>;
  /** Lets the engine know the flows at that address. Returns the engine's id of it. */
  readonly register: (workerUrl: string) => Promise<string>;
  /** How often a standby was promoted. */
  readonly failovers: () => number;
  readonly query: Stage["query"];
  readonly end: () => Promise<void>;
};

type Options = {
  readonly path: string;
  /** How many processes of each kind. */
  readonly copies?: number;
  /** Settings of every process of ours. */
  readonly env?: Environment;
  /** Another checkout whose code they run. */
  readonly checkout?: string;
};

const urlsThrough = (
  own: StackUrls,
  { postgres, restatePorts }: Engines,
  balancers: Balancers,
): StackUrls => ({
  ...own,
  // For what has to reach one server, such as the creation of a role.
  postgres: postgres.urlOf(postgres.primary(), databaseName),
  ...{ api: balancers.api.url, worker: balancers.worker.url, validator: balancers.validator.url },
  ...{ orion: balancers.orion.url, orionWorker: balancers.orionWorker.url },
  restateIngress: balancers.engine.url,
  restateAdmin: `http://127.0.0.1:${restatePorts[0]?.admin ?? 0}`,
});

async function startMembers(ground: Ground, copies: number, checkout: string | undefined) {
  const members: Member[] = [];
  for (const kind of kinds)
    for (let copy = 0; copy < copies; copy++) members.push(await makeMember(ground, kind, `${kind}-${copy}`));
  // One after the other: the first one makes the tables and keys that the others find.
  for (const member of members) await member.start(checkout);
  return members;
}

const makeRegister =
  ({ urls }: Pick<Ground, "urls">) =>
  async (workerUrl: string): Promise<string> => {
    const register = () => registerFlows({ adminUrl: urls.restateAdmin, workerUrl, force: false });
    return (await waitUntil("the engine knows the flows", register, { seconds: 120 })).deployment;
  };

const isHealthy = async ({ urls }: Pick<Ground, "urls">): Promise<boolean> => {
  const health = (await (await fetchOk(`${urls.api}/health`)).json()) as { status: string };
  return health.status === "ok" && (await fetchOk(`${urls.orion}/ready`)).ok;
};

/** Returns when all processes run and reach each other. */
export async function startInstallation(options: Options): Promise<Installation> {
  const { path, copies = 2, env = {}, checkout } = options;
  const dir = openDataDir(path);
  const supervisor = makeSupervisor({ logDir: dir.logs });
  const own = urlsOf(portsFrom(String(await freePortRange(portCount))));
  const engines = await startEngines(supervisor, dir, own);
  const { postgres } = engines;
  const [deployment, balancers] = await Promise.all([
    seedStack({ urls: own, dir }),
    startBalancers(engines.restatePorts),
  ]);
  const urls = urlsThrough(own, engines, balancers);
  const ground: Ground = { supervisor, dir, deployment, engines, urls, env };
  const members = await startMembers(ground, copies, checkout);
  route(balancers, members);
  const register = makeRegister(ground);
  for (const workerUrl of [urls.worker, urls.orionWorker]) await register(workerUrl);
  await waitUntil("everything is ready", () => isHealthy(ground), { seconds: 120 });
  const failover = superviseFailover(postgres);
  return {
    ...{ ...engines, supervisor, dir, urls, deployment, members, balancers, register },
    ...{ chain: makeChain(own.anvil), serverKeys: ensureServerKeys(dir.serverKeysFile) },
    makeMember: (kind, name) => makeMember(ground, kind, name),
    failovers: failover.count,
    query: (sql, values = []) =>
      withClient(
        postgres.urlOf(postgres.primary(), databaseName),
        async (client) => (await client.query(sql, [...values])).rows as never,
      ),
    end: async () => {
      await failover.stop();
      await supervisor.stop();
      for (const balancer of Object.values(balancers)) balancer.close();
      postgres.remove();
      rmSync(dir.path, { recursive: true, force: true });
    },
  };
}
