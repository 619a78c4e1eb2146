import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeCollector } from "./collect.ts";

function recorded({ atMost = 100, everyMs = 200 } = {}) {
  const sent: (readonly number[])[] = [];
  const collector = makeCollector<number>({
    ...{ atMost, everyMs },
    send: async (items) => {
      sent.push(items);
      await sleep(1);
    },
  });
  return { ...collector, sent };
}

test("sends at once, and then together what came in the meantime", async () => {
  const { add, drain, sent } = recorded();
  add(1);
  add(2);
  while (sent.length === 0) await sleep(0);
  expect(sent).toEqual([[1, 2]]);
  add(3);
  add(4);
  await drain();
  expect(sent).toEqual([
    [1, 2],
    [3, 4],
  ]);
  add(5);
  await drain();
  expect(sent.at(-1)).toEqual([5]);
});

test("sends no more than the limit at a time, and the rest without a pause", async () => {
  const { add, drain, sent } = recorded({ atMost: 2, everyMs: 1 });
  for (const item of [1, 2, 3, 4, 5]) add(item);
  await drain();
  expect(sent).toEqual([[1, 2], [3, 4], [5]]);
});
