import { spawn, type ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { waitUntil } from "../engines/wait.ts";

const fixture = fileURLToPath(new URL("fixtures/wait-for-the-end.ts", import.meta.url));
const parents: ChildProcess[] = [];

afterEach(() => {
  for (const { pid } of parents.splice(0)) if (pid !== undefined) process.kill(-pid, "SIGKILL");
});

/** The fixture as npm starts it: a grandchild of ours, in one process group with its parent. */
async function start(): Promise<{ parent: ChildProcess; pid: number; asked: () => readonly string[] }> {
  const parent = spawn("sh", ["-c", `"$0" "$1" & wait`, process.execPath, fixture], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, npm_lifecycle_event: "dev" },
  });
  parents.push(parent);
  let text = "";
  parent.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const lines = (): string[] => text.split("\n").slice(0, -1);
  await waitUntil("it listens", () => lines().length > 0);
  return { parent, pid: Number(lines()[0]), asked: () => lines().slice(1) };
}

it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("is asked to stop by %s", async (signal) => {
  const { pid, asked } = await start();
  process.kill(pid, signal);
  await waitUntil("it is asked", () => asked().length > 0);
  expect(asked()).toEqual(["stop"]);
});

// A terminal gives a Ctrl-C to npm and to us, and npm gives us its own as well.
it("takes one Ctrl-C that comes twice for one, and a later one for a second", async () => {
  const { pid, asked } = await start();
  process.kill(pid, "SIGINT");
  await sleep(50);
  process.kill(pid, "SIGINT");
  await waitUntil("it is asked", () => asked().length > 0);
  await sleep(700);
  expect(asked()).toEqual(["stop"]);
  process.kill(pid, "SIGINT");
  await waitUntil("it is asked again", () => asked().length > 1);
  expect(asked()).toEqual(["stop", "kill"]);
});

it("stops when the npm that started it was killed", async () => {
  const { parent, asked } = await start();
  process.kill(parent.pid ?? 0, "SIGKILL");
  await waitUntil("it is asked", () => asked().length > 0);
  expect(asked()).toEqual(["stop"]);
});
