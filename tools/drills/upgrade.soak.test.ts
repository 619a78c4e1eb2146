// Every process is replaced by one of this version under load. DRILL_FROM is the checkout of the version before, with its
// packages installed; without it both are this one. DRILL_RATE is the number of proposals a second.
import { afterAll, beforeAll, expect, test } from "vitest";
import { nothing } from "../stage/index.ts";
import { makeRandom } from "../testing/random.ts";
import { findRunSeed } from "../testing/seed.ts";
import { makeTempDir } from "../testing/temp-dir.ts";
import { startOlder } from "./older.ts";
import type { Installation } from "./installation.ts";
import { runUpgrade } from "./run-upgrade.ts";

const minute = 60_000;
const seed = findRunSeed();
const rate = Number(process.env["DRILL_RATE"] ?? "1");

let site: Installation;
beforeAll(async () => {
  site = await startOlder({ path: makeTempDir("upgrade"), from: process.env["DRILL_FROM"] });
}, 15 * minute);
afterAll(() => site.end());

test(
  `no request fails and no proposal is lost during an upgrade (seed ${seed})`,
  { timeout: 30 * minute },
  async () => {
    const outcome = await runUpgrade({ site, rate, random: makeRandom(seed), print: console.log });
    console.log(outcome.report);
    expect(outcome.failed).toEqual({});
    expect(outcome.findings).toEqual(nothing);
    expect(outcome.gaps).toEqual([]);
    expect(outcome.replaced).toBe(8);
    expect(outcome.proposals).toBeGreaterThan(20);
    expect(outcome.reads).toBeGreaterThan(20);
  },
);
