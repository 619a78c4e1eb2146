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
 * Where chance begins in a run of tests (RUN_SEED). In CI every change has a seed of its own, and the same change always the same:
 * what was green once is not red elsewhere by another throw of the dice. For who works on it, it is another each time.
 */
export function findRunSeed(): number {
  const given = process.env["RUN_SEED"];
  if (given !== undefined) return Number(given);
  return (process.env["CI"] === undefined ? undefined : seedOfCommit()) ?? randomInt(2 ** 31);
}

/** That of one test: the one that its own variable names, so that it can be repeated by itself, or that of the run. */
export const seedFor = (variable: string): number => Number(process.env[variable] ?? findRunSeed());
