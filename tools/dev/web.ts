// The pages, and the server that gives them out.
import { existsSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { Child, Supervisor } from "../engines/supervisor.ts";
import { waitForListener } from "../engines/wait.ts";
import { root } from "./options.ts";
import type { StackUrls } from "./parts.ts";

type Options = { readonly supervisor: Supervisor; readonly urls: Pick<StackUrls, "web" | "api"> };

const folder = join(root, "apps/web");
const built = join(folder, "dist");

/** The sources of the pages. */
const sources = [
  ...["src", "public", "build", "index.html", "vite.config.ts", "package.json"].map((name) =>
    join(folder, name),
  ),
  ...["sdk", "wire"].map((name) => join(root, "packages", name, "src")),
];

/** Returns when the newest of these files and folders was written, in milliseconds, at any depth. 0 if none exists. */
export function newestOf(paths: readonly string[]): number {
  const times = paths.filter(existsSync).flatMap((path) => {
    const about = statSync(path);
    if (!about.isDirectory()) return [about.mtimeMs];
    // A folder's own mtime shows when a file was removed from it.
    return [about.mtimeMs, newestOf(readdirSync(path).map((name) => join(path, name)))];
  });
  return Math.max(0, ...times);
}

/** Whether the pages are as their sources are. */
const areBuilt = (): boolean => newestOf([join(built, "index.html")]) > newestOf(sources);

/**
 * Builds the pages unless they are. Says in a few words how that went: pages that cannot be built are no reason to have no
 * system.
 */
export async function buildPages({ supervisor }: Pick<Options, "supervisor">): Promise<string> {
  if (areBuilt()) return "ready";
  const began = new Date();
  const fresh = join(root, "node_modules/.cache", `web-pages-${process.pid}`);
  const isBuilt = await supervisor.run({
    name: "web-build",
    command: process.execPath,
    args: [
      join(root, "node_modules/vite/bin/vite.js"),
      ...["build", folder, "--outDir", fresh, "--emptyOutDir", "--logLevel", "warn"],
    ],
    cwd: root,
  });
  if (!isBuilt) return `pages not built, see ${supervisor.logFile("web-build")}`;
  // A source that was changed meanwhile is newer than this.
  utimesSync(join(fresh, "index.html"), began, began);
  // In one go: another stack may be giving out the pages of before.
  rmSync(built, { recursive: true, force: true });
  renameSync(fresh, built);
  return "ready";
}

/** Returns once it listens. */
export async function startWeb({ supervisor, urls }: Options): Promise<Child> {
  const { hostname, port } = new URL(urls.web);
  const child = supervisor.start({
    name: "web",
    command: process.execPath,
    args: [join(folder, "src/main.ts")],
    cwd: root,
    env: { HOST: hostname, PORT: port, API_URL: urls.api, UI_URL: urls.web },
  });
  await waitForListener(child, Number(port));
  return child;
}
