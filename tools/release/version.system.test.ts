// Runs `npm run version` on a copy of the tree, because the changesets stay pending until a release.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeTempDir } from "../testing/temp-dir.ts";
import { checkRelease, pendingIn, readReleases } from "./releases.ts";

const root = join(import.meta.dirname, "../..");
const dir = makeTempDir("version");
const copy = join(dir, "countersign");
const pending = pendingIn(root);

type Manifest = Readonly<Record<"dependencies" | "devDependencies", Readonly<Record<string, string>>>> & {
  readonly version: string;
};
const read = (path: string): string => readFileSync(join(copy, path), "utf8");
const manifestOf = (folder: string): Manifest => JSON.parse(read(`${folder}/package.json`)) as Manifest;

/** npm has no cache here, and every address that it could ask is closed. */
const env = {
  ...{ PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"] ?? ""}`, HOME: dir, CI: "true" },
  ...{ npm_config_cache: join(dir, "cache"), npm_config_registry: "http://127.0.0.1:9/" },
  ...{ HTTP_PROXY: "http://127.0.0.1:9", HTTPS_PROXY: "http://127.0.0.1:9" },
  ...{ GIT_AUTHOR_NAME: "test", GIT_AUTHOR_EMAIL: "test@localhost" },
  ...{ GIT_COMMITTER_NAME: "test", GIT_COMMITTER_EMAIL: "test@localhost" },
};
const run = (command: string, ...args: readonly string[]): string =>
  execFileSync(command, args, { cwd: copy, env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

/** Changesets and npm read these files only. */
const isNeeded = (file: string): boolean =>
  /(?:^|\/)package(?:-lock)?\.json$/.test(file) || /^\.changeset\/|^tools\/stubs\//.test(file);

beforeAll(() => {
  const tracked = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  for (const file of tracked.split("\n").filter((one) => isNeeded(one) && existsSync(join(root, one)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  run("git", "init", "-q");
  run("git", "add", "-A");
  run("git", "commit", "-qm", "copy");
  run("npm", "run", "version", "--silent");
});
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

test("collects every pending changeset", () => {
  expect(pendingIn(copy)).toEqual([]);
});

test.each(readReleases(root))("$name gets a version and a changelog with its changes", (before) => {
  const after = readReleases(copy).find(({ name }) => name === before.name);
  const mine = pending.filter((file) => changesetOf(file).packages.includes(before.name));
  if (mine.length === 0) return;
  expect(after?.version).not.toBe(before.version);
  const changelog = read(`${before.folder}/CHANGELOG.md`);
  expect(changelog).toContain(`# ${before.name}\n\n## ${after?.version ?? ""}\n`);
  for (const file of mine) expect(changelog).toContain(changesetOf(file).firstLine);
});

test("the command line depends on the SDK of the same release", () => {
  const sdk = manifestOf("packages/sdk").version;
  expect(manifestOf("apps/cli").dependencies["@countersign/sdk"]).toBe(sdk);
});

test("the lockfile has the new versions, and nothing else in it changed", () => {
  const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, Manifest> };
  for (const { folder, version } of readReleases(copy)) expect(packages[folder]?.version).toBe(version);
  const changed = run("git", "diff", "--unified=0", "package-lock.json")
    .split("\n")
    .filter((line) => /^[+-] /.test(line));
  for (const line of changed)
    expect(line).toMatch(/^[+-] +"(?:version|@countersign\/[\w-]+)": "\d+\.\d+\.\d+",?$|"dev": true,$/);
});

test("then only `private` keeps the packages from being released", () => {
  for (const { name, version, folder } of readReleases(copy))
    expect(checkRelease(copy, `${name}@${version}`).obstacles).toEqual([`${folder}/package.json is private`]);
});

function changesetOf(file: string): { readonly packages: readonly string[]; readonly firstLine: string } {
  const text = readFileSync(join(root, ".changeset", file), "utf8");
  const [, head = "", body = ""] = /^---\n([^]*?)\n---\n([^]*)$/.exec(text) ?? [];
  const packages = [...head.matchAll(/^["'](.+)["']:/gm)].map(([, name = ""]) => name);
  return { packages, firstLine: body.trim().split("\n")[0] ?? "" };
}
