// Parts of an installation with several of each are killed under load: each alone, then all pairs. DRILL_RATE is the number of
// proposals a second, DRILL_MINUTES how long.
import { afterAll, beforeAll, expect, test } from "vitest";
import { nothing } from "../stage/index.ts";
import { makeRandom } from "../testing/random.ts";
import { findRunSeed } from "../testing/seed.ts";
import { makeTempDir } from "../testing/temp-dir.ts";
import { startInstallation, type Installation } from "./installation.ts";
import { runFailures } from "./run-failures.ts";

const minute = 60_000;
const seed = findRunSeed();
const rate = Number(process.env["DRILL_RATE"] ?? "2");
const minutes = Number(process.env["DRILL_MINUTES"] ?? "30");

let site: Installation;
beforeAll(async () => {
  site = await startInstallation({ path: makeTempDir("failures") });
}, 15 * minute);
afterAll(() => site.end());

test(
  `no proposal is lost, repeated or set back, whichever part is killed (seed ${seed})`,
  { timeout: (minutes + 30) * minute },
  async () => {
    const outcome = await runFailures({
      ...{ site, rate, random: makeRandom(seed), seconds: minutes * 60, print: console.log },
    });
    console.log(outcome.report);
    expect(outcome.findings).toEqual(nothing);
    expect(outcome.gaps).toEqual([]);
    expect(outcome.kills).toBeGreaterThan(0);
    expect(outcome.proposals).toBeGreaterThan(20);
  },
);
