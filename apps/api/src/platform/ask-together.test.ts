import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { askTogether } from "./ask-together.ts";

/** A record that answers when it is told to, and keeps what it was asked. */
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

test("questions that come up together are one, and each gets its own answer", async () => {
  const { isLive, asked, answer } = aRecord();
  const answers = Promise.all([isLive("a"), isLive("b"), isLive("a")]);
  await nextTurn();
  expect(asked()).toEqual([["a", "b"]]);
  answer(0, ["a"]);
  expect(await answers).toEqual([true, false, true]);
});

test("a question that comes up while its like is under way is asked anew: no answer is older than its question", async () => {
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

test("a failure is told to those who asked, and the next question is asked as if nothing had been", async () => {
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
