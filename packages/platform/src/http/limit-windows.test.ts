import fc from "fast-check";
import { expect, test } from "vitest";
import { makeWindows } from "./limit-windows.ts";
import { aClock } from "../../test/http.ts";

const minute = 60_000;
const begin = Date.parse("2026-01-01T00:00:00Z");

test("a window begins with its first request, not with the minute, and lasts a minute", () => {
  const clock = aClock();
  const windows = makeWindows(clock, minute);
  clock.move(59_000);
  expect(windows.count("a")).toMatchObject({ count: 1, endsAtMs: begin + 59_000 + minute });
  clock.move(minute - 1);
  expect(windows.count("a").count).toBe(2);
  clock.move(1);
  expect(windows.count("a").count).toBe(1);
});

test("a clock that is set back does not hold a caller for longer than a window", () => {
  const clock = aClock();
  const windows = makeWindows(clock, minute);
  windows.count("a");
  clock.move(-1);
  expect(windows.count("a").count).toBe(2);
  clock.move(-3_600_000);
  expect(windows.count("a").count).toBe(1);
});

test("joins the shared window it finds under way, and goes on from there without it", () => {
  const clock = aClock();
  const windows = makeWindows(clock, minute);
  const shared = { count: 100, endsAtMs: begin + 20_000 };
  expect(windows.count("a").learn(shared)).toEqual(shared);
  expect(windows.count("a")).toMatchObject({ count: 101, endsAtMs: begin + 20_000 });
  clock.move(20_000);
  expect(windows.count("a").count).toBe(1);
});

test("is not reset by shared counts that were lost and begin again at one", () => {
  const windows = makeWindows(aClock(), minute);
  for (let i = 0; i < 9; i++) windows.count("a");
  expect(windows.count("a").learn({ count: 1, endsAtMs: begin + minute })).toMatchObject({ count: 10 });
  expect(windows.count("a").count).toBe(11);
});

test("lets a shared window that ends soon bind the request, but not the rest of a window of its own", () => {
  const windows = makeWindows(aClock(), minute);
  windows.count("a");
  const ending = { count: 250, endsAtMs: begin + 3 };
  expect(windows.count("a").learn(ending)).toEqual(ending);
  expect(windows.count("a")).toMatchObject({ count: 3, endsAtMs: begin + minute });
});

test("an answer that comes after its window ended changes nothing in the next one", () => {
  const clock = aClock();
  const windows = makeWindows(clock, minute);
  const late = windows.count("a");
  clock.move(minute);
  windows.count("a");
  late.learn({ count: 250, endsAtMs: begin + minute + 1 });
  expect(windows.count("a").count).toBe(2);
});

test("whatever the shared counts say, no more than the limit passes in one window of this process", () => {
  const limit = 5;
  const step = fc.record({
    ms: fc.integer({ min: 0, max: 9_000 }),
    shared: fc.option(fc.record({ count: fc.integer({ min: 1, max: 8 }), endsInMs: fc.nat(minute) })),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const clock = aClock();
      const windows = makeWindows(clock, minute);
      let passed = 0;
      for (const { ms, shared } of steps) {
        clock.move(ms);
        const own = windows.count("a");
        if (own.count === 1) passed = 0;
        const nowMs = clock.now().getTime();
        const binding = shared === null ? own : own.learn({ ...shared, endsAtMs: nowMs + shared.endsInMs });
        if (own.count <= limit && binding.count <= limit) passed++;
        expect(passed).toBeLessThanOrEqual(limit);
      }
    }),
  );
});
