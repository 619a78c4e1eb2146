import { beforeAll, expect, test } from "vitest";
import { gatherCorpus, type Corpus } from "../test/corpus.ts";
import { fuzz } from "../test/fuzz-requests.ts";
import { examine, withTheft } from "../test/properties.ts";
import { makeRandom } from "../test/random.ts";
import { startEngine, type RealEngine } from "../test/real-engine.ts";

// Asks the engine a million unusual questions. `SEED=… npm run soak` repeats a run; `CALLS=…` shortens it.
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const wanted = Number(process.env["CALLS"] ?? 1_000_000);
const neighboursEvery = 20;
/** How many times as long as the average one request may take; they are all of a few kilobytes. */
const patience = 300;

let real: RealEngine;
let corpus: Corpus;
beforeAll(async () => {
  real = await startEngine();
  corpus = await gatherCorpus(real);
});

type Tally = { asked: number; refused: number; passed: number };
const faultsShown = 20;

async function fewestMs(text: string): Promise<number> {
  let fewest = Infinity;
  for (let time = 0; time < 5; time += 1) {
    const began = performance.now();
    await real.ask(text);
    fewest = Math.min(fewest, performance.now() - began);
  }
  return fewest;
}

test(
  `nothing makes the engine fail, hang, waver or pass what it should not (SEED=${seed})`,
  { timeout: 7_200_000 },
  async () => {
    const random = makeRandom(seed);
    const tallies = new Map<string, Tally>();
    const faults: string[] = [];
    let slowest = { ms: 0, text: "" };
    let calls = 0;
    let asked = 0;
    const began = performance.now();
    for (const fuzzed of fuzz(random, corpus)) {
      if (calls >= wanted || faults.length >= faultsShown) break;
      const tally = tallies.get(fuzzed.kind) ?? { asked: 0, refused: 0, passed: 0 };
      tallies.set(fuzzed.kind, tally);
      const startedAt = performance.now();
      const {
        verdict,
        fault,
        calls: more,
      } = await examine(fuzzed, {
        random,
        corpus,
        real,
        isSampled: asked % neighboursEvery === 0,
      });
      const ms = (performance.now() - startedAt) / Math.max(more, 1);
      if (ms > slowest.ms) slowest = { ms, text: fuzzed.text };
      asked += 1;
      calls += more;
      tally.asked += 1;
      if (verdict === null) tally.refused += 1;
      else if (verdict.decision === "PASS") tally.passed += 1;
      const said = real.takeLines();
      for (const found of [fault, ...said].filter((one) => one !== null))
        faults.push(`${fuzzed.kind}: ${found}\n  ${fuzzed.text}`);
    }
    const meanMs = (performance.now() - began) / calls;
    console.log(
      `seed ${seed}: ${calls} calls of the engine for ${asked} requests, ${meanMs.toFixed(3)} ms each`,
    );
    console.table(Object.fromEntries(tallies));
    expect(faults).toEqual([]);
    // Measured again, alone, because what else the machine did may have made it slow.
    const slowestMs = await fewestMs(slowest.text);
    console.log(`slowest ${slowestMs.toFixed(2)} ms (${slowest.text.length} characters)`);
    expect(slowestMs / meanMs).toBeLessThan(patience);
  },
);

test(`rejects every theft that is added to an honest request (SEED=${seed})`, async () => {
  const random = makeRandom(seed);
  for (const request of corpus.honest)
    for (let time = 0; time < 40; time += 1) {
      const robbed = withTheft(random, request);
      expect((await real.ask(JSON.stringify(robbed)))?.decision, JSON.stringify(robbed)).toBe("REJECT");
    }
});
