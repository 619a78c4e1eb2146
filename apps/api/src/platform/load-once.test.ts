import { expect, test } from "vitest";
import { loadOnce } from "./load-once.ts";

test("loads once, also for concurrent callers", async () => {
  let loads = 0;
  const read = loadOnce(async () => ++loads);
  expect(await Promise.all([read(), read()])).toEqual([1, 1]);
  expect(await read()).toBe(1);
});

test("retries after a failure", async () => {
  let loads = 0;
  const read = loadOnce(async () => {
    if (++loads === 1) throw new Error("away");
    return loads;
  });
  await expect(read()).rejects.toThrow("away");
  expect(await read()).toBe(2);
});
