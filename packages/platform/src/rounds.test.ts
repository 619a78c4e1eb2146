import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startRounds } from "./rounds.ts";

test("reports a failed round and runs the next", async () => {
  let [rounds, errors] = [0, 0];
  const { stop } = startRounds({
    everyMs: 1,
    run: async () => {
      if (++rounds % 2 === 0) throw new Error("no");
    },
    onError: () => errors++,
  });
  while (errors < 2) await sleep(1);
  await stop();
  expect(rounds).toBeGreaterThanOrEqual(4);
});

test("never runs rounds concurrently, and runs a requested one right after", async () => {
  let [under, most, rounds] = [0, 0, 0];
  const { goNow, stop } = startRounds({
    everyMs: 60_000,
    run: async () => {
      most = Math.max(most, ++under);
      await sleep(5);
      under--;
      rounds++;
    },
    onError: () => undefined,
  });
  for (let asked = 0; asked < 10; asked++) goNow();
  while (rounds < 2) await sleep(1);
  goNow();
  while (rounds < 3) await sleep(1);
  await stop();
  expect(most).toBe(1);
});

test("stopping aborts the current round, waits for it, and starts no other", async () => {
  let rounds = 0;
  let told = false;
  const { goNow, stop } = startRounds({
    everyMs: 1,
    run: async (signal) => {
      rounds++;
      await new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => {
          resolve();
        });
      });
      told = true;
    },
    onError: () => undefined,
  });
  await stop();
  expect(told).toBe(true);
  goNow();
  await sleep(10);
  expect(rounds).toBe(1);
});
