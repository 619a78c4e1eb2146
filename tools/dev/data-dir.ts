// The folder that holds everything a stack keeps. It is marked as ours, because --fresh removes things from it.
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removePostgres } from "../engines/postgres-home.ts";

export type DataDir = {
  readonly path: string;
  readonly logs: string;
  readonly postgres: string;
  readonly restate: string;
  readonly anvil: string;
  readonly ipfs: string;
  readonly world: string;
  readonly contractsFile: string;
  readonly secretsKeyFile: string;
  readonly serverKeysFile: string;
  /** Orion's keys. */
  readonly orion: string;
  readonly stackFile: string;
  readonly claimFile: string;
};

const describeDataDir = (path: string): DataDir => ({
  path,
  logs: join(path, "logs"),
  postgres: join(path, "postgres"),
  restate: join(path, "restate"),
  anvil: join(path, "anvil"),
  ipfs: join(path, "ipfs"),
  world: join(path, "world-chain"),
  contractsFile: join(path, "contracts.json"),
  secretsKeyFile: join(path, "secrets.key"),
  serverKeysFile: join(path, "server-keys.json"),
  orion: join(path, "orion"),
  stackFile: join(path, "stack.json"),
  claimFile: join(path, "running.json"),
});

const mark = ".made-by-npm-run-dev";

/** Makes the folder, or checks that it is one of ours. */
export function openDataDir(path: string): DataDir {
  const markFile = join(path, mark);
  if (!existsSync(markFile) && existsSync(path) && readdirSync(path).length > 0)
    throw new Error(
      `${path} is not empty and was not made by npm run dev. Give --data an empty or new folder.`,
    );
  checkOwnership(path);
  mkdirSync(path, { recursive: true });
  writeFileSync(
    markFile,
    "npm run dev keeps its data here. When it is not running, the folder may be removed.\n",
  );
  return describeDataDir(path);
}

/** A run as root leaves files that only root can write. Report it now instead of failing in five engines later. */
function checkOwnership(path: string): void {
  const uid = process.getuid?.() ?? 0;
  if (uid === 0 || !existsSync(path)) return;
  const foreign = readdirSync(path).find((entry) => lstatSync(join(path, entry)).uid !== uid);
  if (foreign !== undefined)
    throw new Error(
      `${join(path, foreign)} belongs to another user (was there a run as root?). ` +
        `Remove ${path} as that user, or run as that user again.`,
    );
}

/** Deletes the data of earlier runs. Other files in the folder stay. */
export function emptyDataDir(dir: DataDir): void {
  removePostgres(dir.postgres);
  const { postgres: _, path: _path, claimFile: _claim, ...entries } = dir;
  for (const entry of Object.values(entries)) rmSync(entry, { recursive: true, force: true });
}
