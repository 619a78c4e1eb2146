import { chownSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { preparePostgresHome, type PostgresHome } from "./postgres-home.ts";
import type { Supervisor } from "./supervisor.ts";
import { waitForListener, waitUntil } from "./wait.ts";

export type Postgres = {
  readonly url: (database: string) => string;
  readonly version: string;
  /** Where it keeps its files. */
  readonly cluster: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
  readonly kill: () => Promise<void>;
};

type Options = {
  readonly supervisor: Supervisor;
  readonly dir: string;
  readonly port: number;
  /** False for tests: several times faster, and a power cut loses the lot. */
  readonly durable?: boolean;
  /** Further settings of the server, such as `track_io_timing=on`. */
  readonly settings?: readonly string[];
  /** Of the process and its log. Default: postgres. */
  readonly name?: string;
};

const hasty = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

export async function startPostgres(options: Options): Promise<Postgres> {
  const { supervisor, dir, port, durable = true, name = "postgres" } = options;
  const home = preparePostgresHome(dir);
  if (!existsSync(home.cluster)) await makeCluster(supervisor, home, durable);
  const settings = [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    // Empty: otherwise a socket and a lock file appear in /tmp, where two clusters on one port number meet.
    "unix_socket_directories=",
    "timezone=UTC",
    ...(durable ? [] : hasty),
    ...(options.settings ?? []),
  ];
  const child = supervisor.start({
    name,
    command: join(home.bin, "postgres"),
    args: ["-D", home.cluster, ...settings.flatMap((setting) => ["-c", setting])],
    cwd: home.home,
    env: home.env,
    // Its fast shutdown. SIGTERM would wait for every client to disconnect.
    stopSignal: "SIGINT",
    as: home.user,
  });
  const url = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`;
  await waitForListener(child, port);
  const version = await waitUntil("PostgreSQL answers", () => readVersion(url("postgres")), { child });
  return { url, version, cluster: home.cluster, pid: child.pid, stop: child.stop, kill: child.kill };
}

/** Created under a temporary name and renamed: initdb writes its marker file early and may be interrupted afterwards. */
async function makeCluster(supervisor: Supervisor, home: PostgresHome, durable: boolean): Promise<void> {
  const unfinished = `${home.cluster}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  if (home.user !== undefined) chownSync(unfinished, home.user.uid, home.user.gid);
  // Trust, because it listens on loopback only; not a user's choice of locale, so that order by is the same everywhere.
  const options = [
    "--username=postgres",
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C.UTF-8",
    "--no-instructions",
  ];
  const isMade = await supervisor.run({
    name: "postgres-initdb",
    command: join(home.bin, "initdb"),
    args: ["--pgdata", unfinished, ...options, ...(durable ? [] : ["--no-sync"])],
    cwd: home.home,
    env: home.env,
    as: home.user,
  });
  if (!isMade)
    throw new Error(
      `PostgreSQL could not make its data folder. See ${supervisor.logFile("postgres-initdb")}`,
    );
  renameSync(unfinished, home.cluster);
}

async function readVersion(url: string): Promise<string> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ server_version: string }>("show server_version");
    return rows[0]?.server_version ?? "unknown";
  });
}

/** Creates the database unless it is there. */
export async function ensureDatabase(url: string, name: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  });
}

/** The role that apps/api runs with in development and tests. It owns nothing. */
export const serviceRole = "countersign_api";

/** Creates the service's role unless the cluster has it. */
export async function ensureServiceRole(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rowCount } = await client.query("select from pg_roles where rolname = $1", [serviceRole]);
    if (rowCount === 0) await client.query(`create role ${serviceRole} login`);
  });
}

/** The same database, as the service's role. The URL may have several hosts. */
export const asService = (url: string): string => url.replace(/(?<=^postgres:\/\/)[^@]+(?=@)/, serviceRole);

/** One connection for one piece of work. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // A server that goes away while the client is idle must not take this process with it.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
