import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { base58btc } from "multiformats/bases/base58";
import { engineFile } from "./engine-file.ts";
import type { Supervisor } from "./supervisor.ts";
import { fetchOk, waitForListener, waitUntil } from "./wait.ts";

export type RestatePorts = { readonly ingress: number; readonly admin: number; readonly node: number };

export type Restate = {
  readonly ingressUrl: string;
  readonly adminUrl: string;
  /** The public key of the server, in the form the SDK's `identityKeys` takes. */
  readonly identityKey: string;
  readonly version: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
  /** Accepted work survives a restart with the same folder and ports. */
  readonly kill: () => Promise<void>;
};

type Options = { readonly supervisor: Supervisor; readonly dir: string; readonly ports: RestatePorts };

/** One of several nodes. Each record is on two of them, so that one may be away. */
type Membership = {
  /** From 1. The first one sets the cluster up. */
  readonly number: number;
  /** Of all nodes, this one included. */
  readonly nodePorts: readonly number[];
};

type NodeOptions = Options & {
  /** Undefined for a single node. */
  readonly member?: Membership;
  /** The key that all nodes of a cluster sign their calls with. */
  readonly keyFile: string;
};

const packageName = "@restatedev/restate-server-linux-x64";

/**
 * It looks up api.github.com once at each start, telemetry or not, and goes on when there is no answer (one ERROR line of
 * `octocrab` in its log). No setting prevents that.
 */
export async function startRestate(options: Options): Promise<Restate> {
  mkdirSync(options.dir, { recursive: true });
  return startNode({ ...options, keyFile: ensureIdentityKey(options.dir) });
}

async function startNode(options: NodeOptions): Promise<Restate> {
  const { supervisor, dir, ports, keyFile, member } = options;
  mkdirSync(dir, { recursive: true });
  const configFile = join(dir, "restate.toml");
  writeFileSync(configFile, describeConfig(options));
  const child = supervisor.start({
    name: member === undefined ? "restate" : `restate-${member.number}`,
    command: engineFile(packageName, "bin/restate-server"),
    args: ["--no-logo", "--config-file", configFile],
    cwd: dir,
    env: { DO_NOT_TRACK: "1" },
  });
  const adminUrl = `http://127.0.0.1:${ports.admin}`;
  const ingressUrl = `http://127.0.0.1:${ports.ingress}`;
  for (const port of [ports.node, ports.admin, ports.ingress]) await waitForListener(child, port);
  await waitUntil("Restate's admin API answers", () => fetchOk(`${adminUrl}/health`), { child });
  await waitUntil("Restate's ingress answers", () => fetchOk(`${ingressUrl}/restate/health`), { child });
  return {
    ingressUrl,
    adminUrl,
    identityKey: describeIdentity(keyFile),
    version: readVersion(),
    pid: child.pid,
    stop: child.stop,
    kill: child.kill,
  };
}

type Config = Pick<NodeOptions, "dir" | "ports" | "keyFile" | "member">;

/** Exactly one node sets the cluster up. All of them keep its metadata, and each record is on two. */
const describeMembership = ({ nodePorts }: Membership): string => `
default-replication = 2

[metadata-client]
type = "replicated"
addresses = ${JSON.stringify(nodePorts.map((port) => `http://127.0.0.1:${port}`))}

[bifrost]
default-provider = "replicated"
`;

const describeConfig = ({ dir, ports, keyFile, member }: Config): string => `# Written at each start.
# The names are part of the stored data; left out, they would follow the machine's host name.
node-name = "${member === undefined ? "countersign" : `n${member.number}`}"
cluster-name = "countersign"
# A relative path would be taken from the working directory.
base-dir = ${JSON.stringify(join(dir, "data"))}
bind-address = "127.0.0.1:${ports.node}"
advertised-address = "http://127.0.0.1:${ports.node}"
# By default it opens unix sockets, too, whose path length is limited.
listen-mode = "tcp"
auto-provision = ${member === undefined || member.number === 1}
disable-telemetry = true
log-disable-ansi-codes = true
# Fixed at the first start; 24 by default, which is for a cluster.
default-num-partitions = 4
rocksdb-total-memory-size = "256 MiB"
shutdown-timeout = "5s"
${member === undefined ? "" : describeMembership(member)}
[admin]
bind-address = "127.0.0.1:${ports.admin}"
advertised-address = "http://127.0.0.1:${ports.admin}"
disable-web-ui = true

[ingress]
bind-address = "127.0.0.1:${ports.ingress}"
advertised-address = "http://127.0.0.1:${ports.ingress}"

[worker.invoker]
# It signs its calls to our handlers, so that they can refuse everybody else's.
request-identity-private-key-pem-file = ${JSON.stringify(keyFile)}

# By default an invocation is PAUSED after 70 attempts, silently, until an operator resumes it; and the pause between
# attempts grows to a minute, so that work comes back long after the worker did.
[default-retry-policy]
initial-interval = "100ms"
max-interval = "2s"
max-attempts = "unlimited"
`;

/** Made once: handlers know the engine by this key, so it must outlive a restart. */
function ensureIdentityKey(dir: string): string {
  const file = join(dir, "identity-key.pem");
  if (existsSync(file)) return file;
  const { privateKey } = generateKeyPairSync("ed25519");
  writeFileSync(`${file}.unfinished`, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  renameSync(`${file}.unfinished`, file);
  return file;
}

function describeIdentity(keyFile: string): string {
  const publicKey = createPublicKey(createPrivateKey(readFileSync(keyFile, "utf8")));
  // The JWK's `x` is the bare 32 bytes, without the wrapping that the other formats put around them.
  const bytes = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  return `publickeyv1_${base58btc.baseEncode(bytes)}`;
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(engineFile(packageName, "package.json"), "utf8")) as {
    version: string;
  };
  return version;
}

export type RestateCluster = {
  /** In the order of their numbers. A killed one keeps its place. */
  readonly nodes: () => readonly Restate[];
  readonly identityKey: string;
  /** Nodes are numbered from 0. */
  readonly kill: (node: number) => Promise<void>;
  readonly start: (node: number) => Promise<void>;
};

type ClusterOptions = Omit<Options, "ports"> & { readonly ports: readonly RestatePorts[] };

/** Starts several nodes that are one engine. */
export async function startRestateCluster({
  supervisor,
  dir,
  ports,
}: ClusterOptions): Promise<RestateCluster> {
  mkdirSync(dir, { recursive: true });
  const keyFile = ensureIdentityKey(dir);
  const nodePorts = ports.map(({ node }) => node);
  const start = (of: RestatePorts, index: number): Promise<Restate> =>
    startNode({
      ...{ supervisor, keyFile, ports: of, dir: join(dir, `n${index + 1}`) },
      member: { number: index + 1, nodePorts },
    });
  const nodes = await Promise.all(ports.map(start));
  return {
    nodes: () => nodes,
    identityKey: describeIdentity(keyFile),
    kill: async (node) => nodes[node]?.kill(),
    start: async (node) => {
      const of = ports[node];
      if (of !== undefined) nodes[node] = await start(of, node);
    },
  };
}
