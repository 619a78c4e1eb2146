// Kills one part after the other, and then pairs of them, under load. Afterwards every proposal must have been executed
// exactly once.
import { setTimeout as sleep } from "node:timers/promises";
import { waitUntil } from "../engines/wait.ts";
import { consult, type Findings } from "../stage/index.ts";
import { listFaults, listRounds, type Fault } from "./faults.ts";
import { stallsIn, writeDelays, writeStalls, type Stall, type Window } from "./figures.ts";
import type { Installation } from "./installation.ts";
import { startLoad, type Load } from "./load.ts";

type Options = {
  readonly site: Installation;
  /** Proposals a second. */
  readonly rate: number;
  readonly random: () => number;
  /** Rounds that begin later than this are left out. */
  readonly seconds: number;
  readonly print: (line: string) => void;
};

export type Outcome = {
  readonly findings: Findings;
  /** Versions that an owner's event stream left out or repeated. */
  readonly gaps: readonly string[];
  readonly proposals: number;
  readonly kills: number;
  readonly rounds: number;
  readonly stalls: readonly Stall[];
  /** Without any fault, for comparison. */
  readonly calm: Stall;
  readonly report: string;
};

/** Whether nothing was found that should not be. */
export const isClean = ({ findings, gaps }: Pick<Outcome, "findings" | "gaps">): boolean =>
  [...Object.values(findings).flat(), ...gaps].length === 0;

/** Before the first fault, for comparison. */
const calmMs = 20_000;
/** Between a part's return and the next fault. */
const restMs = 5_000;

async function runRound(faults: readonly Fault[], random: () => number): Promise<Window> {
  const name = faults.map((fault) => fault.name).join(" + ");
  const from = performance.now();
  await Promise.all(faults.map(({ kill }) => kill()));
  await sleep(1_000 + random() * 5_000);
  await Promise.all(faults.map(({ heal }) => heal()));
  await sleep(restMs);
  return { name, from, to: performance.now() };
}

async function runRounds({ site, seconds, random, print }: Options): Promise<readonly Window[]> {
  const until = performance.now() + seconds * 1000;
  const windows: Window[] = [];
  for (const faults of listRounds(listFaults(site, random), random)) {
    if (performance.now() > until) break;
    const window = await runRound(faults, random);
    windows.push(window);
    print(`${window.name}: ${((window.to - window.from) / 1000).toFixed(0)} s`);
  }
  return windows;
}

export const waitForFlows = ({ query }: Installation): Promise<unknown> =>
  waitUntil(
    "all flows have ended",
    async () => {
      const open = await query(
        "select from flows where flow in ('verification', 'transaction') and status in ('accepted', 'started', 'waiting')",
      );
      if (open.length > 0) throw new Error(`${open.length} are open`);
    },
    { seconds: 300 },
  );

export const withoutCustody = { accepted: (): readonly never[] => [] };

export async function runFailures(options: Options): Promise<Outcome> {
  const { site, rate, random } = options;
  const load = await startLoad({ site, rate, random, owners: 10, sealed: 0.5, atOnce: Math.ceil(rate * 60) });
  const begun = performance.now();
  await sleep(calmMs);
  const calmEnd = performance.now();
  const windows = await runRounds(options);
  const seconds = (performance.now() - begun) / 1000;
  await load.finish(600);
  await waitForFlows(site);
  const findings = await consult({ ...site, custodian: withoutCustody }, load);
  const [calm = { name: "", accepted: 0, decided: 0, executed: 0 }] = stallsIn(load.progress, [
    // Not from the very beginning: the first proposals take their time to reach the later stages.
    { name: "no fault", from: begun + calmMs / 2, to: calmEnd },
  ]);
  const stalls = stallsIn(load.progress, windows);
  const outcome = {
    ...{ findings, stalls, calm, gaps: load.gaps, proposals: load.count(), rounds: windows.length },
    kills: windows.reduce((sum, { name }) => sum + name.split(" + ").length, 0),
  };
  return { ...outcome, report: writeReport(outcome, { load, seconds, rate }) };
}

type Measured = { readonly load: Load; readonly seconds: number; readonly rate: number };

function writeReport(
  { findings, proposals, kills, rounds, stalls, calm }: Omit<Outcome, "report">,
  { load, seconds, rate }: Measured,
): string {
  const { lost, twice, regressions, others } = findings;
  const attempts = [...load.failures].map(([name, count]) => `${name} ${count}`).join(", ");
  const longest = Math.max(0, ...stalls.flatMap((stall) => [stall.accepted, stall.decided, stall.executed]));
  const found = [...lost, ...twice, ...regressions, ...others, ...load.gaps];
  return [
    `${proposals} proposals in ${seconds.toFixed(0)} s (${(proposals / seconds).toFixed(1)} a second, wanted ${rate}; ${load.heldBack()} held back), ${kills} kills in ${rounds} rounds`,
    `${lost.length} lost, ${twice.length} twice, ${regressions.length} status regressions, ${others.length} other findings, ${load.gaps.length} gaps in event streams, longest stall ${longest.toFixed(1)} s`,
    writeStalls([calm, ...stalls]),
    writeDelays(load.delays),
    `attempts to propose that failed and were repeated: ${attempts === "" ? "none" : attempts}`,
    ...found.map((finding) => `found: ${finding}`),
  ].join("\n");
}
