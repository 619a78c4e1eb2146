// Runs the Python client from its sources, with the python3 of this machine. Only httpx may be installed, and nothing needs it.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { isCi } from "../testing/is-ci.ts";

export const pythonClient = join(import.meta.dirname, "../../clients/python");

type Options = { readonly env?: Readonly<Record<string, string>>; readonly input?: string };
type Output = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

const environment = {
  PYTHONPATH: join(pythonClient, "src"),
  // No __pycache__ folders in the checkout.
  PYTHONDONTWRITEBYTECODE: "1",
  PYTHONUTF8: "1",
};

/** Runs python3 in the folder of the client. Warnings, such as an unclosed socket, are errors. */
export async function runPython(
  args: readonly string[],
  { env = {}, input = "" }: Options = {},
): Promise<Output> {
  const child = spawn("python3", ["-W", "error", ...args], {
    cwd: pythonClient,
    env: { PATH: process.env["PATH"], ...environment, ...env },
  });
  // Python may exit before it has read everything. Its exit code says why.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

/** Whether the tests may be skipped: not in CI, and there is no Python 3.11 on this machine. */
export function mayDoWithoutPython(): boolean {
  const { status } = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"]);
  if (status === 0 || isCi()) return false;
  console.warn("Skipping the tests of clients/python: they need python3, 3.11 or newer.");
  return true;
}
