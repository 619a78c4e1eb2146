import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { backOffMs, pauseAfter, readRetryAfter } from "./retry.ts";

const refused = fc.record({
  status: fc.integer({ min: 300, max: 599 }),
  retryAfterMs: fc.option(fc.nat(200_000), { nil: undefined }),
});
const course = fc.record({
  count: fc.nat(100),
  isRepeatable: fc.boolean(),
  isKeyed: fc.boolean(),
  mayBeUnderWay: fc.boolean(),
});

describe("pauseAfter", () => {
  test("retries a request that is not idempotent only after 429", () => {
    fc.assert(
      fc.property(course, fc.oneof(refused, fc.constant("lost" as const)), (given, outcome) => {
        const pause = pauseAfter({ ...given, isRepeatable: false }, outcome);
        expect(pause === undefined || (outcome !== "lost" && outcome.status === 429)).toBe(true);
      }),
    );
  });

  test("never retries client errors", () => {
    fc.assert(
      fc.property(course, fc.constantFrom(400, 401, 403, 404, 410, 413, 422, 501), (given, status) => {
        expect(pauseAfter(given, { status, retryAfterMs: 0 })).toBeUndefined();
      }),
    );
  });

  test("waits for Retry-After with little jitter, or gives up", () => {
    fc.assert(
      fc.property(course, refused, (given, outcome) => {
        const pause = pauseAfter(given, outcome);
        if (pause === undefined || outcome.retryAfterMs === undefined) return;
        expect(pause).toBeGreaterThanOrEqual(outcome.retryAfterMs);
        expect(pause).toBeLessThanOrEqual(Math.min(60_000, outcome.retryAfterMs) + 100);
      }),
    );
  });

  test("retries a 409 only with an idempotency key", () => {
    fc.assert(
      fc.property(course, refused, (given, outcome) => {
        const unkeyed = { ...given, isKeyed: false };
        expect(pauseAfter(unkeyed, { ...outcome, status: 409 })).toBeUndefined();
      }),
    );
  });
});

test("bounds the backoff and never returns 0", () => {
  fc.assert(
    fc.property(fc.nat(), (count) => {
      expect(backOffMs(count)).toBeGreaterThanOrEqual(125);
      expect(backOffMs(count)).toBeLessThanOrEqual(8_000);
    }),
  );
});

describe("readRetryAfter", () => {
  const now = Date.parse("Sun, 06 Nov 2033 08:49:37 GMT");
  test.each([
    [{}, undefined],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "120" }, 120_000],
    [{ "retry-after": "Sun, 06 Nov 2033 08:49:47 GMT" }, 10_000],
    [{ "retry-after": "Sun, 06 Nov 1994 08:49:37 GMT" }, 0],
    // By its clock, whatever ours says.
    [{ "retry-after": "Sun, 06 Nov 1994 08:49:40 GMT", date: "Sun, 06 Nov 1994 08:49:37 GMT" }, 3_000],
    [{ "retry-after": "-1" }, undefined],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "1.5" }, undefined],
  ])("%j is %s ms", (headers, expected) => {
    expect(readRetryAfter(new Headers(headers as Record<string, string>), now)).toBe(expected);
  });
});
