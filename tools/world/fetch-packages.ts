import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { packages, type Package } from "./packages.ts";

const run = promisify(execFile);
/** Holds everything that is fetched or compiled. Not in .data: `npm run dev` refuses a folder that it did not make. */
export const root = join(import.meta.dirname, "../../node_modules/.cache/world");

/** Where a package is unpacked. The name carries its integrity, so that another tarball is another folder. */
export const folderOf = ({ name, version, integrity }: Package): string =>
  join(root, `${name.replace("/", "+")}@${version}-${Buffer.from(integrity).toString("hex").slice(14, 30)}`);

/** Rejects unless these are the bytes of the pinned tarball. */
export function checkIntegrity(bytes: Uint8Array, { name, integrity }: Package): void {
  const found = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  if (found !== integrity) throw new Error(`the tarball of ${name} is not the pinned one`);
}

async function fetchPackage(one: Package): Promise<void> {
  const target = folderOf(one);
  if (existsSync(target)) return;
  const work = `${target}.${process.pid}`;
  mkdirSync(work, { recursive: true });
  try {
    const spec = `${one.name}@${one.version}`;
    const { stdout } = await run("npm", [
      "pack",
      spec,
      "--ignore-scripts",
      "--json",
      "--pack-destination",
      work,
    ]);
    const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }];
    const tarball = join(work, filename.replace("/", "-").replace("@", ""));
    checkIntegrity(readFileSync(tarball), one);
    await run("tar", ["xzf", tarball, "-C", work, "--strip-components=1"]);
    rmSync(tarball);
    renameSync(work, target);
  } catch (error) {
    rmSync(work, { recursive: true, force: true });
    // Another process may have been quicker.
    if (!existsSync(target)) throw error;
  }
}

/** Fetches packages from the registry, by default all, once per machine. Needs `npm` and `tar`. */
export async function fetchPackages(wanted: readonly Package[] = packages): Promise<void> {
  for (const one of wanted) await fetchPackage(one);
}
