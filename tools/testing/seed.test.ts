import { afterEach, describe, expect, test, vi } from "vitest";
import { findRunSeed, seedFor } from "./seed.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("the seed of a run", () => {
  test("is the same for the same change in CI", () => {
    vi.stubEnv("RUN_SEED", undefined);
    vi.stubEnv("CI", "true");
    expect(findRunSeed()).toBe(findRunSeed());
  });

  test("is another each time elsewhere", () => {
    vi.stubEnv("RUN_SEED", undefined);
    vi.stubEnv("CI", undefined);
    expect(new Set(Array.from({ length: 20 }, findRunSeed)).size).toBeGreaterThan(1);
  });

  test("can be given, for all of it or for one test", () => {
    vi.stubEnv("RUN_SEED", "7");
    vi.stubEnv("MODEL_SEED", "8");
    expect([findRunSeed(), seedFor("MODEL_SEED"), seedFor("OTHER_SEED")]).toEqual([7, 8, 7]);
  });
});
