import { defineConfig } from "vitest/config";

const globalSetup = ["tools/testing/postgres-for-tests.ts"];
const everywhere = ["apps/**", "packages/**", "contracts/**", "tools/**"];
const tests = (suffix: string) => everywhere.map((place) => `${place}/*.${suffix}.ts`);

// Three suites. `fast` is what you run all day: pure tests and tests on a real Postgres. `system` starts and kills whole
// processes, so its files run one after the other. `soak` is the same at full size, too long for every change.
const slow = { fileParallelism: false, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "fast",
          include: tests("test"),
          exclude: [...tests("system.test"), ...tests("soak.test"), "**/node_modules/**"],
          globalSetup,
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // Left to itself the runner keeps to one on a machine of two cores, and the suite waits for the database.
          maxWorkers: 2,
          isolate: false,
        },
      },
      { test: { name: "system", include: tests("system.test"), globalSetup, testTimeout: 180_000, ...slow } },
      { test: { name: "soak", include: tests("soak.test"), globalSetup, testTimeout: 1_800_000, ...slow } },
    ],
  },
});
