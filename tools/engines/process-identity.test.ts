import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { identifyProcess, isRunning } from "./process-identity.ts";

it("distinguishes two processes with the same pid", () => {
  const self = identifyProcess(process.pid);
  expect(self).toBeDefined();
  if (self === undefined) return;
  expect(isRunning(self)).toBe(true);
  expect(isRunning({ ...self, startTime: "1" })).toBe(false);
});

it("reads the start time of a process whose name has spaces and parentheses", async () => {
  const child = spawn(process.execPath, [
    "-e",
    "process.title = 'a) S (b'; console.log(); setTimeout(() => {}, 60000)",
  ]);
  await once(child.stdout, "data");
  const identity = identifyProcess(child.pid ?? 0);
  expect(Number(identity?.startTime)).toBeGreaterThan(0);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(identity && isRunning(identity)).toBe(false);
});

it("finds nothing where there is no process", () => {
  expect(identifyProcess(2 ** 22 + 1)).toBeUndefined();
});
