// The path of a new developer with each library: an empty project, an empty npm cache, `npm install`, and the example's program until its first
// payment was approved and done. The program then runs to its end, so that every figure is that of an example that holds.
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { environmentOf, withOwnSystem } from "../examples/own-system.ts";
import { makeNewcomer, type Newcomer } from "../quickstart/newcomer.ts";
import { makeTempDir } from "../testing/temp-dir.ts";

const root = join(import.meta.dirname, "../..");
const examples = join(root, "examples");
const sdk = join(root, "packages/sdk");
const run = promisify(execFile);

type Manifest = { readonly dependencies: Readonly<Record<string, string>> };
const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

const sourcesOf = (folder: string): string =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("\n");

/** Examples with numbered changed lines. */
const adapters = (): readonly string[] =>
  readdirSync(examples).filter(
    (name) =>
      existsSync(join(examples, name, "main.ts")) &&
      countMarks(readFileSync(join(examples, name, "main.ts"), "utf8")) > 0,
  );

const countMarks = (source: string): number =>
  source.match(/; \/\/ changed line \d|\) \/\/ changed line \d/g)?.length ?? 0;

/** The packages that an example imports, in the versions that it is tested with. */
function packagesOf(name: string, tarball: string): readonly string[] {
  const folder = join(examples, name);
  const own = existsSync(join(folder, "package.json")) ? manifestOf(folder).dependencies : {};
  const versions = { ...own, ...manifestOf(examples).dependencies };
  const imported = [...sourcesOf(folder).matchAll(/ from "((?:@[^/"]+\/)?[^./"][^/"]*)/g)].map(
    ([, one = ""]) => one,
  );
  return [...new Set(imported)]
    .filter((one) => !one.startsWith("node:"))
    .map((one) => (one === "@countersign/sdk" ? tarball : `${one}@${versions[one] ?? "unknown"}`));
}

async function packSdk(folder: string): Promise<string> {
  await run(process.execPath, ["build.ts"], { cwd: sdk });
  const { stdout } = await run("npm", ["pack", "--json", "--silent", "--pack-destination", folder], {
    cwd: join(sdk, "dist"),
  });
  const [packed] = JSON.parse(stdout) as [{ readonly filename: string }];
  return join(folder, packed.filename);
}

type Row = Readonly<Record<string, number | string>>;

async function measure(newcomer: Newcomer, name: string, folder: string, packed: Packed): Promise<Row> {
  const project = join(folder, name);
  mkdirSync(project, { recursive: true });
  writeFileSync(
    join(project, "package.json"),
    JSON.stringify({ name: "user", private: true, type: "module" }),
  );
  const packages = packagesOf(name, packed.tarball);
  const installed = await newcomer.run(
    `npm install --ignore-scripts --no-audit --no-fund ${packages.join(" ")}`,
    project,
  );
  cpSync(join(examples, name), join(project, name), {
    recursive: true,
    filter: (path) => !/node_modules|package(-lock)?\.json|tsconfig\.json/.test(path.slice(examples.length)),
  });
  for (const file of readdirSync(examples).filter((one) => one.endsWith(".ts")))
    cpSync(join(examples, file), join(project, file));
  const ran = await newcomer.run(`${packed.environment} ${process.execPath} ${name}/main.ts`, project);
  const first = ran.lines.find(({ line }) => outcome.test(line));
  if (first === undefined) throw new Error(`${name} did not print its first payment`);
  rmSync(project, { recursive: true, force: true });
  return {
    "npm install (s)": toSeconds(installed.ms),
    "program to the first verdict (s)": toSeconds(first.ms),
    "together (s)": toSeconds(installed.ms + first.ms),
    // The import of createCountersign and its call are the other two.
    "changed lines": 2 + countMarks(readFileSync(join(examples, name, "main.ts"), "utf8")),
  };
}

/** The first payment, as examples print it: its hash, or the bought resource. Libraries print lines of their own. */
const outcome = /0x[0-9a-f]{64}|^bought:/;

type Packed = { readonly tarball: string; readonly environment: string };

const toSeconds = (ms: number): number => Math.round(ms / 100) / 10;

/** Measures the adapters that are named, or all. */
export async function benchAdapters(names: readonly string[]): Promise<Readonly<Record<string, Row>>> {
  const folder = makeTempDir("adapters");
  const rows: Record<string, Row> = {};
  try {
    const tarball = await packSdk(folder);
    await withOwnSystem(async (system) => {
      const environment = Object.entries(environmentOf(system))
        .map(([name, value]) => `${name}='${value ?? ""}'`)
        .join(" ");
      for (const name of names.length === 0 ? adapters() : names) {
        // A cache of its own for each.
        const home = join(folder, `home-${name}`);
        mkdirSync(home);
        rows[name] = await measure(makeNewcomer(home), name, folder, { tarball, environment });
        console.log(name, JSON.stringify(rows[name]));
        rmSync(home, { recursive: true, force: true });
      }
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return rows;
}
