import { systemClock, type Clock } from "@countersign/platform/clock";
import { connectEngine, type Engine, type Flow } from "@countersign/platform/engine";
import { restSurface } from "@countersign/platform/errors";
import {
  makeHealth,
  makeLocalLimiter,
  makeMetrics,
  makeSharedLimiter,
  open,
  operatorRoutes,
  type AuthRule,
  type HealthCheck,
  type Limiter,
  type Metrics,
  type Route,
  type ServiceOptions,
} from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import type { Running } from "@countersign/platform/process";
import { connectIpfs } from "../adapters/ipfs/index.ts";
import {
  contractWalletLimit,
  limitQuestions,
  makeWallets,
  type LimitedWallets,
} from "../adapters/wallets/index.ts";
import { adminKey } from "../api-keys/index.ts";
import { makeAgents } from "./agents.ts";
import { makeContacts } from "./contacts.ts";
import { makeCustody } from "./custody.ts";
import { makeDirectory } from "./directory.ts";
import { makeExport } from "./export.ts";
import { makeServiceStore, rememberServices } from "../directory/index.ts";
import { makeIdentity } from "./identity.ts";
import { makeMandates } from "./mandates.ts";
import { makeMcp } from "./mcp.ts";
import { measureStages } from "./measures.ts";
import { makeNotifications } from "./notifications.ts";
import { makePolicies } from "./policies.ts";
import { makePrices } from "./prices.ts";
import { makeRetention } from "./retention.ts";
import { makeOAuth } from "./oauth.ts";
import { makeQuorums } from "./quorums.ts";
import { makeTransactions } from "./transactions.ts";
import { verificationFlow } from "../transactions/transaction.ts";
import { makeTry } from "./try.ts";
import { baseUrlOf, type Config } from "../config.ts";
import { healthRoutes } from "../health/routes.ts";
import { webhookMessages } from "../notifications/views.ts";
import { connectDatabase, type Database, type Db } from "../platform/db/connect.ts";
import { makeFlows, makeFlowStore, type FlowStore, type Flows } from "../platform/flows/index.ts";
import { isLoopback } from "../platform/is-loopback.ts";
import { loadKeks, makeSecretStore } from "../platform/secrets/index.ts";

/** The API version that the specification fixes. */
const version = "1.0";

const about = {
  title: "Countersign",
  description:
    "Records proposed transactions with the request they were made for, has them verified, and stores the decisions.",
  version,
};

/** The whole process, wired but not listening yet. */
export type App = {
  readonly routes: readonly Route[];
  readonly durableFlows: readonly Flow[];
  readonly flows: Flows;
  /** The options that every listener of the service shares. */
  readonly service: Omit<ServiceOptions, "routes">;
  /** Writes the rows that must exist before the first request. */
  readonly prepare: () => Promise<void>;
  /** Retries stalled work and deletes expired rows. Returns how many rows changed. */
  readonly sweep: () => Promise<number>;
  /** Starts a worker's background tasks other than flows and sweeps. */
  readonly startWork: () => readonly Running[];
  /** Sends callers elsewhere. Their requests are still answered. */
  readonly startDraining: () => void;
  /** Ends event streams and long polls, which would otherwise delay the end. */
  readonly endWaits: () => void;
  readonly close: () => Promise<void>;
};

type Limits = {
  readonly limiter: Limiter;
  readonly checks: readonly HealthCheck[];
  readonly close: () => void;
};

/** Shares the limits with other processes through Redis if it is configured. Otherwise each process counts alone. */
function chooseLimits({ REDIS_URL: redisUrl }: Config, clock: Clock, log: Log): Limits {
  if (redisUrl === undefined) return { limiter: makeLocalLimiter(clock), checks: [], close: () => undefined };
  const limiter = makeSharedLimiter({ redisUrl, app: "api", clock, log });
  // Not required: without Redis each process still enforces the limits on its own.
  const check = { name: "limits", required: false, run: limiter.probe };
  return { limiter, checks: [check], close: limiter.close };
}

function measureFlows(store: FlowStore, metrics: Metrics): void {
  metrics.gauge("flows_waiting", "Durable work accepted but not yet handed to the engine.", () =>
    store.countByStatus("accepted"),
  );
  metrics.gauge("flows_running", "Durable work in progress.", () => store.countByStatus("started"));
  metrics.gauge("flows_parked", "Durable work that gave up and waits for the operator.", () =>
    store.countByStatus("parked"),
  );
}

/** Runs the tasks one after another and returns the sum of their results. */
const inTurn =
  (...sweeps: readonly (() => Promise<number>)[]) =>
  async (): Promise<number> => {
    let count = 0;
    for (const sweep of sweeps) count += await sweep();
    return count;
  };

type Connected = { readonly engine: Engine; readonly flowStore: FlowStore; readonly flows: Flows };

function connectFlows(config: Config, db: Db, metrics: Metrics, log: Log): Connected {
  const engine = connectEngine({ app: "api", ingressUrl: config.ENGINE_INGRESS_URL });
  const flowStore = makeFlowStore(db);
  measureFlows(flowStore, metrics);
  return {
    engine,
    flowStore,
    flows: makeFlows({ store: flowStore, engine, log, groups: [verificationFlow] }),
  };
}

/** Asking a contract wallet is expensive, so it is counted against the address that causes it. */
const connectWallets = (config: Config, limiter: Limiter, log: Log): LimitedWallets =>
  limitQuestions(makeWallets({ rpcUrls: config.RPC_URLS, log }), async (ip) =>
    limiter.count({ limit: contractWalletLimit, route: contractWalletLimit.counts, key: ip }),
  );

const checksOf = (
  config: Config,
  database: Database,
  engine: Engine,
  more: readonly HealthCheck[],
): readonly HealthCheck[] => [
  { name: "database", required: true, run: database.ping },
  // Not required: work is accepted without the engine and starts when the engine is back.
  { name: "engine", required: false, run: engine.probe },
  // Not required: proposals are accepted and published when IPFS is back.
  { name: "ipfs", required: false, run: connectIpfs(config).probe },
  ...more,
];

/**
 * Metrics name every route and its traffic. They are public on a separate port, and on a service that only
 * this machine reaches. A public address in front of a loopback listener means a proxy, which would forward
 * /metrics.
 */
const metricsAuthOf = (config: Config): AuthRule<unknown> =>
  config.INTERNAL_PORT !== undefined ||
  (isLoopback(config.HOST) && isLoopback(new URL(baseUrlOf(config)).host))
    ? open
    : adminKey;

type Common = Parameters<typeof makeIdentity>[0];

/** The slices that answer requests, each after those it depends on. */
function makeSlices(common: Common & Replaced & { readonly metrics: Metrics }, limiter: Limiter) {
  const identity = makeIdentity(common);
  const oauth = makeOAuth({ ...common, tokenKeys: identity.tokenKeys });
  const custody = makeCustody(common);
  const quorums = makeQuorums(common);
  // One for the whole process: what mirrors the registry ends the cache of those that propose and decide.
  const services = rememberServices(makeServiceStore(common.db));
  const transactions = makeTransactions({
    ...common,
    services,
    keepers: { custody: custody.offered, quorums: quorums.offered },
  });
  const mcp = makeMcp({ ...common, limiter, transactions: transactions.offered });
  const directory = makeDirectory({ ...common, services });
  const notifications = makeNotifications(common);
  const [policies, prices] = [makePolicies(common), makePrices(common)];
  return {
    routes: [
      identity,
      oauth,
      transactions,
      mcp,
      directory,
      custody,
      quorums,
      notifications,
      makeAgents(common),
      makeContacts({ ...common, transactions: transactions.offered.store }),
      makeExport({ ...common, transactions: transactions.offered.store }),
      makeMandates({ ...common, approvedUnder: transactions.offered.reopen }),
      policies,
      prices,
      makeTry(common),
    ].flatMap(({ routes }) => routes),
    authenticators: [...identity.authenticators, oauth.authenticator],
    durableFlows: [...identity.durableFlows, ...transactions.durableFlows, ...notifications.durableFlows],
    prepare: async () => {
      await Promise.all([identity.prepare(), policies.prepare()]);
    },
    sweep: inTurn(transactions.sweep, oauth.sweep, mcp.sweep, makeRetention(common)),
    startWork: () => [transactions, directory, notifications, prices].map((slice) => slice.startWork()),
    endWaits: transactions.endWaits,
    close: async () => {
      await mcp.close();
      await policies.close();
      await transactions.close();
    },
  };
}

/** Parts that tests replace because the real ones take seconds. */
export type Replaced = Pick<Parameters<typeof makeCustody>[0], "makeCustodyKey">;

/** The composition root: creates the parts in reading order and passes them to their users. */
export function makeApp(config: Config, log: Log, { makeCustodyKey }: Replaced = {}): App {
  const clock = systemClock;
  const baseUrl = baseUrlOf(config);
  const metrics = makeMetrics("api");

  const database = connectDatabase({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL_SIZE, log });
  metrics.gauge("database_connections", "Connections held by this process.", database.connections);

  const { engine, flowStore, flows } = connectFlows(config, database.db, metrics, log);
  const { limiter, ...limits } = chooseLimits(config, clock, log);
  const secrets = makeSecretStore({ db: database.db, keks: () => loadKeks(config, log) });
  measureStages({ config, db: database.db, clock, metrics, secrets });
  const wallets = connectWallets(config, limiter, log);
  const common = { config, db: database.db, clock, log, flowStore, flows, secrets, wallets };
  const slices = makeSlices({ ...common, metrics, makeCustodyKey }, limiter);

  const health = makeHealth({ clock, log, checks: checksOf(config, database, engine, limits.checks) });

  return {
    routes: [
      ...healthRoutes({ health, version, baseUrl }),
      ...slices.routes,
      ...operatorRoutes({ health, metrics, metricsAuth: metricsAuthOf(config) }),
    ],
    durableFlows: slices.durableFlows,
    flows,
    service: {
      ...about,
      baseUrl,
      surface: restSurface,
      webhooks: webhookMessages,
      log,
      metrics,
      clock,
      limiter,
      requestsPerMinutePerIp: config.REQUESTS_PER_MINUTE_PER_IP,
      authenticators: slices.authenticators,
      uiOrigin: new URL(config.UI_URL).origin,
      trustedProxies: config.TRUSTED_PROXIES,
      isDraining: health.isDraining,
    },
    prepare: slices.prepare,
    sweep: inTurn(flows.sweep, slices.sweep),
    startWork: slices.startWork,
    startDraining: health.startDraining,
    endWaits: slices.endWaits,
    close: async () => {
      await slices.close();
      limits.close();
      await database.close();
    },
  };
}
