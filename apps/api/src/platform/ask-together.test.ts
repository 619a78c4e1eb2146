import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { askTogether } from "./ask-together.ts";

/** A store that answers on demand and records its queries. */
function aRecord() {
  const asked: {
    readonly ids: readonly string[];
    readonly answer: PromiseWithResolvers<ReadonlySet<string>>;
  }[] = [];
  const isLive = askTogether((ids) => {
    const answer = Promise.withResolvers<ReadonlySet<string>>();
    asked.push({ ids, answer });
    return answer.promise;
  });
  return {
    isLive,
    asked: () => asked.map(({ ids }) => ids),
    answer: (index: number, live: readonly string[]) => asked[index]?.answer.resolve(new Set(live)),
    fail: (index: number) => asked[index]?.answer.reject(new Error("the record is away")),
  };
}

test("batches concurrent queries, and each caller gets its own answer", async () => {
  const { isLive, asked, answer } = aRecord();
  const answers = Promise.all([isLive("a"), isLive("b"), isLive("a")]);
  await nextTurn();
  expect(asked()).toEqual([["a", "b"]]);
  answer(0, ["a"]);
  expect(await answers).toEqual([true, false, true]);
});

test("a query that comes while a similar one is in progress is sent again: no answer is older than its query", async () => {
  const { isLive, asked, answer } = aRecord();
  const before = isLive("a");
  await nextTurn();
  const after = isLive("a");
  await nextTurn();
  expect(asked()).toEqual([["a"], ["a"]]);
  answer(0, ["a"]);
  answer(1, []);
  expect([await before, await after]).toEqual([true, false]);
});

test("reports a failure to its callers, and the next query is unaffected", async () => {
  const { isLive, asked, answer, fail } = aRecord();
  const failed = isLive("a");
  await nextTurn();
  fail(0);
  await expect(failed).rejects.toThrow("the record is away");
  const next = isLive("a");
  await nextTurn();
  expect(asked()).toHaveLength(2);
  answer(1, ["a"]);
  expect(await next).toBe(true);
});
