// Our own processes, several of each kind. They reach each other through balancers.
import type { Deployment } from "@countersign/contracts/deploy";
import { startApi, startOrion, startValidator } from "../dev/apps.ts";
import type { DataDir } from "../dev/data-dir.ts";
import { databaseName, type StackUrls } from "../dev/parts.ts";
import { freePorts } from "../engines/ports.ts";
import { asService } from "../engines/postgres.ts";
import type { RestatePorts } from "../engines/restate.ts";
import type { Child, Supervisor } from "../engines/supervisor.ts";
import { startBalancer, type Balancer } from "./balancer.ts";
import type { Engines } from "./engines.ts";

export type Environment = Readonly<Record<string, string>>;

/** In the order in which they are started. */
export const kinds = ["validator", "worker", "api", "orion"] as const;
export type Kind = (typeof kinds)[number];

/** One process of ours. */
export type Member = {
  readonly kind: Kind;
  readonly name: string;
  /** Where it listens. Orion has a second one, for the engine. */
  readonly ports: readonly [number, number];
  /** Starts it with the code of that checkout, or that of the last time. */
  readonly start: (checkout?: string) => Promise<void>;
  /** Asks it to stop, as an orchestrator does. */
  readonly stop: () => Promise<void>;
  /** Ends it as a power cut would. */
  readonly kill: () => Promise<void>;
};

/** Everything that all of them share. */
export type Ground = {
  readonly supervisor: Supervisor;
  readonly dir: DataDir;
  readonly deployment: Deployment;
  readonly engines: Engines;
  /** As the processes reach each other. */
  readonly urls: StackUrls;
  /** Settings of every process, in place of the usual ones. */
  readonly env: Environment;
};

const many = "100000000";
/** Limits are not what drills are about. */
const noLimits: Environment = {
  TRANSACTIONS_PER_MINUTE_PER_IP: many,
  TRANSACTIONS_PER_MINUTE_PER_USER: many,
  TRANSACTIONS_PER_MINUTE_PER_KEY: many,
  READS_PER_MINUTE_PER_IP: many,
  REQUESTS_PER_MINUTE_PER_IP: many,
};

const at = (port: number): string => `http://127.0.0.1:${port}`;

function settingsOf(kind: Kind, { deployment, engines, urls, env }: Ground): Environment {
  const { providerUrls, redisUrl, postgres } = engines;
  if (kind === "validator") return { VALIDATE_WORKERS: "1", ...env };
  if (kind === "orion") return { RPC_URL: providerUrls.join(","), ...env };
  const database = postgres.url(databaseName);
  return {
    ...{ ...noLimits, ROLE: kind === "api" ? "http" : "worker", BASE_URL: urls.api, REDIS_URL: redisUrl },
    ...{ DATABASE_URL: asService(database), DATABASE_MIGRATION_URL: database },
    RPC_URLS: providerUrls.map((url) => `${deployment.chainId}=${url}`).join(","),
    ...env,
  };
}

type Begin = Pick<Member, "kind" | "name" | "ports"> & { readonly checkout: string | undefined };

/** Its own addresses take the place of the balancers', so that it listens there. */
function begin(ground: Ground, { kind, name, ports: [first, second], checkout }: Begin): Promise<Child> {
  const { supervisor, dir, deployment, engines, urls } = ground;
  const own = {
    validator: { validator: at(first) },
    orion: { orion: at(first), orionWorker: at(second) },
    api: { api: at(first) },
    worker: { worker: at(first) },
  }[kind];
  const start = { validator: startValidator, orion: startOrion, api: startApi, worker: startApi }[kind];
  return start({
    ...{ supervisor, dir, deployment, name, identityKey: engines.restate.identityKey },
    ...{ urls: { ...urls, ...own }, env: settingsOf(kind, ground) },
    ...(checkout === undefined ? {} : { checkout }),
  });
}

export async function makeMember(ground: Ground, kind: Kind, name: string): Promise<Member> {
  const [first = 0, second = 0] = await freePorts(2);
  const ports = [first, second] as const;
  let child: Child | undefined;
  let running: string | undefined;
  return {
    ...{ kind, name, ports },
    start: async (checkout = running) => {
      running = checkout;
      child = await begin(ground, { kind, name, ports, checkout });
    },
    stop: async () => child?.stop(),
    kill: async () => child?.kill(),
  };
}

export type Balancers = Readonly<Record<Kind | "engine" | "orionWorker", Balancer>>;

export async function startBalancers(restatePorts: readonly RestatePorts[]): Promise<Balancers> {
  const ready = { targets: [], readyPath: "/ready" };
  // Orion is ready once the engine has reached it, so it has to be reachable before. Workers have no such path here.
  const any = { targets: [] };
  const ingress = restatePorts.map((ports) => ports.ingress);
  const [api, validator, worker, orion, orionWorker, engine] = await Promise.all([
    ...[startBalancer(ready), startBalancer(ready), startBalancer(any), startBalancer(any)],
    ...[startBalancer(any), startBalancer({ targets: ingress, readyPath: "/restate/health" })],
  ] as const);
  return { api, validator, worker, orion, orionWorker, engine };
}

/** Lets the balancers use these processes, and no others. */
export function route(balancers: Balancers, members: readonly Member[]): void {
  const portsOf = (kind: Kind, which: 0 | 1): readonly number[] =>
    members.flatMap((member) => (member.kind === kind ? [member.ports[which]] : []));
  for (const kind of kinds) balancers[kind].setTargets(portsOf(kind, 0));
  balancers.orionWorker.setTargets(portsOf("orion", 1));
}
