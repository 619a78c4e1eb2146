/** How cost grows with size, told by two sizes measured in turns in one run: what else the machine does falls on both alike. */
import { expect } from "vitest";
import type { RealEngine } from "./real-engine.ts";

/** Twice the input may cost twice the time, and somewhat more where memory is short; a quadratic step makes it four times. */
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
 * What the larger work costs over what the smaller costs, by the processor's clock. The least of several, of both in turns:
 * noise only ever adds, so that a suspicion, a growth that is not less than `bound`, is looked at longer.
 */
export async function growth(
  { small, large, rounds }: { readonly small: Work; readonly large: Work; readonly rounds: number },
  bound = linear,
): Promise<number> {
  const least = { small: Infinity, large: Infinity };
  // Below this the clock and the collector are what is measured.
  const ratio = (): number => least.large / Math.max(least.small, 2);
  for (let round = 0; round < rounds || (round < 5 * rounds && ratio() >= bound); round += 1) {
    least.small = Math.min(least.small, await costOf(small));
    least.large = Math.min(least.large, await costOf(large));
  }
  return ratio();
}

/** To ask the engine for a verdict on what must be rejected. */
export function toReject({ ask }: RealEngine, request: object): Work {
  const text = JSON.stringify(request);
  return async () => {
    expect((await ask(text))?.decision).toBe("REJECT");
  };
}
