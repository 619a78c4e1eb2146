// The repository to clone: the current commit, or a folder's current files.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const author = ["-c", "user.name=quickstart", "-c", "user.email=quickstart@localhost"];
const git = (cwd: string, args: readonly string[]): string =>
  execFileSync("git", [...author, ...args], { cwd, encoding: "utf8", maxBuffer: 2 ** 26 });

/** An address for `git clone`. By file://, because from a bare path git would link instead of copy. */
export function makeOrigin(folder: string, from: string | undefined, root: string): string {
  if (from === undefined) return `file://${root}`;
  const origin = join(folder, "origin");
  mkdirSync(origin);
  const listed = git(from, ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
  for (const name of listed.split("\0"))
    if (name !== "" && existsSync(join(from, name)))
      cpSync(join(from, name), join(origin, name), { recursive: true, verbatimSymlinks: true });
  git(origin, ["init", "--quiet"]);
  git(origin, ["add", "--all"]);
  git(origin, ["commit", "--quiet", "--no-verify", "--message", "as it is now"]);
  return `file://${origin}`;
}
