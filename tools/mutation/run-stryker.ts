// Runs Stryker over one area and returns the result of each mutant.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Area } from "./areas.ts";

const root = join(import.meta.dirname, "../..");
const cache = join(root, "node_modules/.cache/mutation");
const require = createRequire(import.meta.url);

type Place = { readonly line: number; readonly column: number };
type Reported = {
  readonly status: string;
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly location: { readonly start: Place; readonly end: Place };
};
type Report = {
  readonly files: Readonly<
    Record<string, { readonly source: string; readonly mutants: readonly Reported[] }>
  >;
};

export type Mutant = {
  readonly file: string;
  /** As Stryker says it: Killed, Timeout, Survived, NoCoverage, Ignored, RuntimeError. */
  readonly status: string;
  readonly line: number;
  /** The text that was replaced, and by what, each on one line. */
  readonly from: string;
  readonly to: string;
};

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim().slice(0, 160);

function textBetween(source: string, { start, end }: Reported["location"]): string {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines
    .map((line, index) =>
      line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined),
    )
    .join("\n");
}

function mutantsIn(report: Report): readonly Mutant[] {
  return Object.entries(report.files).flatMap(([file, { source, mutants }]) =>
    mutants.map(({ status, mutatorName, replacement, location }) => ({
      ...{ file, status, line: location.start.line },
      from: onOneLine(textBetween(source, location)),
      to: onOneLine(replacement ?? mutatorName),
    })),
  );
}

/** Stryker would reuse the survival of code that runs while a module loads, even if there are new tests. */
function forgetSurvivors(file: string): void {
  if (!existsSync(file)) return;
  const report = JSON.parse(readFileSync(file, "utf8")) as Report;
  const files = Object.entries(report.files).map(([name, one]) => [
    name,
    { ...one, mutants: one.mutants.filter(({ status }) => status !== "Survived" && status !== "NoCoverage") },
  ]);
  writeFileSync(file, JSON.stringify({ ...report, files: Object.fromEntries(files) as Report["files"] }));
}

export type RunOptions = {
  /** Mutates these parts only instead of all of the area's sources, as in "file.ts:10-34". */
  readonly mutate?: readonly string[];
  readonly concurrency: number;
  /** Do not reuse the results of unchanged code and tests. */
  readonly fresh: boolean;
};

export async function runStryker(area: Area, options: RunOptions): Promise<readonly Mutant[]> {
  mkdirSync(cache, { recursive: true });
  const isPart = options.mutate !== undefined;
  const name = isPart ? `${area.name}-part` : area.name;
  const [config, report] = [join(cache, `${name}.config.json`), join(cache, `${name}.report.json`)];
  const incrementalFile = join(cache, `${area.name}.incremental.json`);
  rmSync(report, { force: true });
  if (!isPart) forgetSurvivors(incrementalFile);
  writeFileSync(
    config,
    JSON.stringify({
      testRunner: "vitest",
      plugins: [
        require.resolve("@stryker-mutator/vitest-runner"),
        join(import.meta.dirname, "ignore-sentences.ts"),
      ],
      ignorers: ["sentences"],
      vitest: { configFile: "tools/mutation/vitest.config.ts", related: false },
      mutate: options.mutate ?? area.sources,
      ignorePatterns: ["docs", "examples", "contracts/out", "apps/web", "dist", "tools/*/node_modules"],
      coverageAnalysis: "perTest",
      concurrency: options.concurrency,
      reporters: ["json", "progress-append-only"],
      jsonReporter: { fileName: report },
      incremental: !isPart,
      incrementalFile,
      force: options.fresh,
      tempDirName: join("node_modules/.cache/mutation", `copy-${name}`),
      // Nothing here may depend on how fast a machine is: a mutant that loops is slower by far.
      timeoutMS: 30_000,
    }),
  );
  const stryker = join(dirname(require.resolve("@stryker-mutator/core/package.json")), "bin/stryker.js");
  const child = spawn(process.execPath, [stryker, "run", config], {
    cwd: root,
    env: { ...process.env, MUTATION_TESTS: JSON.stringify(area.tests) },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`Stryker ended with ${code} for ${area.name}.`);
  return mutantsIn(JSON.parse(readFileSync(report, "utf8")) as Report);
}
