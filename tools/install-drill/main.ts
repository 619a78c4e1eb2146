// npm run install-drill: follows the steps of docs/guides/run-it-yourself.md from nothing to the first verdict, with the
// images of `npm run images` and, in place of the external components, the engines of development. Prints sizes and times.
// Needs root, and from Debian: podman and runc.
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { devAccounts, makeSupervisor } from "../engines/index.ts";
import { makeTempDir } from "../testing/temp-dir.ts";
import { run } from "../images/run.ts";
import { argumentsOf } from "./compose.ts";
import { startExternals, type Externals } from "./externals.ts";
import { waitUntilReady } from "./wait.ts";

const root = join(import.meta.dirname, "../..");
const nonroot = 65532;
/** Each with the port whose /ready says that it takes requests. */
const started = { validator: 8000, api: 3000, worker: 3003, orion: 8100, web: 5173 } as const;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const dir = makeTempDir("install-drill");
// runc, because crun of Debian 12 rejects machines with both versions of cgroups.
writeFileSync(
  join(dir, "containers.conf"),
  '[engine]\nruntime = "runc"\n[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]\n',
);
const environment = { CONTAINERS_CONF: join(dir, "containers.conf") };
const podman = (...args: readonly string[]): string => run("podman", args, environment);
function writeSettings(settings: Readonly<Record<string, string>>): void {
  const text = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  writeFileSync(join(dir, ".env"), `${text.join("\n")}\n`, { mode: 0o600 });
}

/** A command of an image that ends, with the restrictions of compose.yaml and some settings for this run only. */
function runOnce(
  image: string,
  args: readonly string[],
  extra: Readonly<Record<string, string>>,
  mount: string,
): string {
  return podman(
    ...["run", "--rm", "--network", "host", "--read-only", "--tmpfs", "/tmp:size=16m", "--cap-drop", "all"],
    ...[
      "--security-opt",
      "no-new-privileges",
      "--user",
      `${nonroot}:${nonroot}`,
      "--env-file",
      join(dir, ".env"),
    ],
    ...Object.entries(extra).flatMap(([name, value]) => ["--env", `${name}=${value}`]),
    ...["--volume", mount, `countersign/${image}`, ...args],
  );
}

const pick = (text: string, pattern: RegExp, what: string): string => {
  const [, found] = pattern.exec(text) ?? [];
  if (found === undefined) throw new Error(`init did not print ${what}:\n${text}`);
  return found;
};

const settingsOf = ({ urls, identityKey, chainId }: Externals): Record<string, string> => ({
  BASE_URL: "http://127.0.0.1:3000",
  PUBLIC_API_URL: "http://127.0.0.1:3000",
  UI_URL: "http://127.0.0.1:5173",
  API_URL: "http://127.0.0.1:3000",
  INTERNAL_API_URL: "http://127.0.0.1:3002",
  ORION_URL: "http://127.0.0.1:8100",
  VALIDATOR_URL: "http://127.0.0.1:8000",
  DATABASE_URL: urls.database,
  SECRETS_KEY: randomBytes(32).toString("base64"),
  NUDGE_TOKEN: randomBytes(24).toString("base64url"),
  ENGINE_INGRESS_URL: urls.restateIngress,
  ENGINE_IDENTITY_KEYS: identityKey,
  IPFS_URL: urls.ipfs,
  RPC_URL: urls.chain,
  RPC_URLS: `${chainId}=${urls.chain}`,
  HOME_CHAIN_ID: String(chainId),
  MIRROR_EVERY_MS: "1000",
  // The drill runs on busy machines, where a check takes more CPU time than the default allows.
  VALIDATE_CPU_MS: "5000",
});

type Setup = { readonly api: Record<string, string>; readonly orion: Record<string, string> };

/** Settings that the running services do not get. */
function setupOf({ urls }: Externals): Setup {
  const deployer = devAccounts()[0]?.privateKey ?? "";
  return {
    api: {
      DATABASE_MIGRATION_URL: urls.migration,
      DEPLOYER_PRIVATE_KEY: deployer,
      DEPLOYMENT_FILE: "/state/deployment.json",
      FUND_WEI: "100000000000000000",
    },
    orion: { REGISTRY_OWNER_PRIVATE_KEY: deployer },
  };
}

async function reportWhenReady(name: string, port: number, since: number): Promise<void> {
  await waitUntilReady(port);
  const size = Number(podman("image", "inspect", "--format", "{{.Size}}", `countersign/${name}`));
  const seconds = ((performance.now() - since) / 1000).toFixed(1);
  print(`   ${name.padEnd(10)} ${Math.round(size / 1e6)} MB, ready after ${seconds} s`);
}

/** Orion is ready once the engine knows its worker, so `register` runs in between. */
async function start(register: () => void): Promise<void> {
  const since = performance.now();
  for (const name of Object.keys(started)) podman(...argumentsOf(join(dir, "compose.yaml"), name));
  const { orion, ...others } = started;
  await Promise.all(Object.entries(others).map(([name, port]) => reportWhenReady(name, port, since)));
  register();
  await reportWhenReady("orion", orion, since);
}

async function drill(externals: Externals): Promise<void> {
  for (const folder of ["keys", "state"]) {
    mkdirSync(join(dir, folder), { mode: 0o700 });
    chownSync(join(dir, folder), nonroot, nonroot);
  }
  copyFileSync(join(root, "deploy/compose.yaml"), join(dir, "compose.yaml"));
  const [state, keys] = [`${join(dir, "state")}:/state`, `${join(dir, "keys")}:/keys`];
  const setup = setupOf(externals);
  const base = settingsOf(externals);

  print("\n2. settings written to .env");
  writeSettings(base);
  print("\n3. countersign/migrate init");
  const said = runOnce("migrate", ["init"], setup.api, state);
  print(said.replaceAll(/cs_(admin|orion)_\S+/g, "cs_$1_…"));
  const addresses = Object.fromEntries(
    [...said.matchAll(/^([A-Z_]+_ADDRESS)=(\S+)$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );
  const settings: Record<string, string> = {
    ...base,
    ...addresses,
    ORION_KEY: pick(said, /(cs_orion_\S+)/, "the ORION key"),
  };
  writeSettings(settings);

  print("\n4. countersign/orion init");
  const orion = ["apps/orion/src/admin.ts", "init"];
  print(runOnce("orion", orion, setup.orion, keys));
  print("\n5. compose up, 6. flows");
  const engine = { ENGINE_ADMIN_URL: externals.urls.restateAdmin };
  await start(() => {
    runOnce("migrate", ["init"], { ...engine, WORKER_URL: "http://127.0.0.1:3001" }, state);
    runOnce("orion", orion, { ...setup.orion, ...engine, WORKER_URL: "http://127.0.0.1:8101" }, keys);
  });
  print("\n7. countersign/migrate doctor");
  print(runOnce("migrate", ["doctor"], {}, state));
  const since = performance.now();
  const example = join(root, "examples/hidden-call-rejected/main.ts");
  print(run(process.execPath, [example], { COUNTERSIGN_URL: settings["BASE_URL"] ?? "" }));
  print(`one verdict APPROVED and two REJECTED after ${((performance.now() - since) / 1000).toFixed(1)} s`);
}

chmodSync(dir, 0o755);
const supervisor = makeSupervisor({ logDir: dir });
try {
  print("1. external components, as an operator would have them");
  await drill(await startExternals(supervisor, dir));
} catch (error) {
  print(error instanceof Error ? error.message : String(error));
  for (const name of Object.keys(started))
    print(
      `--- ${name}\n${run("sh", ["-c", `podman logs --tail 5 countersign_${name}_1 2>&1 || true`], environment)}`,
    );
  process.exitCode = 1;
} finally {
  podman("rm", "--force", "--ignore", ...Object.keys(started).map((name) => `countersign_${name}_1`));
  await supervisor.stop();
  rmSync(dir, { recursive: true, force: true });
}
