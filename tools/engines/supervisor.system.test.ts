import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { makeTempDir } from "../testing/temp-dir.ts";
import { freePorts, isPortFree } from "./ports.ts";
import { identifyProcess, isRunning, type ProcessIdentity } from "./process-identity.ts";
import { makeSupervisor, type ChildExit } from "./supervisor.ts";
import { waitUntil } from "./wait.ts";

const dirs: string[] = [];
function aDir(): string {
  const dir = makeTempDir("supervisor");
  dirs.push(dir);
  return dir;
}

afterAll(() => {
  for (const dir of dirs) rmSync(dir, { recursive: true });
});

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

const idle = "setTimeout(() => {}, 600000)";
const anIdler = (
  name: string,
  script = idle,
): { name: string; command: string; args: string[]; cwd: string } => ({
  name,
  command: process.execPath,
  args: ["-e", script],
  cwd: "/",
});

function identify(pid: number): ProcessIdentity {
  const identity = identifyProcess(pid);
  if (identity === undefined) throw new Error(`no process ${pid}`);
  return identity;
}

/** Node itself catches some signals from the first moment on; this one only when the program asks for it. */
function catchesSighup(pid: number): boolean {
  const [, mask = "0"] = /^SigCgt:\s+(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return (BigInt(`0x${mask}`) & 1n) !== 0n;
}

describe("a supervisor that is killed", () => {
  async function startTwoChildren(): Promise<{
    dir: string;
    ports: readonly number[];
    parent: ChildProcess;
    processes: readonly ProcessIdentity[];
  }> {
    const dir = aDir();
    const ports = await freePorts(2);
    const parent = spawn(process.execPath, [pathOf("fixtures/two-children.ts"), dir, ...ports.map(String)], {
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(parent.stdout, "data")) as [Buffer];
    return { dir, ports, parent, processes: (JSON.parse(line.toString()) as number[]).map(identify) };
  }

  it.each([
    ["alone", (pid: number) => pid],
    ["with its whole process group", (pid: number) => -pid],
  ])("leaves no child, no guard and no port behind when it is killed %s", async (_, target) => {
    const { dir, ports, parent, processes } = await startTwoChildren();
    process.kill(target(parent.pid ?? 0), "SIGKILL");
    await waitUntil("all are gone", () => !processes.some(isRunning), { seconds: 20 });
    expect(await Promise.all(ports.map(isPortFree))).toEqual([true, true]);
    expect(readFileSync(`${dir}/stopped`, "utf8")).toBe("second SIGTERM\nfirst SIGINT\n");
  });

  it("keeps its guard when the guard receives a signal", async () => {
    const { parent, processes } = await startTwoChildren();
    const guard = processes[2]?.pid ?? 0;
    await waitUntil("the guard has begun", () => catchesSighup(guard));
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(guard, signal);
    process.kill(parent.pid ?? 0, "SIGKILL");
    await waitUntil("all are gone", () => !processes.some(isRunning), { seconds: 20 });
  });
});

describe("a supervisor that is asked to stop", () => {
  it("stops everything, last started first, and its guard leaves", async () => {
    const supervisor = makeSupervisor({ logDir: aDir() });
    const guard = identify(supervisor.guard.pid);
    const children = ["one", "two", "three"].map((name) => identify(supervisor.start(anIdler(name)).pid));
    const stopped: string[] = [];
    await supervisor.stop((name) => stopped.push(name));
    expect(stopped).toEqual(["three", "two", "one"]);
    expect([...children, guard].filter(isRunning)).toEqual([]);
  });

  it("starts nothing more", async () => {
    const supervisor = makeSupervisor({ logDir: aDir() });
    await supervisor.stop();
    expect(() => supervisor.start(anIdler("late"))).toThrow(
      "late was not started, because everything is being stopped.",
    );
  });

  it("kills a child that does not want to stop", async () => {
    const dir = aDir();
    const supervisor = makeSupervisor({ logDir: dir });
    const child = supervisor.start(
      anIdler("deaf", `process.on("SIGTERM", () => {}); console.log("deaf"); ${idle}`),
    );
    await waitUntil("it is deaf", () => readFileSync(child.logFile, "utf8") === "deaf\n");
    await supervisor.stop();
    expect(child.exitReason()).toBe("SIGKILL");
  });
});

it("reports a child that exited unexpectedly, and none that was stopped", async () => {
  const exits: ChildExit[] = [];
  const dir = aDir();
  const supervisor = makeSupervisor({ logDir: dir, onUnexpectedExit: (exit) => exits.push(exit) });
  await supervisor.start(anIdler("failing", "process.exit(3)")).exited;
  await supervisor.start(anIdler("stopped")).stop();
  await supervisor.start(anIdler("killed")).kill();
  expect(await supervisor.run(anIdler("good", ""))).toBe(true);
  expect(await supervisor.run(anIdler("bad", "process.exit(1)"))).toBe(false);
  await supervisor.stop();
  expect(exits).toEqual([{ name: "failing", reason: "exit code 3", logFile: `${dir}/failing.log` }]);
});

it("says which program could not be started", async () => {
  const supervisor = makeSupervisor({ logDir: aDir() });
  expect(() => supervisor.start({ ...anIdler("missing"), command: "/no/such/program" })).toThrow(
    "missing could not be started: is /no/such/program there, and may it be executed?",
  );
  await supervisor.stop();
});

it("does not pass our environment on, but for the basics", async () => {
  const supervisor = makeSupervisor({ logDir: aDir() });
  process.env["COUNTERSIGN_TEST_SECRET"] = "leaked";
  const spec = { ...anIdler("env", "console.log(JSON.stringify(process.env))"), env: { PORT: "1" } };
  await supervisor.run(spec);
  delete process.env["COUNTERSIGN_TEST_SECRET"];
  const env = JSON.parse(readFileSync(supervisor.logFile("env"), "utf8")) as Record<string, string>;
  expect(env).toMatchObject({ PORT: "1", PATH: process.env["PATH"] });
  expect(env).not.toHaveProperty("COUNTERSIGN_TEST_SECRET");
  await supervisor.stop();
});

// A pid can be reused once its process is gone. Its new process must not be killed.
it("has a guard that leaves a process alone which only has the pid of a child", async () => {
  const stranger = spawn(process.execPath, ["-e", idle], { stdio: "ignore", detached: true });
  const identity = identify(stranger.pid ?? 0);
  const guard = spawn(process.execPath, [pathOf("guard.ts")], { stdio: ["pipe", "inherit", "inherit"] });
  const watch = { ...identity, startTime: String(Number(identity.startTime) - 1), stopSignal: "SIGKILL" };
  guard.stdin.end(`${JSON.stringify({ watch })}\n`);
  await once(guard, "exit");
  expect(isRunning(identity)).toBe(true);
  stranger.kill("SIGKILL");
});
