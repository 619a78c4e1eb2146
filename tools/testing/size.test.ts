import { afterEach, expect, test, vi } from "vitest";
import { sizeOf } from "./size.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

test("a test runs a part of its size for each change, and all of it in soak", () => {
  vi.stubEnv("TEST_SIZE", undefined);
  expect(sizeOf({ part: 3, all: 30 })).toBe(3);
  vi.stubEnv("TEST_SIZE", "full");
  expect(sizeOf({ part: 3, all: 30 })).toBe(30);
});
