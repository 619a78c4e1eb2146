import { expect, test } from "vitest";
import { makeClear } from "./clear.ts";

test("deletes every ten minutes, and continues at once while there is more than one round's worth", async () => {
  let now = 1_000_000;
  const left = [5, 2];
  const rounds: number[] = [];
  const clears = left.map((_, index) => ({
    atMost: 2,
    run: async (atMost: number) => {
      const count = Math.min(atMost, left[index] ?? 0);
      left[index] = (left[index] ?? 0) - count;
      return count;
    },
  }));
  const clear = makeClear(clears, { now: () => new Date(now) });
  for (let round = 0; round < 4; round++) rounds.push(await clear());
  expect(rounds).toEqual([4, 2, 1, 0]);
  left[0] = 1;
  now += 9 * 60_000;
  expect(await clear()).toBe(0);
  now += 60_000;
  expect(await clear()).toBe(1);
});
