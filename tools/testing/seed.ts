import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";

/** The first bits of what the commit holds; undefined where there is no commit. */
function seedOfCommit(): number | undefined {
  try {
    const tree = execFileSync("git", ["rev-parse", "HEAD^{tree}"], { stdio: ["ignore", "pipe", "ignore"] });
    return Number.parseInt(tree.toString().slice(0, 7), 16);
  } catch {
    return undefined;
  }
}

/**
 * Returns the seed of a test run (RUN_SEED). In CI it comes from the commit, so that every run of the same change gets the
 * same random values. On a developer's machine it is new each time.
 */
export function findRunSeed(): number {
  const given = process.env["RUN_SEED"];
  if (given !== undefined) return Number(given);
  return (process.env["CI"] === undefined ? undefined : seedOfCommit()) ?? randomInt(2 ** 31);
}

/** Returns the seed of one test: from its own variable, so that it can be repeated alone, or that of the run. */
export const seedFor = (variable: string): number => Number(process.env[variable] ?? findRunSeed());
