import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeTempDir } from "../testing/temp-dir.ts";
import { waitUntil } from "./wait.ts";
import type { Child } from "./supervisor.ts";

const aChild = (exitReason: string | undefined, logFile = "/logs/engine.log"): Child => ({
  name: "engine",
  pid: 1,
  logFile,
  exitReason: () => exitReason,
  exited: new Promise(() => undefined),
  stop: async () => undefined,
  kill: async () => undefined,
});

it("returns the first answer that is neither a failure nor false", async () => {
  const answers = [() => false as const, () => Promise.reject(new Error("refused")), () => 0];
  await expect(waitUntil("it answers", () => answers.shift()?.() ?? "none")).resolves.toBe(0);
});

it("names what it waited for, the last reason and the log when it gives up", async () => {
  const probe = (): never => {
    throw new Error("fetch failed", { cause: new Error("connection refused") });
  };
  await expect(
    waitUntil("the engine answers", probe, { seconds: 0.1, child: aChild(undefined) }),
  ).rejects.toThrow(
    "the engine answers: not within 0.1 s (fetch failed: connection refused). Its log is /logs/engine.log",
  );
});

it("gives up at once when the process it waits for has ended", async () => {
  await expect(
    waitUntil("the engine answers", () => false, { seconds: 60, child: aChild("exit code 3") }),
  ).rejects.toThrow("the engine answers: it never will, it ended (exit code 3). Its log is /logs/engine.log");
});

it("shows how the log of the process ends", async () => {
  const logFile = join(makeTempDir("wait"), "engine.log");
  writeFileSync(logFile, "starting\nthe port is taken\n");
  await expect(
    waitUntil("the engine answers", () => false, { child: aChild("exit code 3", logFile) }),
  ).rejects.toThrow("starting\nthe port is taken");
});
