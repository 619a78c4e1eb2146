// The system under test: a running one (COUNTERSIGN_DATA names its data folder), or a new one.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeLog } from "@countersign/platform/log";
import { startStack } from "../../../tools/dev/stack.ts";
import { findRunningStack } from "../../../tools/dev/stack-file.ts";
import { portCount, portsFrom } from "../../../tools/dev/ports.ts";
import { freePortRange, freePorts } from "../../../tools/engines/ports.ts";
import { removePostgres } from "../../../tools/engines/postgres-home.ts";
import { makeTempDir } from "../../../tools/testing/temp-dir.ts";
import { Config } from "../src/config.ts";
import { makeServer } from "../src/server/routes.ts";

const root = join(import.meta.dirname, "../../..");
const run = promisify(execFile);

export type Stack = {
  readonly urls: {
    readonly api: string;
    readonly anvil: string;
    readonly validator: string;
    readonly custodian: string;
    readonly postgres: string;
  };
  readonly apiPid: number;
  readonly stop: () => Promise<void>;
};

async function joinStack(dataDir: string): Promise<Stack> {
  const found = findRunningStack(join(dataDir, "stack.json"));
  if (found === undefined) throw new Error(`No stack runs on ${dataDir}.`);
  return { urls: found.urls, apiPid: found.pids["api"] ?? 0, stop: async () => undefined };
}

async function ownStack(): Promise<Stack> {
  const dataDir = makeTempDir("web");
  const ports = portsFrom(String(await freePortRange(portCount)));
  const stack = await startStack({ dataDir, ports, fresh: false });
  return {
    ...(await joinStack(dataDir)),
    stop: async () => {
      await stack.stop();
      removePostgres(join(dataDir, "postgres"));
    },
  };
}

export const startOrJoin = (): Promise<Stack> => {
  const running = process.env["COUNTERSIGN_DATA"];
  return running === undefined ? ownStack() : joinStack(running);
};

/** Builds the current pages into a separate folder. */
export async function buildPages(): Promise<string> {
  const outDir = makeTempDir("pages");
  const args = ["build", "--logLevel", "error", "--outDir", outDir, "--emptyOutDir"];
  // Builds for production: the test runner's NODE_ENV would select development builds.
  const env = { ...process.env, NODE_ENV: "production" };
  await run(join(root, "node_modules/.bin/vite"), args, { cwd: join(root, "apps/web"), env });
  return outDir;
}

export type WebServer = { readonly url: string; readonly stop: () => Promise<void> };

/** Starts the web server in front of an API, which may be a failing one. */
export async function startWeb(pages: string, apiUrl: string, publicApiUrl = apiUrl): Promise<WebServer> {
  const [port = 0] = await freePorts(1);
  const config = Config.parse({
    PORT: String(port),
    API_URL: apiUrl,
    PUBLIC_API_URL: publicApiUrl,
    // Visits send their own addresses. See harness.ts.
    TRUSTED_PROXIES: "127.0.0.1",
    LOG_LEVEL: "silent",
  });
  const { server } = await makeServer({ config, log: makeLog({ app: "web", level: "silent" }), pages });
  await server.listen({ host: "127.0.0.1", port });
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      await server.close();
    },
  };
}
