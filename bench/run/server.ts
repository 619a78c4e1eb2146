// Starts the validator on a free port and stops it by its process group.
import { spawn, type ChildProcess } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export type Server = {
  url: string;
  stop(): Promise<void>;
};

function tryPort(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const trial = createServer();
    trial.once("error", () => {
      resolve(false);
    });
    trial.listen(port, "127.0.0.1", () =>
      trial.close(() => {
        resolve(true);
      }),
    );
  });
}

/** Below 32768, outside the range of ephemeral ports. */
async function freePort(): Promise<number> {
  for (let i = 0; i < 200; i++) {
    const port = 18_000 + ((process.pid * 31 + i * 97) % 14_000);
    if (await tryPort(port)) return port;
  }
  throw new Error("no free port");
}

async function probe(url: string): Promise<number> {
  const answer = await fetch(url).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.status ?? 0;
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  for (let i = 0; i < 600; i++) {
    if (child.exitCode !== null) throw new Error(`the validator exited with code ${child.exitCode}`);
    const answer = await probe(`${url}/ready`);
    // A service without /ready counts as ready when it is healthy.
    if (answer === 200 || (answer === 404 && (await probe(`${url}/health`)) === 200)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the validator did not become ready within a minute");
}

/** `env`: settings in addition to the default ones. */
export async function startValidator(env: Readonly<Record<string, string>> = {}): Promise<Server> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // A process group, so that npm and the server it starts end together.
  const child = spawn("npm", ["start", "-w", "apps/validator"], {
    cwd: ROOT,
    detached: true,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, HOST: "127.0.0.1", PORT: String(port), LOG_LEVEL: "error", ...env },
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.pid === undefined) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    process.kill(-child.pid, "SIGTERM");
    await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 5000))]);
  };
  try {
    await ready(url, child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}
