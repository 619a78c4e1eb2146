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

const packageName = "@restatedev/restate-server-linux-x64";

/**
 * It looks up api.github.com once at each start, telemetry or not, and goes on when there is no answer (one ERROR line of
 * `octocrab` in its log). No setting prevents that.
 */
export async function startRestate({ supervisor, dir, ports }: Options): Promise<Restate> {
  mkdirSync(dir, { recursive: true });
  const keyFile = ensureIdentityKey(dir);
  const configFile = join(dir, "restate.toml");
  writeFileSync(configFile, describeConfig({ dir, ports, keyFile }));
  const child = supervisor.start({
    name: "restate",
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

type Config = { readonly dir: string; readonly ports: RestatePorts; readonly keyFile: string };

const describeConfig = ({ dir, ports, keyFile }: Config): string => `# Written at each start.
# The names are part of the stored data; left out, they would follow the machine's host name.
node-name = "countersign"
cluster-name = "countersign"
# A relative path would be taken from the working directory.
base-dir = ${JSON.stringify(join(dir, "data"))}
bind-address = "127.0.0.1:${ports.node}"
advertised-address = "http://127.0.0.1:${ports.node}"
# By default it opens unix sockets, too, whose path length is limited.
listen-mode = "tcp"
auto-provision = true
disable-telemetry = true
log-disable-ansi-codes = true
# Fixed at the first start; 24 by default, which is for a cluster.
default-num-partitions = 4
rocksdb-total-memory-size = "256 MiB"
shutdown-timeout = "5s"

[admin]
bind-address = "127.0.0.1:${ports.admin}"
disable-web-ui = true

[ingress]
bind-address = "127.0.0.1:${ports.ingress}"

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
