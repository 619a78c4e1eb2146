import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Supervisor } from "./supervisor.ts";
import { fetchOk, waitForListener, waitUntil } from "./wait.ts";

export type Ipfs = {
  readonly url: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
  readonly kill: () => Promise<void>;
};

type Options = { readonly supervisor: Supervisor; readonly dir: string; readonly port: number };

export async function startIpfs({ supervisor, dir, port }: Options): Promise<Ipfs> {
  mkdirSync(dir, { recursive: true });
  const child = supervisor.start({
    name: "ipfs",
    command: process.execPath,
    args: [fileURLToPath(new URL("ipfs-node.ts", import.meta.url)), dir, String(port)],
    cwd: dir,
  });
  const url = `http://127.0.0.1:${port}`;
  await waitForListener(child, port);
  await waitUntil("the IPFS gateway answers", () => fetchOk(`${url}/health`), { child });
  return { url, pid: child.pid, stop: child.stop, kill: child.kill };
}
