// One run per data folder: two would write to the same databases.
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { identifyProcess, isRunning, type ProcessIdentity } from "../engines/process-identity.ts";
import { waitUntil } from "../engines/wait.ts";
import type { DataDir } from "./data-dir.ts";

type ClaimFile = { readonly runner: ProcessIdentity; readonly guard?: ProcessIdentity };

export type Claim = {
  /** So that the next run can wait for what this one's guard has to clean up. */
  readonly addGuard: (guard: ProcessIdentity) => void;
  readonly release: () => void;
};

export async function claimDataDir({ path, claimFile }: DataDir): Promise<Claim> {
  const runner = identifyProcess(process.pid) ?? { pid: process.pid, startTime: "" };
  while (!createFile(claimFile, { runner })) await clearOldClaim(path, claimFile);
  return {
    addGuard: (guard) => {
      const draft = `${claimFile}.draft`;
      writeFileSync(draft, JSON.stringify({ runner, guard } satisfies ClaimFile));
      renameSync(draft, claimFile);
    },
    release: () => {
      rmSync(claimFile, { force: true });
    },
  };
}

function createFile(file: string, claim: ClaimFile): boolean {
  try {
    writeFileSync(file, JSON.stringify(claim), { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

async function clearOldClaim(path: string, claimFile: string): Promise<void> {
  const claim = readClaim(claimFile);
  if (claim !== undefined && isRunning(claim.runner))
    throw new Error(
      `npm run dev is already running on ${path} (pid ${claim.runner.pid}). ` +
        "Stop it first, or start a second one with a folder and ports of its own: npm run dev -- --data DIR --ports 21000",
    );
  const guard = claim?.guard;
  // The last run was killed, and its guard is still stopping the engines.
  if (guard !== undefined) await waitUntil("the engines of the last run are gone", () => !isRunning(guard));
  rmSync(claimFile, { force: true });
}

function readClaim(file: string): ClaimFile | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as ClaimFile;
  } catch {
    // Incomplete: its writer died while writing.
    return undefined;
  }
}
