// Who waits for whom when the stack starts. Everything that can start at once does.
import type { Deployment } from "@countersign/contracts/deploy";
import { startAnvil } from "../engines/anvil.ts";
import { startIpfs } from "../engines/ipfs.ts";
import { ensureDatabase, startPostgres } from "../engines/postgres.ts";
import { startRestate } from "../engines/restate.ts";
import type { Supervisor } from "../engines/supervisor.ts";
import {
  isPresent,
  registerOrion,
  registerWorker,
  startApi,
  startOrion,
  startSimulator,
  startValidator,
} from "./apps.ts";
import type { DataDir } from "./data-dir.ts";
import { databaseName, type PartName, type StackUrls } from "./parts.ts";
import type { StackPorts } from "./ports.ts";
import { buildPages, startWeb } from "./web.ts";
import { startCustodian, startWalletProvider } from "./stand-ins.ts";
import { startWorld, type DevWorld } from "./world.ts";

/** Starts one part, reports its progress, and stores the returned text as the part's status. */
export type BringUpPart = <T extends { readonly status: string }>(
  name: PartName,
  after: readonly (Promise<unknown> | undefined)[],
  start: () => Promise<T>,
) => Promise<T>;

type Options = {
  readonly supervisor: Supervisor;
  readonly dir: DataDir;
  readonly ports: StackPorts;
  readonly urls: StackUrls;
  /** Whether the pages are built and served, too. */
  readonly web: boolean;
  /** Whether a chain with real contracts and the simulator are started, too. */
  readonly world: boolean;
  readonly part: BringUpPart;
};

/** Each is there when its promise says so. */
function bringUpEngines({ supervisor, dir, ports, part }: Omit<Options, "urls" | "web" | "world">) {
  const postgres = part("postgres", [], async () => {
    const { url, version } = await startPostgres({ supervisor, dir: dir.postgres, port: ports.postgres });
    await ensureDatabase(url("postgres"), databaseName);
    return { status: `PostgreSQL ${version}` };
  });
  const restate = part("restate", [], async () => {
    const { restateIngress: ingress, restateAdmin: admin, restateNode: node } = ports;
    const server = await startRestate({ supervisor, dir: dir.restate, ports: { ingress, admin, node } });
    return { identityKey: server.identityKey, status: `Restate ${server.version}` };
  });
  const anvil = part("anvil", [], async () => {
    const { chainId } = await startAnvil({ supervisor, dir: dir.anvil, port: ports.anvil });
    return { status: `chain ${chainId}` };
  });
  const ipfs = part("ipfs", [], async () => {
    await startIpfs({ supervisor, dir: dir.ipfs, port: ports.ipfs });
    return { status: "gateway, offline" };
  });
  return { postgres, restate, anvil, ipfs };
}

/** Not waited for: parts that need them retry. */
function bringUpStandIns({ supervisor, urls, part }: Pick<Options, "supervisor" | "urls" | "part">) {
  return [
    part("custodian", [], async () => {
      await startCustodian({ supervisor, urls });
      return { status: "stand-in" };
    }),
    part("wallet-provider", [], async () => {
      await startWalletProvider({ supervisor, urls });
      return { status: "stand-in" };
    }),
  ];
}

type Simulating = { readonly world: Promise<DevWorld>; readonly simulator: Promise<unknown> };

/** Undefined if no world is wanted: then nothing is simulated. */
function bringUpSimulator({
  supervisor,
  dir,
  ports,
  urls,
  part,
  ...wanted
}: Omit<Options, "web">): Simulating | undefined {
  if (!wanted.world || !isPresent("simulator")) return undefined;
  const world = part("world", [], () => startWorld({ supervisor, dir, ports }));
  const simulator = part("simulator", [world], async () => {
    const { nodes } = await world;
    await startSimulator({ supervisor, urls, env: { RPC_URLS: nodes.join(",") } });
    return { status: "ready" };
  });
  return { world, simulator };
}

/** Building takes as long as the engines do, and so is begun with them. */
function bringUpWeb(
  { supervisor, urls, part }: Pick<Options, "supervisor" | "urls" | "part">,
  api: Promise<unknown>,
) {
  const pages = buildPages({ supervisor });
  return part("web", [api, pages], async () => {
    await startWeb({ supervisor, urls });
    return { status: await pages };
  });
}

async function deployContracts({ urls, dir }: Pick<Options, "urls" | "dir">) {
  // Loaded late: the chain library takes half a second, which the engines can use.
  const { seedStack } = await import("./seed-stack.ts");
  return { ...(await seedStack({ urls, dir })), status: "contracts deployed" };
}

export async function bringUp(options: Options): Promise<Deployment> {
  const { supervisor, dir, ports, urls, web, world, part } = options;
  const { postgres, restate, anvil, ipfs } = bringUpEngines({ supervisor, dir, ports, part });
  const simulating = bringUpSimulator({ supervisor, dir, ports, urls, world, part });
  const standIns = bringUpStandIns({ supervisor, urls, part });
  const contracts = part("contracts", [anvil, ipfs], () => deployContracts({ urls, dir }));
  const apps = isPresent("validator")
    ? [
        part("validator", [], async () => {
          await startValidator({ supervisor, urls });
          return { status: "ready" };
        }),
      ]
    : [];
  if (isPresent("api")) {
    const api = part("api", [postgres, restate, contracts, simulating?.world], async () => {
      const [{ identityKey }, deployment] = await Promise.all([restate, contracts]);
      const { nodes } = (await simulating?.world) ?? { nodes: [] };
      // Deadlines of seconds, so that expiry can be tried, and no rate limit for page developers. Callers come through the web
      // app, which forwards their address.
      const env = {
        ...{ MINIMUM_DEADLINE_SECONDS: "1", UI_URL: urls.web, TRUSTED_PROXIES: "127.0.0.1" },
        RPC_URLS: [`${deployment.chainId}=${urls.anvil}`, ...nodes].join(","),
      };
      const child = await startApi({ supervisor, urls, identityKey, dir, deployment, env });
      return { child, status: "ready" };
    });
    const worker = part("worker", [api], async () => {
      await registerWorker({ supervisor, urls, api: (await api).child });
      return { status: "registered with Restate" };
    });
    const orion = part("orion", [worker], async () => {
      const [{ identityKey }, deployment] = await Promise.all([restate, contracts]);
      const env: Record<string, string> = simulating === undefined ? {} : { SIMULATOR_URL: urls.simulator };
      const child = await startOrion({ supervisor, urls, identityKey, dir, deployment, env });
      await registerOrion({ supervisor, urls, orion: child });
      return { status: "registered with Restate" };
    });
    apps.push(api, worker, orion);
    if (web) apps.push(bringUpWeb({ supervisor, urls, part }, api));
  }
  await Promise.all([
    ...[postgres, restate, anvil, ipfs, contracts, ...standIns, ...apps],
    ...Object.values(simulating ?? {}),
  ]);
  return contracts;
}
