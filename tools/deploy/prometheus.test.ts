import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { isCi } from "../testing/is-ci.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

const Rule = z.object({
  alert: z.string(),
  expr: z.string(),
  labels: z.object({ severity: z.enum(["page", "ticket"]) }),
  annotations: z.object({ summary: z.string(), runbook: z.string() }),
});
const rules = z
  .object({ groups: z.array(z.object({ rules: z.array(Rule) })) })
  .parse(parse(read("deploy/prometheus/alerts.yaml")))
  .groups.flatMap((group) => group.rules);
const Dashboard = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })),
});

/** Metrics that Prometheus and the client library provide. */
const provided = new Set(["up", "process_cpu_seconds_total", "process_resident_memory_bytes"]);
/** Words of the query language in our expressions. */
const words = new Set(
  "sum max by rate increase and or histogram_quantile app le status decision chain job asks kind state".split(
    " ",
  ),
);

/** The source in which every metric is named. */
const sources = globSync("{apps,packages}/*/src/**/*.ts", { cwd: root })
  .filter((path) => !path.endsWith(".test.ts"))
  .map(read)
  .join("\n");

const metricsIn = (expression: string): readonly string[] =>
  [...expression.replaceAll(/"[^"]*"|\[[^\]]*\]|\b\d[\d.e]*/g, "").matchAll(/[a-z][a-z0-9_]+/g)]
    .map(([name]) => name)
    .filter((name) => !words.has(name));

function isKnown(metric: string): boolean {
  const name = metric.replace(/_(count|bucket)$/, "");
  if (provided.has(name)) return true;
  // The validator builds names from a prefix: `${prefix}_waiting`.
  const prefixed = /^(?:public_)?validate(_\w+)$/.exec(name);
  return (
    sources.includes(`"${name}"`) || (prefixed !== null && sources.includes(`\${prefix}${prefixed[1] ?? ""}`))
  );
}

const isInstalled = spawnSync("promtool", ["--version"]).error === undefined;

test.runIf(isInstalled || isCi())("every alert fires for its cause and stays quiet without it", () => {
  const file = join(root, "deploy/prometheus/alerts.test.yaml");
  const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" });
  expect(status, `${stdout}${stderr}`).toBe(0);
});

describe.each(rules.map((rule) => [rule.alert, rule] as const))(
  "the alert %s",
  (name, { expr, annotations }) => {
    test("is tested in both directions", () => {
      const tests = read("deploy/prometheus/alerts.test.yaml");
      for (const outcome of ["fires", "stays quiet"]) expect(tests).toContain(`- name: ${name} ${outcome}\n`);
    });

    test("uses metrics that a service has", () => {
      expect(metricsIn(expr).filter((metric) => !isKnown(metric))).toEqual([]);
    });

    test("has a runbook that names one of its metrics, commands and an action", () => {
      const runbook = read(annotations.runbook);
      expect(runbook).toContain(`# ${name}\n`);
      expect(metricsIn(expr).some((metric) => runbook.includes(metric))).toBe(true);
      for (const heading of ["## Look", "## Do"]) expect(runbook).toContain(heading);
    });
  },
);

test("the dashboard shows metrics that a service has", () => {
  const { panels } = Dashboard.parse(JSON.parse(read("deploy/grafana/countersign.json")));
  const used = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr)));
  expect(used.length).toBeGreaterThan(15);
  expect(used.filter((metric) => !isKnown(metric))).toEqual([]);
});
