import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { workTogether, type Outcome } from "./work-together.ts";

const done = <T>(result: T): Outcome<T> => ({ kind: "done", result });

function recorded(
  work: (items: readonly number[]) => readonly Outcome<number>[] = (items) => items.map(done),
  { atMost = 100, groups = 1, isAllOrNothing = false } = {},
) {
  const all: (readonly number[])[] = [];
  let running = 0;
  let most = 0;
  const ask = workTogether<number, number>({
    ...{ atMost, groups, isAllOrNothing },
    work: async (items) => {
      all.push(items);
      most = Math.max(most, ++running);
      await sleep(2);
      running--;
      return work(items);
    },
  });
  return { ask, all, most: () => most };
}

test("does at once what is asked for at the same time, and next what is asked for meanwhile", async () => {
  const { ask, all } = recorded();
  const first = [1, 2, 3].map(ask);
  await sleep(1);
  const later = [4, 5].map(ask);
  expect(await Promise.all([...first, ...later])).toEqual([1, 2, 3, 4, 5]);
  expect(all).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
});

test("gives every item its own result, in groups of at most so many and so many at a time", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(), { maxLength: 30 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 3 }),
      async (items, atMost, groups) => {
        const { ask, all, most } = recorded((given) => given.map((item) => done(item + 1)), {
          atMost,
          groups,
        });
        expect(await Promise.all(items.map(ask))).toEqual(items.map((item) => item + 1));
        expect(all.every((group) => group.length <= atMost)).toBe(true);
        expect(most()).toBeLessThanOrEqual(groups);
        expect(all.flat().length).toBe(items.length);
      },
    ),
    { numRuns: 20 },
  );
});

test("an item that fails does not fail the others of its group", async () => {
  const { ask, all } = recorded((items) =>
    items.map((item) => (item === 2 ? { kind: "failed", error: new Error("two") } : done(item))),
  );
  const results = await Promise.allSettled([1, 2, 3].map(ask));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(all).toEqual([[1, 2, 3]]);
});

test("an item that has to wait for another one of its group is in the next", async () => {
  const { ask, all } = recorded((items) =>
    items.map((item, index) => (index > 0 && item === items[0] ? { kind: "again" } : done(item))),
  );
  expect(await Promise.all([7, 7, 8, 7].map(ask))).toEqual([7, 7, 8, 7]);
  expect(all).toEqual([[7, 7, 8, 7], [7, 7], [7]]);
});

test("a group that fails is tried one by one, so that only the culprit fails", async () => {
  const { ask, all } = recorded((items) => {
    if (items.includes(2)) throw new Error("whole group");
    return items.map(done);
  });
  const results = await Promise.allSettled([1, 2, 3].map(ask));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(all).toEqual([[1, 2, 3], [1], [2], [3]]);
});

test("a group that is all or nothing fails as a whole, once", async () => {
  const { ask, all } = recorded(
    () => {
      throw new Error("whole group");
    },
    { isAllOrNothing: true },
  );
  const results = await Promise.allSettled([1, 2].map(ask));
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(all).toEqual([[1, 2]]);
});
