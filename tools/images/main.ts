// npm run images [-- <target> …]: builds the images of the Dockerfile with buildah, offline except for Debian and npm.
import { join } from "node:path";
import { ensureBaseImages } from "./base-images.ts";
import { run } from "./run.ts";

const targets = ["api", "worker", "migrate", "orion", "validator", "simulator", "web"] as const;

const root = join(import.meta.dirname, "../..");

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** The date of the last commit: equal sources give equal images. */
const sourceDate = (): string => run("git", ["-C", root, "log", "-1", "--format=%ct"]).trim();

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

function build(target: string): void {
  const tag = `countersign/${target}`;
  const started = performance.now();
  run("buildah", [
    ...["bud", "--quiet", "--isolation", "chroot", "--layers", "--pull-never"],
    ...["--timestamp", sourceDate(), "--target", target, "--tag", tag, root],
  ]);
  const about = JSON.parse(run("buildah", ["inspect", "--type", "image", tag])) as {
    FromImageDigest: string;
  };
  const size = run("podman", ["image", "inspect", "--format", "{{.Size}}", tag]).trim();
  const seconds = Math.round((performance.now() - started) / 1000);
  print(`${tag}  ${megabytes(Number(size))}  ${about.FromImageDigest}  (${seconds} s)`);
}

const asked = process.argv.slice(2);
ensureBaseImages(print);
for (const target of asked.length > 0 ? asked : targets) build(target);
