// The one engine that is not from npm: the machine's own redis-server. Only tests start it; the product does without.
import { accessSync, constants, mkdirSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { delimiter, join } from "node:path";
import { basicEnvironment } from "./environment.ts";
import type { Supervisor } from "./supervisor.ts";
import { waitForListener, waitUntil } from "./wait.ts";

export type Redis = {
  /** With the password, if it has one. */
  readonly url: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
  /** It keeps nothing: started again, it is empty. */
  readonly kill: () => Promise<void>;
};

type Options = {
  readonly supervisor: Supervisor;
  readonly dir: string;
  readonly port: number;
  readonly password?: string;
  /** Folders in which its program is looked for. */
  readonly path?: string;
};

export async function startRedis({ supervisor, dir, port, password, path }: Options): Promise<Redis> {
  const command = findRedisServer(path);
  if (command === undefined)
    throw new Error(
      "redis-server is not installed on this machine. On Debian: apt-get install redis-server, and stop the service it starts.",
    );
  mkdirSync(dir, { recursive: true });
  const configFile = join(dir, "redis.conf");
  // In a file, not as arguments: those everybody on the machine can read.
  writeFileSync(configFile, describeConfig(dir, port, password), { mode: 0o600 });
  const child = supervisor.start({ name: "redis", command, args: [configFile], cwd: dir });
  await waitForListener(child, port);
  // It listens a moment before it answers. Without the password the answer is a refusal, which is an answer, too.
  await waitUntil("Redis answers", () => ask(port, "PING\r\n"), { child });
  const credentials = password === undefined ? "" : `:${encodeURIComponent(password)}@`;
  return {
    url: `redis://${credentials}127.0.0.1:${port}`,
    pid: child.pid,
    stop: child.stop,
    kill: child.kill,
  };
}

export function findRedisServer(path = basicEnvironment()["PATH"] ?? ""): string | undefined {
  const places = path.split(delimiter).map((folder) => join(folder, "redis-server"));
  return places.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const describeConfig = (dir: string, port: number, password?: string): string => `# Written at each start.
bind 127.0.0.1
port ${port}
dir ${JSON.stringify(dir)}
daemonize no
# Nothing is stored on disk: users of this Redis must tolerate its loss.
save ""
appendonly no
${password === undefined ? "" : `requirepass ${JSON.stringify(password)}`}
`;

/** One question, and the first line of the answer. */
function ask(port: number, question: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: "127.0.0.1", port }, () => socket.write(question));
    socket.setTimeout(1_000, () => socket.destroy(new Error("no answer in a second")));
    socket.once("error", reject);
    socket.once("data", (answer) => {
      socket.destroy();
      resolve(answer.toString().split("\r\n", 1)[0] ?? "");
    });
  });
}
