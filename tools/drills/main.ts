// npm run drill -- failures --rate 2 --minutes 5: kills parts of an installation under load. RUN_SEED repeats the order of
// an earlier run. npm run drill -- restore: loses the database and the engine, and restores an earlier moment.
// npm run drill -- upgrade --from <checkout>: replaces the processes of that version by this one's under load.
import { parseArgs } from "node:util";
import { makeRandom } from "../testing/random.ts";
import { findRunSeed } from "../testing/seed.ts";
import { setStage } from "../stage/index.ts";
import { makeTempDir } from "../testing/temp-dir.ts";
import { startInstallation } from "./installation.ts";
import { startOlder } from "./older.ts";
import { isClean, runFailures } from "./run-failures.ts";
import { runRestore } from "./run-restore.ts";
import { isClean as isCleanUpgrade, runUpgrade } from "./run-upgrade.ts";

const print = (line: string): void => {
  console.log(line);
};

type Size = { readonly rate: number; readonly minutes: number };

async function drillFailures({ rate, minutes }: Size): Promise<boolean> {
  const seed = findRunSeed();
  const site = await startInstallation({ path: makeTempDir("drill") });
  try {
    print(`seed ${seed}, logs in ${site.dir.logs}`);
    const outcome = await runFailures({
      ...{ site, print, rate, random: makeRandom(seed), seconds: minutes * 60 },
    });
    print(outcome.report);
    return isClean(outcome);
  } finally {
    await site.end();
  }
}

async function drillUpgrade(rate: number, from: string | undefined): Promise<boolean> {
  const seed = findRunSeed();
  const site = await startOlder({ path: makeTempDir("drill"), from });
  try {
    print(`seed ${seed}, from ${from ?? "this version"}, logs in ${site.dir.logs}`);
    const outcome = await runUpgrade({ site, print, rate, random: makeRandom(seed) });
    print(outcome.report);
    return isCleanUpgrade(outcome);
  } finally {
    await site.end();
  }
}

async function drillRestore(): Promise<boolean> {
  const stage = await setStage({ isArchived: true });
  try {
    print(`logs in ${stage.logDir}`);
    const { report, findings } = await runRestore({ stage, print });
    print(report);
    return findings.length === 0;
  } finally {
    await stage.end();
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rate: { type: "string", default: "1" },
    minutes: { type: "string", default: "3" },
    from: { type: "string" },
  },
});
const size = { rate: Number(values.rate), minutes: Number(values.minutes) };

const drills: Readonly<Record<string, () => Promise<boolean>>> = {
  failures: () => drillFailures(size),
  restore: drillRestore,
  upgrade: () => drillUpgrade(size.rate, values.from),
};
const drill = drills[positionals[0] ?? ""];
if (drill === undefined) throw new Error(`Which drill? ${Object.keys(drills).join(" or ")}`);
if (!(await drill())) process.exitCode = 1;
