// Replaces an older version by this one under load. Afterwards every proposal must have been executed exactly once, and no
// request of a client may have failed.
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "../dev/options.ts";
import { consult, type Findings } from "../stage/index.ts";
import { stallsIn, writeDelays, writeStalls, type Window } from "./figures.ts";
import type { Installation } from "./installation.ts";
import { startLoad, type Load } from "./load.ts";
import { startReaders } from "./read.ts";
import { replaceAll } from "./replace.ts";
import { waitForFlows, withoutCustody } from "./run-failures.ts";

type Options = {
  /** Its processes run the older version. */
  readonly site: Installation;
  /** Proposals a second. */
  readonly rate: number;
  readonly random: () => number;
  readonly print: (line: string) => void;
};

type Outcome = {
  readonly findings: Findings;
  readonly gaps: readonly string[];
  /** Requests that were not answered as they should be, by their reason. None is repeated before it is counted. */
  readonly failed: Readonly<Record<string, number>>;
  readonly proposals: number;
  /** Requests that read. */
  readonly reads: number;
  /** Processes that were replaced. */
  readonly replaced: number;
  readonly report: string;
};

/** Requests that read, for each that proposes. */
const readsPerProposal = 4;
/** Before the first process is replaced, and after the last one. */
const calmMs = 20_000;

export const isClean = ({ findings, gaps, failed }: Pick<Outcome, "findings" | "gaps" | "failed">): boolean =>
  [...Object.values(findings).flat(), ...gaps, ...Object.keys(failed)].length === 0;

export async function runUpgrade({ site, rate, random, print }: Options): Promise<Outcome> {
  const failures = new Map<string, number>();
  const load = await startLoad({
    site,
    rate,
    random,
    owners: 10,
    sealed: 0.5,
    atOnce: Math.ceil(rate * 120),
  });
  const readers = startReaders({
    ...{ site, random, rate: rate * readsPerProposal, told: load.told },
    onFailure: (reason) => failures.set(reason, (failures.get(reason) ?? 0) + 1),
  });
  const begun = performance.now();
  await sleep(calmMs);
  const { worker, orionWorker: orion } = site.balancers;
  const fleet = { members: site.members, flows: { worker, orion } };
  const upgraded = await replaceAll({ site, fleet, checkout: root, print });
  await sleep(calmMs);
  const seconds = (performance.now() - begun) / 1000;
  await readers.stop();
  await load.finish(600);
  await waitForFlows(site);
  const findings = await consult({ ...site, custodian: withoutCustody }, load);
  for (const { close } of Object.values(upgraded.flows)) close();
  const calm = { name: "nothing replaced", from: begun + calmMs / 2, to: begun + calmMs };
  const outcome = {
    ...{ findings, gaps: load.gaps, proposals: load.count(), reads: readers.count() },
    failed: Object.fromEntries([...load.failures, ...failures]),
    replaced: upgraded.members.length,
  };
  return {
    ...outcome,
    report: writeReport(outcome, { load, seconds, windows: [calm, ...upgraded.windows] }),
  };
}

type Measured = { readonly load: Load; readonly seconds: number; readonly windows: readonly Window[] };

function writeReport(
  { findings, gaps, failed, proposals, reads, replaced }: Omit<Outcome, "report">,
  { load, seconds, windows }: Measured,
): string {
  const { lost, twice, regressions, others } = findings;
  return [
    `${replaced} processes replaced in ${seconds.toFixed(0)} s, with ${proposals} proposals and ${reads} reads`,
    `${sumOf(failed)} failed requests${writeReasons(failed)}`,
    `${lost.length} lost, ${twice.length} twice, ${regressions.length} status regressions, ${others.length} other findings, ${gaps.length} gaps in event streams`,
    writeStalls(stallsIn(load.progress, windows)),
    writeDelays(load.delays),
    ...[...lost, ...twice, ...regressions, ...others, ...gaps].map((finding) => `found: ${finding}`),
  ].join("\n");
}

const sumOf = (failed: Outcome["failed"]): number =>
  Object.values(failed).reduce((sum, count) => sum + count, 0);

const writeReasons = (failed: Outcome["failed"]): string =>
  Object.entries(failed)
    .map(([reason, count], index) => `${index === 0 ? ": " : ", "}${reason} ${count}`)
    .join("");
