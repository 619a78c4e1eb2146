// npm run mutation [-- <area> …] [--fresh] [--concurrency N]: mutates whole areas, updates the record and the report.
// npm run mutation -- --check: writes nothing; fails if an area's score is below 90 % or there is a new survivor.
// npm run mutation -- --part: mutates a part that the run's seed chooses; fails if there is a new survivor.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findRunSeed } from "../testing/seed.ts";
import { areas } from "./areas.ts";
import { allParts, choosePart } from "./choose-part.ts";
import { writeReport } from "./report.ts";
import { runStryker, type Mutant } from "./run-stryker.ts";
import { newSurvivors, readRecords, recordOf, writeRecords } from "./survivors.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    part: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    fresh: { type: "boolean", default: false },
    concurrency: { type: "string", default: "2" },
  },
});
const concurrency = Number(values.concurrency);
const leastScore = 0.9;

const show = ({ file, line, from, to }: Mutant): string => `  ${file}:${line}  ${from}  →  ${to}`;

async function runPart(): Promise<void> {
  const seed = findRunSeed();
  const records = readRecords();
  // Without a list of its survivors an area has nothing to be compared with.
  const measured = areas.filter(({ name }) => records[name] !== undefined);
  const { area, mutate } = choosePart(allParts(measured), seed);
  console.log(`Mutating ${mutate} (${area.name}, RUN_SEED=${seed}).`);
  const mutants = await runStryker(area, { mutate: [mutate], concurrency, fresh: true });
  const found = newSurvivors(mutants, records[area.name]);
  console.log(`${mutants.length} mutants, ${found.length} new survivors.`);
  if (found.length === 0) return;
  console.error(`No test notices these changes:\n${found.map(show).join("\n")}`);
  console.error(
    `Add a test that does, or run \`npm run mutation -- ${area.name}\` and give the reason in survivors.json.`,
  );
  process.exitCode = 1;
}

async function runAreas(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !areas.some((area) => area.name === name));
  if (unknown.length > 0)
    throw new Error(
      `There is no area ${unknown.join(", ")}. Areas: ${areas.map(({ name }) => name).join(", ")}.`,
    );
  for (const area of areas.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const mutants = await runStryker(area, { concurrency, fresh: values.fresh });
    const before = readRecords();
    const fresh = newSurvivors(mutants, before[area.name]);
    const record = recordOf(mutants, before[area.name]);
    if (!values.check) writeRecords({ ...before, [area.name]: record });
    else if (fresh.length > 0 || record.noticed < leastScore * record.mutants) process.exitCode = 1;
    console.log(
      `${area.name}: ${record.noticed} of ${record.mutants} noticed. New survivors: ${fresh.length}`,
    );
    for (const mutant of fresh) console.log(show(mutant));
  }
  if (values.check) return;
  writeFileSync(
    join(import.meta.dirname, "../../docs/reference/mutation.md"),
    writeReport(areas, readRecords()),
  );
}

await (values.part ? runPart() : runAreas(positionals));
