import { spawnSync } from "node:child_process";

/** Runs a program to its end and returns its output. Throws with its last lines if it fails. */
export function run(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: "utf8",
    env: { ...process.env, ...environment },
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined) throw new Error(`${program} could not be started: ${error.message}`);
  if (status === 0) return stdout;
  const tail = `${stdout}\n${stderr}`.trim().split("\n").slice(-15).join("\n");
  throw new Error(`${program} ${args[0] ?? ""} failed with status ${status}:\n${tail}`);
}
