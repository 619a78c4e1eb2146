// The packages that npm users get, and what keeps one of them from being released. No registry is asked.
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

export type Release = {
  readonly name: string;
  readonly version: string;
  /** The workspace, from the root of the repository. Its build writes what is published to `dist`. */
  readonly folder: string;
  /** `private` in its package.json has been removed: npm accepts it. */
  readonly isPublic: boolean;
};

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly publishConfig?: object;
};

/** Returns the workspaces that are meant for npm: those with `publishConfig` in their package.json. */
export function readReleases(root: string): readonly Release[] {
  return globSync("{packages,apps}/*/package.json", { cwd: root })
    .sort()
    .map((file) => ({ file, manifest: JSON.parse(readFileSync(join(root, file), "utf8")) as Manifest }))
    .filter(({ manifest }) => manifest.publishConfig !== undefined)
    .map(({ file, manifest }) => ({
      ...{ name: manifest.name, version: manifest.version, folder: dirname(file) },
      isPublic: manifest.private !== true,
    }));
}

/** Returns the release that a git tag such as `@countersign/sdk@0.2.0` names, and why it must not be published yet. */
export function checkRelease(
  root: string,
  tag: string,
): { readonly release: Release | undefined; readonly obstacles: readonly string[] } {
  const [, name = "", version = ""] = /^(.+)@([^@]+)$/.exec(tag) ?? [];
  const release = readReleases(root).find((one) => one.name === name);
  if (release === undefined) return { release, obstacles: [`"${tag}" names no package that is published`] };
  const { folder } = release;
  const obstacles = [
    release.version === version ? [] : [`${folder}/package.json has version ${release.version}`],
    release.isPublic ? [] : [`${folder}/package.json is private`],
    hasChanges(join(root, folder), version) ? [] : [`${folder}/CHANGELOG.md has no entry for ${version}`],
    pendingIn(root).map((file) => `.changeset/${file} is pending: run npm run version`),
  ];
  return { release, obstacles: obstacles.flat() };
}

function hasChanges(folder: string, version: string): boolean {
  const changelog = join(folder, "CHANGELOG.md");
  return existsSync(changelog) && readFileSync(changelog, "utf8").split("\n").includes(`## ${version}`);
}

/** Returns the changesets that no version has collected. */
export const pendingIn = (root: string): readonly string[] =>
  globSync(".changeset/*.md", { cwd: root })
    .map((file) => basename(file))
    .filter((file) => file !== "README.md")
    .sort();
