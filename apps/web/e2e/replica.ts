// A second API process on the same database and engine, which a test may kill.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { freePorts } from "../../../tools/engines/ports.ts";
import { makeSupervisor, type Child } from "../../../tools/engines/supervisor.ts";
import { fetchOk, waitUntil } from "../../../tools/engines/wait.ts";
import { makeTempDir } from "../../../tools/testing/temp-dir.ts";

const root = join(import.meta.dirname, "../../..");

type Environment = Readonly<Record<string, string>>;

export type Replica = {
  readonly url: string;
  /** Accepts connections but does not answer. */
  readonly freeze: () => void;
  /** Kills the process immediately. */
  readonly kill: () => Promise<void>;
  /** Restarts it at the same address. */
  readonly start: () => Promise<void>;
  readonly end: () => Promise<void>;
};

/** Reads the environment of the first process. */
function environmentOf(pid: number): Environment {
  const pairs = readFileSync(`/proc/${pid}/environ`, "utf8").matchAll(/([^=\0]+)=([^\0]*)\0/g);
  return Object.fromEntries(Array.from(pairs, ([, name = "", value = ""]) => [name, value]));
}

/** With `more`, its own settings differ from those of the first process. */
export async function startReplica(ofPid: number, more: Environment = {}): Promise<Replica> {
  const [port = 0, workerPort = 0] = await freePorts(2);
  const url = `http://127.0.0.1:${port}`;
  const env = { ...environmentOf(ofPid), PORT: String(port), WORKER_PORT: String(workerPort), ...more };
  const args = [join(root, "apps/api/src/main.ts")];
  const supervisor = makeSupervisor({ logDir: makeTempDir("replica") });
  const launch = async (): Promise<Child> => {
    const child = supervisor.start({ name: "api", command: process.execPath, args, cwd: root, env });
    await waitUntil("the second api answers", () => fetchOk(`${url}/ready`), { child, seconds: 60 });
    return child;
  };
  let child = await launch();
  return {
    url,
    freeze: () => process.kill(child.pid, "SIGSTOP"),
    kill: () => child.kill(),
    start: async () => {
      child = await launch();
    },
    end: () => supervisor.stop(),
  };
}
