// node bench/main.ts [--url U] [--seed N] [--cases N] [--class X]
//   [--failures out.jsonl] [--report file.md] [--check]
import { createHash } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { must } from "./must.ts";

if (!existsSync(new URL("node_modules/ethers", import.meta.url))) {
  console.error("Install once: npm ci --ignore-scripts --prefix bench");
  process.exit(2);
}

const { buildCases } = await import("./cases/build.ts");
const { checkLabels } = await import("./oracle/check.ts");
const { askAll, latency } = await import("./run/client.ts");
const { baselines } = await import("./run/baselines.ts");
const { figures, located, right } = await import("./run/metrics.ts");
const { markdown, printReport } = await import("./run/report.ts");
const { startValidator } = await import("./run/server.ts");
const { tellTest } = await import("./run/tell.ts");
const { templateCount } = await import("./words/compose.ts");
type Outcome = import("./run/client.ts").Outcome;

const { values: args } = parseArgs({
  options: {
    url: { type: "string" },
    seed: { type: "string", default: "1" },
    cases: { type: "string", default: "6000" },
    class: { type: "string" },
    failures: { type: "string" },
    report: { type: "string" },
    check: { type: "boolean", default: false },
  },
});

const seed = Number(args.seed);
const set = buildCases({ seed, cases: Number(args.cases), ...(args.class ? { klass: args.class } : {}) });
const setHash = createHash("sha256").update(JSON.stringify(set.cases)).digest("hex");
console.log(`${set.cases.length} cases, seed ${seed}, sha256 ${setHash.slice(0, 16)}`);

const oracle = await checkLabels(set.labelled);
console.log(`execution oracle: ${oracle.checked} of ${oracle.labels} labels executed, all agree`);
const tell = tellTest(set.cases);
console.log(`tell test: AUC ${tell.auc.toFixed(3)} (void above ${tell.limit})`);
if (tell.auc > tell.limit && !args.class) {
  console.error(
    "Run void. The generator leaks: attacks differ from their twins without a comparison of request and transaction.",
  );
  process.exit(1);
}

const server = args.url ? undefined : await startValidator();
try {
  const url = args.url ?? must(server).url;
  const outcomes = await askAll(url, set.cases);
  const report = {
    figures: figures(outcomes),
    baselines: baselines(set.cases),
    tell,
    oracle,
    latency: await latency(url, set.cases),
    seed,
    setHash,
    templates: templateCount(),
  };
  printReport(report);
  printErrors(outcomes);
  if (args.failures) writeFailures(args.failures, outcomes);
  if (args.report) writeFileSync(args.report, markdown(report));
  if (args.check) process.exitCode = passes(report.figures) ? 0 : 1;
} finally {
  await server?.stop();
}

/** Prints responses without a verdict, so that a validator that is down is recognized. */
function printErrors(outcomes: readonly Outcome[]): void {
  const seen = new Map<string, number>();
  for (const o of outcomes)
    if (o.decision === "ERROR") {
      const what = `HTTP ${o.status} ${o.reason.slice(0, 100)}`;
      seen.set(what, (seen.get(what) ?? 0) + 1);
    }
  if (seen.size > 0) console.log("\nNo verdict:");
  for (const [what, count] of [...seen].slice(0, 10)) console.log(`  ${count} x ${what}`);
}

/** Writes the wrong verdicts, then correct rejections that name an unrelated check. */
function writeFailures(path: string, outcomes: readonly Outcome[]): void {
  const kind = (o: Outcome): string | undefined => {
    if (o.decision === "ERROR") return "error";
    if (!right(o)) return o.case.expected === "PASS" ? "false_reject" : "miss";
    return o.decision === "REJECT" && !located(o) ? "mislocated" : undefined;
  };
  const lines = outcomes.flatMap((o) => {
    const what = kind(o);
    if (!what) return [];
    const { request, ...rest } = o.case;
    const got = {
      status: o.status,
      decision: o.decision,
      assessment: o.assessment,
      primary_failure_node: o.node,
      failed: o.failed,
      reason: o.reason,
    };
    return [JSON.stringify({ kind: what, ...rest, got, request })];
  });
  writeFileSync(path, lines.join("\n") + (lines.length > 0 ? "\n" : ""));
  console.log(`\n${lines.length} failures written to ${path}`);
}

/** Returns whether the figures meet the release gates. */
function passes(f: ReturnType<typeof figures>): boolean {
  const share = (r: { hits: number; total: number }): number => r.hits / Math.max(1, r.total);
  return (
    f.criticalMisses.length === 0 &&
    f.macroRecall >= 0.98 &&
    share(f.falseClaims) <= 0.015 &&
    share(f.twins) >= 0.97 &&
    share(f.paraphrase) >= 0.95 &&
    share(f.localisation) >= 0.9 &&
    f.incidents.hits === f.incidents.total
  );
}
