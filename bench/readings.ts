// node bench/readings.ts [--file readings-1] [--wrong out.jsonl] compares the validator with and without a model that proposes readings. The readings in
// `readings/` were recorded from a language model, which saw the texts alone; a server replays them. Exits with 1 if one makes an attack pass.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { must } from "./must.ts";
import { readSet, type OutsideCase } from "./outside-sets.ts";
import { askAll, type Outcome } from "./run/client.ts";
import { hashText, startReplayModel, type Recorded } from "./run/replay-model.ts";
import { startValidator } from "./run/server.ts";
import type { BenchCase } from "./types.ts";

const { values: args } = parseArgs({
  options: { file: { type: "string", default: "readings-1" }, wrong: { type: "string" } },
});

type Head = { readonly schema: number; readonly prompt: number; readonly sets: readonly number[] };
type Line = { readonly sha256: string; readonly proposal: { readonly steps: readonly unknown[] } };

function readRecorded(name: string): { readonly head: Head; readonly lines: readonly Line[] } {
  const file = new URL(`readings/${name}.jsonl.gz`, import.meta.url);
  const [head, ...lines] = gunzipSync(readFileSync(file)).toString().trim().split("\n");
  return { head: JSON.parse(must(head)) as Head, lines: lines.map((line) => JSON.parse(line) as Line) };
}

const { head, lines } = readRecorded(args.file);
const recorded: Recorded = new Map(lines.map(({ sha256, proposal }) => [sha256, proposal]));
const proposed = lines.filter(({ proposal }) => proposal.steps.length > 0).length;
console.log(
  `${args.file}: schema ${head.schema}, prompt ${head.prompt}, ${lines.length} texts, ${proposed} with steps`,
);

const textOf = ({ request }: OutsideCase): string =>
  (request as { readonly human_intent: string }).human_intent;
const cases = head.sets
  .flatMap((set) => readSet(`set-${set}.jsonl.gz`))
  .filter((one) => recorded.has(hashText(textOf(one))));

async function run(env: Readonly<Record<string, string>>): Promise<readonly Outcome[]> {
  const server = await startValidator(env);
  try {
    return await askAll(server.url, cases as unknown as BenchCase[]);
  } finally {
    await server.stop();
  }
}

const model = await startReplayModel(recorded);
const settings = {
  ...{ MODEL_URL: model.url, MODEL_ID: "recorded", MODEL_CALLS_PER_MINUTE: "1000000" },
  ...{ MODEL_READER: "true", MODEL_CHECKS: "false" },
};
const without = await run({});
const withReader = await run(settings);
const { all, unknown } = model.asked();
await model.close();
console.log(`asked about ${all} texts that were not understood, ${unknown} without a recorded answer`);

const share = (some: number, of: number): string =>
  `${some} of ${of} (${((100 * some) / Math.max(1, of)).toFixed(1)} %)`;

function print(name: string, outcomes: readonly Outcome[]): void {
  const answered = cases.map((one, at) => ({ ...one, got: must(outcomes[at]) }));
  const honest = answered.filter(({ expected }) => expected === "PASS");
  const attacks = answered.filter(({ expected }) => expected === "REJECT");
  const passed = (list: typeof answered): number => list.filter(({ got }) => got.decision === "PASS").length;
  const open = honest.filter(({ got }) => got.assessment === "not_understood").length;
  console.log(name);
  console.log(`  honest, match          ${share(passed(honest), honest.length)}`);
  console.log(`  honest, not understood ${share(open, honest.length)}`);
  console.log(`  attacks, pass          ${share(passed(attacks), attacks.length)}`);
}
print("without readings", without);
print("with readings", withReader);

const changed = cases
  .map((one, at) => ({ ...one, before: must(without[at]), after: must(withReader[at]) }))
  .filter(
    ({ before, after }) => before.decision !== after.decision || before.assessment !== after.assessment,
  );
console.log(`${changed.length} verdicts changed`);
if (args.wrong) writeFileSync(args.wrong, changed.map((one) => `${JSON.stringify(one)}\n`).join(""));
if (changed.some(({ expected, after }) => expected === "REJECT" && after.decision === "PASS"))
  process.exitCode = 1;
