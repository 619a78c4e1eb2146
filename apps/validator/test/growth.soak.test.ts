import { expect, test } from "vitest";
import { growth, linear } from "./growth.ts";

/** Counts up to now, in a way that the compiler cannot remove. */
function toCount(steps: number): () => void {
  return () => {
    let sum = 0;
    for (let i = 0; i < steps; i++) sum = (sum + i) % 1_000_003;
    expect(sum).toBeGreaterThanOrEqual(0);
  };
}

test("distinguishes linear growth from quadratic growth", async () => {
  const million = 1_000_000;
  const line = { small: toCount(2 * million), large: toCount(4 * million), rounds: 3 };
  expect(await growth(line)).toBeLessThan(linear);
  const square = { small: toCount(2 * million), large: toCount(8 * million), rounds: 10 };
  expect(await growth(square)).toBeGreaterThan(linear);
});
