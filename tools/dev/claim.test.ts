import { spawn } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeEach, expect, it } from "vitest";
import { identifyProcess } from "../engines/process-identity.ts";
import { makeTempDir } from "../testing/temp-dir.ts";
import { claimDataDir } from "./claim.ts";
import { openDataDir } from "./data-dir.ts";

const temp = makeTempDir("claim");
const dir = openDataDir(`${temp}/data`);
const gone = { pid: 2 ** 22 - 1, startTime: "1" };

beforeEach(() => {
  rmSync(dir.claimFile, { force: true });
});
afterAll(() => {
  rmSync(temp, { recursive: true });
});

it("lets one run have the folder, and the next one when it is done", async () => {
  const first = await claimDataDir(dir);
  await expect(claimDataDir(dir)).rejects.toThrow(
    `npm run dev is already running on ${dir.path} (pid ${process.pid}).`,
  );
  first.release();
  (await claimDataDir(dir)).release();
  expect(existsSync(dir.claimFile)).toBe(false);
});

it.each([
  ["a run that was killed", JSON.stringify({ runner: gone, guard: gone })],
  [
    "a run whose pid belongs to another process",
    JSON.stringify({ runner: { pid: process.pid, startTime: "1" } }),
  ],
  ["a run that was killed while it wrote it", '{"runner":{"pi'],
])("takes no notice of a claim left by %s", async (_, text) => {
  writeFileSync(dir.claimFile, text);
  (await claimDataDir(dir)).release();
});

it("waits for the guard of a run that was killed", async () => {
  const guard = spawn("sleep", ["60"], { stdio: "ignore" });
  writeFileSync(dir.claimFile, JSON.stringify({ runner: gone, guard: identifyProcess(guard.pid ?? 0) }));
  let isClaimed = false;
  const claiming = claimDataDir(dir).then((claim) => {
    isClaimed = true;
    claim.release();
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(isClaimed).toBe(false);
  guard.kill("SIGKILL");
  await claiming;
});
