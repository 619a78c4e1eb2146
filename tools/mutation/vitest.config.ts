// The tests of one area, run in Stryker's copy of the repository. MUTATION_TESTS holds their globs as JSON.
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { keepThread } from "./kept-thread.ts";

const root = join(import.meta.dirname, "../..");
const tests = JSON.parse(process.env["MUTATION_TESTS"] ?? "[]") as string[];

export default defineConfig({
  root,
  plugins: [keepThread],
  test: {
    include: tests,
    // The copy is below node_modules. Its files are evaluated by Vitest nevertheless, again for each test file.
    server: { deps: { inline: [new RegExp(`^${root}/(?!node_modules/)`)] } },
    globalSetup: tests.some((glob) => glob.includes(".db."))
      ? [join(root, "tools/testing/postgres-for-tests.ts")]
      : [],
    // A mutant that one seed notices and another does not would come and go.
    env: { RUN_SEED: "1" },
    setupFiles: [
      join(import.meta.dirname, "forget-mutant.ts"),
      join(root, "tools/testing/seed-properties.ts"),
    ],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
