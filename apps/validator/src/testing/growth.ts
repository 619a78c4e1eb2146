/** How cost grows with size, told by two sizes measured in turns in one run: what else the machine does falls on both alike. */
import { expect } from "vitest";
import type { RealEngine } from "./real-engine.ts";

/** Twice the input may cost twice the time, and somewhat more where memory is short; a quadratic step makes it four times. */
export const linear = 3.4;

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function costOf({ ask }: RealEngine, text: string): Promise<number> {
  const before = cpuMs();
  const verdict = await ask(text);
  expect(verdict?.decision).toBe("REJECT");
  return cpuMs() - before;
}

/**
 * What the larger costs over what the smaller costs. The least of several, of both in turns: noise only ever adds, so that
 * a suspicion is looked at longer.
 */
export async function growth(
  real: RealEngine,
  { small, large, rounds }: { readonly small: object; readonly large: object; readonly rounds: number },
): Promise<number> {
  const [less, more] = [small, large].map((request) => JSON.stringify(request));
  const least = { small: Infinity, large: Infinity };
  // Below this the clock and the collector are what is measured.
  const ratio = (): number => least.large / Math.max(least.small, 2);
  for (let round = 0; round < rounds || (round < 5 * rounds && ratio() >= linear); round += 1) {
    least.small = Math.min(least.small, await costOf(real, less ?? ""));
    least.large = Math.min(least.large, await costOf(real, more ?? ""));
  }
  return ratio();
}
