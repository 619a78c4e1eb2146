import { expect, test } from "vitest";
import { makeMemory } from "./remember.ts";
import { makeBreaker, makeBudget } from "./throttle.ts";

const aClock = () => {
  let ms = 1_800_000_000_000;
  return {
    now: () => new Date(ms),
    pass: (more: number) => {
      ms += more;
    },
  };
};

test("a breaker rests after consecutive failures, lets one call through, and resumes if it succeeds", () => {
  const clock = aClock();
  const breaker = makeBreaker({ clock, failures: 2, restMs: 1000 });
  breaker.failed();
  breaker.succeeded();
  breaker.failed();
  expect([breaker.mayCall(), breaker.state()]).toEqual([true, "ok"]);
  breaker.failed();
  expect([breaker.mayCall(), breaker.state()]).toEqual([false, "resting"]);
  clock.pass(1000);
  expect([breaker.mayCall(), breaker.mayCall()]).toEqual([true, false]);
  breaker.failed();
  clock.pass(999);
  expect(breaker.mayCall()).toBe(false);
  clock.pass(1);
  expect(breaker.mayCall()).toBe(true);
  breaker.succeeded();
  expect([breaker.mayCall(), breaker.mayCall(), breaker.state()]).toEqual([true, true, "ok"]);
});

test("a budget allows a number of calls per minute, and none at zero", () => {
  const clock = aClock();
  const take = makeBudget({ clock, perMinute: 2 });
  expect([take(), take(), take()]).toEqual([true, true, false]);
  clock.pass(60_000);
  expect(take()).toBe(true);
  expect(makeBudget({ clock, perMinute: 0 })()).toBe(false);
});

test("a cache drops entries after their lifetime, and the oldest first", () => {
  const clock = aClock();
  const memory = makeMemory<number>({ clock, ttlMs: 1000, size: 2 });
  for (const [key, value] of Object.entries({ a: 1, b: 2, c: 3 })) memory.record(key, value);
  expect(["a", "b", "c"].map(memory.find)).toEqual([undefined, 2, 3]);
  clock.pass(1000);
  expect(memory.find("c")).toBeUndefined();
});
