// A copy of the checkout for one document, deleted afterwards, so that its commands do not affect others.
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { makeTempDir } from "../testing/temp-dir.ts";

// Generated or private files. Installed packages are linked instead of copied because they are large.
const left: readonly string[] = [".git", ".data", "dist", "coverage"];

export type Checkout = {
  readonly root: string;
  /** A home folder: what a command remembers of its user does not end up with the developer's. */
  readonly home: string;
  /** Outside the copy, so that no command comes across it. */
  readonly steps: string;
  readonly remove: () => void;
};

export function copyCheckout(root: string): Checkout {
  const dir = makeTempDir("docs");
  const copy = join(dir, "countersign");
  const home = join(dir, "home");
  const steps = join(dir, "steps");
  cpSync(root, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source, place) => {
      if (basename(source) !== "node_modules") return !left.includes(basename(source));
      pointTo(source, place);
      return false;
    },
  });
  mkdirSync(home);
  mkdirSync(steps);
  return {
    root: copy,
    home,
    steps,
    remove: () => {
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** A folder of pointers, not a pointer to the folder: `npm ci` empties what it finds, and must not find the developer's. */
function pointTo(installed: string, place: string): void {
  mkdirSync(place);
  for (const name of readdirSync(installed)) symlinkSync(join(installed, name), join(place, name));
}
