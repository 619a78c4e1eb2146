/** Measures how cost grows with size: two sizes, measured alternately in one run, so that other load affects both alike. */
import { expect } from "vitest";
import type { RealEngine } from "./real-engine.ts";

/** Twice the input may cost twice the time, and somewhat more if memory is short; a quadratic step makes it four times. */
export const linear = 3.4;

type Work = () => unknown;

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function costOf(work: Work): Promise<number> {
  const before = cpuMs();
  await work();
  return cpuMs() - before;
}

/**
 * Returns the cost of the larger work divided by that of the smaller, in CPU time. Both are measured alternately and
 * several times, and the minimum counts: noise only adds. If the growth is not less than `bound`, it is measured
 * longer.
 */
export async function growth(
  { small, large, rounds }: { readonly small: Work; readonly large: Work; readonly rounds: number },
  bound = linear,
): Promise<number> {
  const least = { small: Infinity, large: Infinity };
  // Below this the clock and the garbage collector dominate the measurement.
  const ratio = (): number => least.large / Math.max(least.small, 2);
  for (let round = 0; round < rounds || (round < 5 * rounds && ratio() >= bound); round += 1) {
    least.small = Math.min(least.small, await costOf(small));
    least.large = Math.min(least.large, await costOf(large));
  }
  return ratio();
}

/** Asks the engine for a verdict on a request that must be rejected. */
export function toReject({ ask }: RealEngine, request: object): Work {
  const text = JSON.stringify(request);
  return async () => {
    expect((await ask(text))?.decision).toBe("REJECT");
  };
}
