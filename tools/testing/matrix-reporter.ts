// The test matrix: every status that an endpoint can answer has a test that is named by it, as in
// describe("GET /health") and test("200: is degraded, not down, while the engine is away"). A run that leaves one out
// fails. Used by `npm test`; a run of some files only is not checked.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>;
};

const root = join(import.meta.dirname, "../..");
const reference = join(root, "docs/reference");

const cell = (app: string, endpoint: string, status: string): string => `apps/${app}: ${endpoint} ${status}`;

/** The statuses in the generated documents. */
function readMatrix(): readonly string[] {
  return readdirSync(reference).flatMap((file) => {
    const app = /^openapi\.(.+)\.json$/.exec(file)?.[1];
    if (app === undefined) return [];
    const { paths } = JSON.parse(readFileSync(join(reference, file), "utf8")) as Document;
    return Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { responses }]) =>
        Object.keys(responses).map((status) => cell(app, `${method.toUpperCase()} ${path}`, status)),
      ),
    );
  });
}

/** Which cell of the matrix a test fills, if any. */
export function cellOf(file: string, names: readonly string[]): string | undefined {
  const app = /(?:^|\/)apps\/([^/]+)\//.exec(file)?.[1];
  // "POST /channels with an e-mail address" is about POST /channels.
  const endpoint = names
    .map((name) => /^(?:GET|POST|PUT|PATCH|DELETE) \/\S*/.exec(name)?.[0])
    .find((name) => name !== undefined);
  const status = /^(\d{3}): /.exec(names.at(-1) ?? "")?.[1];
  return app === undefined || endpoint === undefined || status === undefined
    ? undefined
    : cell(app, endpoint, status);
}

const passedTests = (modules: readonly TestModule[]) =>
  modules.flatMap((module) =>
    [...module.children.allTests("passed")].map((test) =>
      cellOf(module.moduleId, test.fullName.split(" > ")),
    ),
  );

const count = (modules: readonly TestModule[], state: "passed" | "failed" | "skipped"): number =>
  modules.reduce((sum, module) => sum + [...module.children.allTests(state)].length, 0);

export default class MatrixReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const filled = new Set(passedTests(modules));
    const matrix = readMatrix();
    const missing = matrix.filter((wanted) => !filled.has(wanted));
    if (missing.length > 0) {
      console.error(
        `\nNo passing test is named by these answers:\n${missing.map((wanted) => `  ${wanted}`).join("\n")}`,
      );
      process.exitCode = 1;
    } else
      console.log(
        `\nAll ${matrix.length} answers of the endpoints have a passing test that is named by them.`,
      );
    console.log(
      `Tests: ${count(modules, "passed")} passed, ${count(modules, "failed")} failed, ${count(modules, "skipped")} skipped`,
    );
  }
}
