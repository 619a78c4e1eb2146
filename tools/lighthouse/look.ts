// One run of Lighthouse as a process of its own: it is installed in this folder only, and its types are not ours to check.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const presets = ["mobile", "desktop"] as const;
export type Preset = (typeof presets)[number];

const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
const timings = {
  lcpMs: "largest-contentful-paint",
  tbtMs: "total-blocking-time",
  shift: "cumulative-layout-shift",
  bytes: "total-byte-weight",
} as const;

export type Figures = {
  /** Of a hundred. */
  readonly scores: Readonly<Record<(typeof categories)[number], number>>;
  readonly timings: Readonly<Record<keyof typeof timings, number>>;
  /** How fast it found this machine: below a thousand it warns that the scores suffer. */
  readonly machine: number;
  /** Failed audits by name, without those that need a manual check. */
  readonly objections: readonly string[];
};

type Audit = {
  readonly title: string;
  readonly score: number | null;
  readonly numericValue?: number;
  readonly details?: { readonly items: readonly { readonly url?: string; readonly statusCode?: number }[] };
};
type Report = {
  readonly environment: { readonly benchmarkIndex: number };
  readonly runtimeError?: { readonly code: string; readonly message: string };
  readonly categories: Readonly<
    Record<
      string,
      {
        readonly score: number | null;
        readonly auditRefs: readonly { readonly id: string; readonly group?: string }[];
      }
    >
  >;
  readonly audits: Readonly<Record<string, Audit>>;
};

export type Look = {
  readonly url: string;
  readonly preset: Preset;
  readonly cookie?: string;
  /** How many times slower than this machine a phone's processor is taken to be. By default Lighthouse's own. */
  readonly cpuSlowdown?: string;
  /** Where its files are put. */
  readonly dir: string;
  readonly name: string;
};

const program = join(import.meta.dirname, "node_modules/lighthouse/cli/index.js");

async function run(args: readonly string[]): Promise<void> {
  if (!existsSync(program))
    throw new Error("Lighthouse is not installed: npm ci --ignore-scripts --prefix tools/lighthouse");
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { CHROME_PATH: "/usr/bin/chromium", ...process.env },
  });
  // How it ended is in its report.
  await new Promise((resolve, reject) => {
    child.once("error", reject).once("exit", resolve);
  });
}

/** Who is signed in is told of changes on a connection that never ends, and Lighthouse would wait for its end. */
const patienceMs = 20_000;

/** How often it is run again when it has lost the beginning of its record and asks for that itself. */
const attempts = 3;

export async function lookAt(look: Look): Promise<Figures> {
  for (let attempt = 1; ; attempt += 1) {
    const report = await reportOf(look);
    const { runtimeError } = report;
    if (runtimeError?.code === "NO_NAVSTART" && attempt < attempts) continue;
    if (runtimeError !== undefined) throw new Error(`${look.url}: ${runtimeError.message}`);
    // Who is not signed in sees the way in at the same address, and that would be measured.
    if (look.cookie !== undefined && !hasRead(report, "/api/transactions/"))
      throw new Error(`${look.url} showed no transaction.`);
    return figuresOf(report);
  }
}

/** Each run has a browser of its own, with nothing in its cache. */
async function reportOf({ url, preset, cookie, cpuSlowdown, dir, name }: Look): Promise<Report> {
  const headers = join(dir, `${name}.headers.json`);
  const file = join(dir, name);
  writeFileSync(headers, JSON.stringify(cookie === undefined ? {} : { cookie }));
  // So that none of before is taken for this one's.
  rmSync(`${file}.report.json`, { force: true });
  await run([
    ...[url, "--quiet", "--no-enable-error-reporting", "--chrome-flags=--headless=new --no-sandbox"],
    ...["--output=json", "--output=html", `--output-path=${file}`, `--extra-headers=${headers}`],
    `--max-wait-for-load=${patienceMs}`,
    ...(preset === "desktop" ? ["--preset=desktop"] : []),
    ...(cpuSlowdown === undefined || preset === "desktop"
      ? []
      : [`--throttling.cpuSlowdownMultiplier=${cpuSlowdown}`]),
  ]).finally(() => {
    rmSync(headers);
  });
  if (!existsSync(`${file}.report.json`)) throw new Error(`Lighthouse left no report of ${url}.`);
  return JSON.parse(readFileSync(`${file}.report.json`, "utf8")) as Report;
}

const hasRead = ({ audits }: Report, path: string): boolean =>
  audits["network-requests"]?.details?.items.some(
    ({ url, statusCode }) =>
      statusCode === 200 && url !== undefined && new URL(url).pathname.startsWith(path),
  ) ?? false;

function figuresOf({ categories: rated, audits, environment }: Report): Figures {
  const refs = categories.flatMap((name) => rated[name]?.auditRefs ?? []);
  const failed = refs.flatMap(({ id, group }) => {
    const audit = audits[id];
    // Figures are in the table, as far as they are asked for.
    if (group === "metrics" || group === "hidden") return [];
    return audit === undefined || audit.score === null || audit.score >= 0.9 ? [] : [audit.title];
  });
  const score = (name: string): number => Math.round((rated[name]?.score ?? 0) * 100);
  const value = (id: string): number => audits[id]?.numericValue ?? Number.NaN;
  return {
    scores: {
      performance: score("performance"),
      accessibility: score("accessibility"),
      "best-practices": score("best-practices"),
      seo: score("seo"),
    },
    timings: {
      lcpMs: value(timings.lcpMs),
      tbtMs: value(timings.tbtMs),
      shift: value(timings.shift),
      bytes: value(timings.bytes),
    },
    machine: environment.benchmarkIndex,
    objections: [...new Set(failed)],
  };
}
