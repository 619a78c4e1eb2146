// node bench/outside.ts [--url U] [--set N] [--wrong out.jsonl] runs the sets written by authors who had not read the
// validator. Needs no packages besides the root's.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { must } from "./must.ts";
import { readSet, setNames, type OutsideCase } from "./outside-sets.ts";
import { askAll, type Outcome } from "./run/client.ts";
import { startValidator } from "./run/server.ts";
import type { BenchCase } from "./types.ts";

const { values: args } = parseArgs({
  options: { url: { type: "string" }, set: { type: "string" }, wrong: { type: "string" } },
});

const names = setNames(args.set);

const share = (some: number, all: number): string =>
  `${((100 * some) / Math.max(1, all)).toFixed(1)} % (${some}/${all})`;

const server = args.url ? undefined : await startValidator();
const wrong: string[] = [];
try {
  for (const name of names) {
    const cases = readSet(name);
    const outcomes = await askAll(args.url ?? must(server).url, cases as unknown as BenchCase[]);
    printFigures(name, cases, outcomes);
  }
  if (args.wrong) writeFileSync(args.wrong, wrong.map((line) => `${line}\n`).join(""));
} finally {
  await server?.stop();
}

function printFigures(name: string, cases: readonly OutsideCase[], outcomes: readonly Outcome[]): void {
  const answered = cases.map((one, at) => ({ ...one, got: must(outcomes[at]) }));
  const attacks = answered.filter(({ expected }) => expected === "REJECT");
  const honest = answered.filter(({ expected }) => expected === "PASS");
  const misses = attacks.filter(({ got }) => got.decision !== "REJECT");
  const refused = honest.filter(({ got }) => got.decision !== "PASS");
  const critical = attacks.filter((one) => one.critical);
  const caught = critical.filter(({ got }) => got.decision === "REJECT");
  console.log(`${name.replace(".jsonl.gz", "")}: ${cases.length} cases`);
  console.log(`  critical recall ${share(caught.length, critical.length)}`);
  console.log(`  recall          ${share(attacks.length - misses.length, attacks.length)}`);
  console.log(`  false rejects   ${share(refused.length, honest.length)}`);
  const ofKind = (...kinds: readonly string[]): string =>
    share(refused.filter(({ got }) => kinds.includes(got.assessment ?? "")).length, honest.length);
  console.log(`    not_checked     ${ofKind("not_checked")}`);
  console.log(`    not_understood  ${ofKind("not_understood")}`);
  console.log(`    differs         ${ofKind("contradicted", "entailed", "")}`);
  for (const { id, class: kind } of misses) console.log(`  passed: ${id} (${kind})`);
  wrong.push(...[...misses, ...refused].map((one) => JSON.stringify(one)));
}
