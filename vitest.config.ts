import { defineConfig } from "vitest/config";
import { findRunSeed } from "./tools/testing/seed.ts";

const globalSetup = ["tools/testing/postgres-for-tests.ts"];
const seeded = {
  env: { RUN_SEED: String(findRunSeed()) },
  setupFiles: ["tools/testing/seed-properties.ts"],
};
const everywhere = ["apps/**", "packages/**", "contracts/**", "tools/**"];
const pages = ["apps/web/e2e/*.system.test.ts"];
const tests = (suffix: string) => everywhere.map((place) => `${place}/*.${suffix}.ts`);

// Four suites. `fast` is what you run all day: pure tests and tests on a real Postgres. `system` starts and kills whole
// processes, each file its own, and mostly waits for them. `pages` is the web app in a real browser, on a system of its own.
// `soak` is all that is too long for every change.
const slow = { fileParallelism: false, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    // Where tests of one file go side by side, on a machine of two cores.
    maxConcurrency: 3,
    projects: [
      {
        test: {
          name: "fast",
          include: tests("test"),
          exclude: [...tests("system.test"), ...tests("soak.test"), "**/node_modules/**"],
          globalSetup,
          ...seeded,
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // Left to itself the runner keeps to one on a machine of two cores, and the suite waits for the database.
          maxWorkers: 2,
          isolate: false,
        },
      },
      {
        test: {
          name: "system",
          include: tests("system.test"),
          exclude: [...pages, "**/node_modules/**"],
          globalSetup,
          ...seeded,
          testTimeout: 180_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
      { test: { name: "pages", include: pages, testTimeout: 180_000, ...slow } },
      { test: { name: "soak", include: tests("soak.test"), globalSetup, testTimeout: 1_800_000, ...slow } },
    ],
  },
});
