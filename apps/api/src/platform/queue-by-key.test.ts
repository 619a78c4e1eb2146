import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeQueueByKey } from "./queue-by-key.ts";

test("runs the work of one key one after another, in order", async () => {
  const queue = makeQueueByKey();
  const seen: string[] = [];
  const work = (name: string, ms: number) => async () => {
    seen.push(`${name} begins`);
    await sleep(ms);
    seen.push(`${name} ends`);
    return name;
  };
  const results = await Promise.all([queue("a", work("one", 20)), queue("a", work("two", 0))]);
  expect(results).toEqual(["one", "two"]);
  expect(seen).toEqual(["one begins", "one ends", "two begins", "two ends"]);
});

test("work of another key does not wait", async () => {
  const queue = makeQueueByKey();
  const never = queue("a", () => new Promise(() => undefined));
  expect(await queue("b", async () => "done")).toBe("done");
  expect(await Promise.race([never, sleep(5, "waiting")])).toBe("waiting");
});

test("an error reaches its own caller, and the next work runs", async () => {
  const queue = makeQueueByKey();
  const failed = queue("a", async () => {
    throw new Error("no");
  });
  const next = queue("a", async () => "yes");
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("yes");
});
