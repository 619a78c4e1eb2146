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

// By default vitest starts one worker on a machine with two cores.
const workers = { maxWorkers: 2 };
// One process loads a module once for all its files. Only for tests that leave no global state behind.
const fast = { ...seeded, ...workers, isolate: false, testTimeout: 30_000, hookTimeout: 60_000 };
// A process that is alive may take 180 s to start (tools/engines/wait.ts).
const hookTimeout = 240_000;
const slow = { fileParallelism: false, hookTimeout };

/**
 * The suffix of a file names its project.
 * - `*.test.ts` is `unit`: no database.
 * - `*.db.test.ts` is `db`: one PostgreSQL for the run, one database per file. `npm test` runs unit and db.
 * - `*.system.test.ts` is `system`: starts and kills whole processes. Those in apps/web/e2e are `pages`: the web app in
 *   a browser.
 * - `*.soak.test.ts` is `soak`: full sizes and timings, too long for every change.
 */
export default defineConfig({
  test: {
    // For tests of one file that run concurrently, on a machine with two cores.
    maxConcurrency: 3,
    projects: [
      {
        test: {
          name: "unit",
          include: tests("test"),
          exclude: [
            ...["db", "system", "soak"].flatMap((kind) => tests(`${kind}.test`)),
            "**/node_modules/**",
          ],
          ...fast,
        },
      },
      {
        test: {
          name: "db",
          include: tests("db.test"),
          exclude: ["**/node_modules/**"],
          globalSetup,
          ...fast,
        },
      },
      {
        test: {
          name: "system",
          include: tests("system.test"),
          exclude: [...pages, "**/node_modules/**"],
          globalSetup,
          ...seeded,
          ...workers,
          testTimeout: 180_000,
          hookTimeout,
        },
      },
      { test: { name: "pages", include: pages, testTimeout: 180_000, ...slow } },
      {
        test: {
          name: "soak",
          include: tests("soak.test"),
          globalSetup,
          env: { TEST_SIZE: "full" },
          testTimeout: 1_800_000,
          ...slow,
        },
      },
    ],
  },
});
