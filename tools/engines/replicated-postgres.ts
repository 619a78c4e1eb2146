// Several PostgreSQL servers: a primary, and standbys, one of which must have a commit before it is confirmed. When the
// primary is gone, the standby that has most of its log is promoted.
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { backUpPostgres } from "./postgres-backup.ts";
import { preparePostgresHome, removePostgres } from "./postgres-home.ts";
import { ensureDatabase, startPostgres, withClient, type Postgres } from "./postgres.ts";
import type { Supervisor } from "./supervisor.ts";
import { waitUntil } from "./wait.ts";

export type ReplicatedPostgres = {
  /** With all hosts, in the form that the API takes. */
  readonly url: (database: string) => string;
  /** Of one server. Servers are numbered from 0. */
  readonly urlOf: (server: number, database: string) => string;
  /** The server that takes writes. */
  readonly primary: () => number;
  readonly running: () => readonly number[];
  /** Ends a server as a power cut would. */
  readonly kill: (server: number) => Promise<void>;
  /** Starts a server that was killed, as a standby with a new copy of the primary. */
  readonly rejoin: (server: number) => Promise<void>;
  /** Promotes the standby that has most of the log, and lets the others follow it. Returns which one it is. */
  readonly failOver: () => Promise<number>;
  /** Removes all files. */
  readonly remove: () => void;
};

type Options = {
  readonly supervisor: Supervisor;
  readonly dir: string;
  /** One for each server. */
  readonly ports: readonly number[];
  /** A database to create. */
  readonly database: string;
};

type Server = { readonly number: number; readonly port: number; readonly dir: string };

type State = {
  readonly supervisor: Supervisor;
  readonly servers: readonly Server[];
  readonly running: Map<number, Postgres>;
  primary: number;
};

const nameOf = ({ number }: Server): string => `p${number}`;

const urlOf = ({ port }: Server, database: string): string =>
  `postgres://postgres@127.0.0.1:${port}/${database}`;

function serverOf({ servers }: State, number: number): Server {
  const server = servers[number];
  if (server === undefined) throw new Error(`There is no server ${number}.`);
  return server;
}

/** The same for each, so that any of them can become the primary. None is its own standby. */
const sharedSettings = ({ servers }: State): readonly string[] => [
  ...["wal_log_hints=on", "wal_keep_size=1GB", "synchronous_commit=on"],
  `synchronous_standby_names=ANY 1 (${servers.map(nameOf).join(", ")})`,
];

/** Starts a server, as a standby of the current primary unless it is that itself. */
async function startServer(state: State, server: Server): Promise<void> {
  const primary = serverOf(state, state.primary);
  const following =
    server === primary
      ? []
      : [
          `primary_conninfo=host=127.0.0.1 port=${primary.port} user=postgres application_name=${nameOf(server)}`,
        ];
  const { supervisor } = state;
  const started = await startPostgres({
    ...{ supervisor, dir: server.dir, port: server.port, name: `postgres-${nameOf(server)}` },
    settings: [...sharedSettings(state), ...following],
  });
  state.running.set(server.number, started);
}

async function stopServer(state: State, { number }: Server, how: "stop" | "kill"): Promise<void> {
  await state.running.get(number)?.[how]();
  state.running.delete(number);
}

async function rejoin(state: State, server: Server): Promise<void> {
  await stopServer(state, server, "kill");
  const primary = state.running.get(state.primary);
  if (primary === undefined) throw new Error("There is no primary to copy.");
  // A killed server's own children may outlive it for a moment.
  const { cluster } = preparePostgresHome(server.dir);
  await backUpPostgres({
    ...{ url: primary.url("postgres"), from: primary.cluster, to: cluster, isArchived: false },
  });
  writeFileSync(join(cluster, "standby.signal"), "");
  await waitUntil(`${nameOf(server)} follows ${nameOf(serverOf(state, state.primary))}`, async () => {
    await startServer(state, server);
    return true;
  });
  await untilFollowed(state, server);
}

/** Returns once the primary counts on it. */
const untilFollowed = (state: State, server: Server): Promise<unknown> =>
  waitUntil(`${nameOf(server)} is a standby that commits wait for`, () =>
    withClient(urlOf(serverOf(state, state.primary), "postgres"), async (client) => {
      const { rowCount } = await client.query(
        "select from pg_stat_replication where application_name = $1 and sync_state = 'quorum'",
        [nameOf(server)],
      );
      return rowCount === 1;
    }),
  );

/** How much of the log a standby has on disk. Undefined if it does not answer. */
async function readPosition(server: Server): Promise<bigint | undefined> {
  try {
    return await withClient(urlOf(server, "postgres"), async (client) => {
      const { rows } = await client.query<{ position: string }>(
        `select (greatest(coalesce(pg_last_wal_receive_lsn(), '0/0'), coalesce(pg_last_wal_replay_lsn(), '0/0'))
           - '0/0'::pg_lsn)::text as position`,
      );
      return BigInt(rows[0]?.position ?? "0");
    });
  } catch {
    return undefined;
  }
}

/**
 * A commit is confirmed once one of the standbys has it, so all of them are asked. With one of several missing, the
 * others might lack a confirmed commit: then nothing is promoted.
 */
async function failOver(state: State): Promise<number> {
  const standbys = state.servers.filter(({ number }) => number !== state.primary);
  await stopServer(state, serverOf(state, state.primary), "kill");
  const found = await Promise.all(
    standbys.map(async (server) => ({ server, position: await readPosition(server) })),
  );
  const known = found.flatMap(({ server, position }) =>
    position === undefined ? [] : [{ server, position }],
  );
  if (known.length < standbys.length)
    throw new Error("A standby is missing, and may be the one that has most.");
  const [first, ...others] = known.toSorted((one, other) => (one.position < other.position ? 1 : -1));
  if (first === undefined) throw new Error("There is no standby.");
  await withClient(urlOf(first.server, "postgres"), (client) => client.query("select pg_promote(true, 30)"));
  state.primary = first.server.number;
  for (const { server } of others) {
    await stopServer(state, server, "stop");
    await startServer(state, server);
  }
  return state.primary;
}

export async function startReplicatedPostgres(options: Options): Promise<ReplicatedPostgres> {
  const { supervisor, dir, ports, database } = options;
  const servers = ports.map((port, number): Server => ({ number, port, dir: join(dir, `p${number}`) }));
  const state: State = { supervisor, servers, running: new Map(), primary: 0 };
  await startServer(state, serverOf(state, 0));
  for (const server of servers.slice(1)) await rejoin(state, server);
  await ensureDatabase(urlOf(serverOf(state, 0), "postgres"), database);
  return {
    url: (name) => `postgres://postgres@${ports.map((port) => `127.0.0.1:${port}`).join(",")}/${name}`,
    urlOf: (server, name) => urlOf(serverOf(state, server), name),
    primary: () => state.primary,
    running: () => [...state.running.keys()],
    kill: (server) => stopServer(state, serverOf(state, server), "kill"),
    rejoin: (server) => rejoin(state, serverOf(state, server)),
    failOver: () => failOver(state),
    remove: () => {
      for (const server of servers) removePostgres(server.dir);
      if (existsSync(dir)) rmSync(dir, { recursive: true, force: true });
    },
  };
}
