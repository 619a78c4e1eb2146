import { defineConfig } from "vitest/config";

const everywhere = ["apps/**", "packages/**", "contracts/**", "tools/**"];
const tests = (suffix: string) => everywhere.map((place) => `${place}/*.${suffix}.ts`);

// Two suites. `fast` is what you run all day: pure tests and tests on a real Postgres. `system` starts and kills whole
// processes, so its files run one after the other.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "fast",
          include: tests("test"),
          exclude: [...tests("system.test"), "**/node_modules/**"],
          globalSetup: ["tools/testing/postgres-for-tests.ts"],
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: "system",
          include: tests("system.test"),
          globalSetup: ["tools/testing/postgres-for-tests.ts"],
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
