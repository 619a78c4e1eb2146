import { randomBytes } from "node:crypto";
import pg from "pg";
import type { Clock } from "@countersign/platform/clock";
import { restSurface } from "@countersign/platform/errors";
import { makeMetrics, makeService, type ServiceOptions } from "@countersign/platform/http";
import { newId } from "@countersign/platform/ids";
import { makeLog } from "@countersign/platform/log";
import { makeTestDatabase, waitUntil } from "@countersign/tools/testing";
import { makeAccountStore } from "../src/accounts/index.ts";
import { connectDatabase, type Database } from "../src/platform/db/connect.ts";
import { statusOfPhase, type Phase } from "../src/transactions/index.ts";
import { makeFindServiceByKey } from "../src/directory/find-service-by-key.ts";
import { makeAgentReader } from "../src/directory/read-agent.ts";
import { makeRollUp } from "../src/directory/roll-up.ts";
import { agentRoutes } from "../src/directory/routes-agents.ts";
import { serviceRoutes } from "../src/directory/routes-services.ts";
import { makeAgentStore } from "../src/directory/store/agents.ts";
import { makeRollUpStore } from "../src/directory/store/roll-up.ts";
import { makeServiceStore, type ServiceStore } from "../src/directory/store/services.ts";
import { makeHasPublicProfile } from "../src/settings/settings.ts";
import { makeSettingsStore } from "../src/settings/store.ts";

const silent = makeLog({ app: "api", level: "silent" });

export type TestDirectory = {
  readonly url: string;
  readonly database: Database;
  readonly client: pg.Client;
  readonly services: ServiceStore;
  readonly rollUp: () => Promise<number>;
  /**
   * Rolls up until no event is left, and returns how many were counted. Events newer than the oldest open
   * transaction in the cluster have to wait.
   */
  readonly countAll: () => Promise<number>;
  readonly get: (url: string, remoteAddress?: string) => Promise<TestAnswer>;
  /** Sends a request to a service whose default limit is `strictLimit` requests per minute. */
  readonly getStrict: (url: string, remoteAddress: string) => Promise<{ readonly statusCode: number }>;
  readonly close: () => Promise<void>;
};

type TestAnswer = {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the signature of the framework's injected responses
  readonly json: <T = unknown>() => T;
};

const strictLimit = 3;

/** Starts the directory's endpoints on a separate database. */
export async function aTestDirectory(clock?: Clock): Promise<TestDirectory> {
  const { url, drop } = await makeTestDatabase();
  const database = connectDatabase({ url, poolSize: 8, log: silent });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const services = makeServiceStore(database.db);
  const agents = makeAgentReader({
    accounts: makeAccountStore(database.db),
    store: makeAgentStore(database.db),
    isPublic: makeHasPublicProfile({ store: makeSettingsStore(database.db) }),
    clock: clock ?? { now: () => new Date() },
  });
  const options: ServiceOptions = {
    title: "directory",
    description: "",
    version: "1",
    baseUrl: "https://api.example",
    surface: restSurface,
    log: silent,
    metrics: makeMetrics("api"),
    routes: [
      ...serviceRoutes({ store: services, findServiceByKey: makeFindServiceByKey({ store: services }) }),
      ...agentRoutes({ agents, baseUrl: "https://api.example", watchedChains: new Set([11_155_111]) }),
    ],
  };
  const service = await makeService(options);
  const strict = await makeService({ ...options, requestsPerMinutePerIp: strictLimit });
  const rollUp = makeRollUp({ store: makeRollUpStore(database.db) });
  let asked = 0;
  return {
    url,
    database,
    client,
    services,
    rollUp,
    countAll: async () => {
      let count = 0;
      await waitUntil("all events are counted", async () => {
        count += await rollUp();
        const { rows } = await client.query<{ left: boolean }>(
          `select exists (select from account_events e, agent_counts_cursor c where (e.xid, e.id) > (c.xid, c.id)) as left`,
        );
        return rows[0]?.left === false;
      });
      return count;
    },
    get: (path, remoteAddress = `10.4.${++asked >> 8}.${asked & 255}`) =>
      service.inject({ url: path, remoteAddress }),
    getStrict: (path, remoteAddress) => strict.inject({ url: path, remoteAddress }),
    close: async () => {
      await service.close();
      await strict.close();
      await client.end();
      await database.close();
      await drop();
    },
  };
}

/**
 * Exceeds the limit per address of a directory with a small default limit by one request, and returns the status of
 * that request. Throws if a request within the limit returned 429.
 */
export async function exceed({ getStrict }: TestDirectory, url: string): Promise<number> {
  const from = `10.5.0.${randomBytes(1)[0] ?? 0}`;
  for (let count = 1; count <= strictLimit; count++) {
    const { statusCode } = await getStrict(url, from);
    if (statusCode === 429) throw new Error(`request ${count} of ${strictLimit} returned 429`);
  }
  return (await getStrict(url, from)).statusCode;
}

type Hex = `0x${string}`;
export const anAddress = (): Hex => `0x${randomBytes(20).toString("hex")}`;
export const aHash = (): Hex => `0x${randomBytes(32).toString("hex")}`;
export const bytesOf = (hex: Hex): Buffer => Buffer.from(hex.slice(2), "hex");

export async function anAccount(
  client: pg.Client,
  { since = new Date("2026-01-01T00:00:00Z") } = {},
): Promise<Hex> {
  const account = anAddress();
  await client.query("insert into users (id, account, created_at) values ($1, $2, $3)", [
    newId(),
    account,
    since,
  ]);
  return account;
}

export type NewRow = {
  readonly account: Hex;
  readonly phase?: Phase;
  readonly orion?: "APPROVED" | "REJECTED" | "UNDECIDED" | null;
  readonly protocol?: string | null;
  readonly failureNode?: string | null;
  readonly createdAt?: Date;
  /** Milliseconds from creation to verdict. */
  readonly verdictMs?: number;
  readonly executionHash?: Hex | null;
  /** Additional columns, by name. */
  readonly more?: Readonly<Record<string, unknown>>;
};

/** Inserts a plausible row, without the events that led to it. */
export async function aRow(
  client: pg.Client,
  given: NewRow,
): Promise<{ readonly id: string; readonly requestHash: Hex }> {
  const { account, phase = "RECEIVED", createdAt = new Date(), verdictMs } = given;
  const [id, requestHash] = [newId(), aHash()];
  const columns: Readonly<Record<string, unknown>> = {
    id,
    account,
    escrow: account,
    request_hash: bytesOf(requestHash),
    chain_id: 11_155_111,
    form: "standard",
    proposer: `jwt:${account}`,
    description: "Send 1 wei.",
    to_address: anAddress(),
    value: 1,
    data: Buffer.alloc(0),
    data_hash: Buffer.alloc(32),
    intent_provenance: "agent-claimed",
    deadline: new Date(createdAt.getTime() + 86_400_000),
    salt: Buffer.alloc(32),
    execution_type: 1,
    require_user: false,
    admin_may_approve: false,
    external: true,
    phase,
    orion: given.orion ?? null,
    verdict_fresh: true,
    nonce_held: false,
    final: false,
    late: false,
    execs: 0,
    protocol: given.protocol ?? null,
    failure_node: given.failureNode ?? null,
    verdict_at: verdictMs === undefined ? null : new Date(createdAt.getTime() + verdictMs),
    execution_hash: given.executionHash ? bytesOf(given.executionHash) : null,
    created_at: createdAt,
    updated_at: createdAt,
    ...given.more,
  };
  const names = Object.keys(columns).map((name) => `"${name}"`);
  await client.query(
    `insert into transactions (${names.join(", ")}) values (${names.map((_, index) => `$${index + 1}`).join(", ")})`,
    Object.values(columns),
  );
  await client.query(
    "insert into request_index (request_hash, account, transaction_id) values ($1, $2, $3)",
    [columns["request_hash"], account, id],
  );
  return { id, requestHash };
}

export type NewEvent = {
  readonly account: Hex;
  readonly id: string;
  readonly requestHash: Hex;
  readonly version: number;
  readonly event: string;
  readonly phase: Phase;
  readonly at?: Date;
};

export async function anEvent(
  client: pg.Client,
  { account, id, requestHash, version, event, phase, at = new Date() }: NewEvent,
): Promise<void> {
  await client.query(
    `insert into account_events (account, transaction_id, request_hash, version, event, status, phase, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [account, id, bytesOf(requestHash), version, event, statusOfPhase[phase], phase, at],
  );
}
