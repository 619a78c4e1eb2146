// node bench/sweep.ts [--url U] [--seed N] [--cases N] [--listed | --unseen N] [--passed out.jsonl] puts sentences that withdraw, refuse, ask,
// report, quote, suppose, defer, bind, except, correct, draft, delegate or joke next to honest requests that pass; with --listed, the phrases of
// the validator's own lists, with --unseen, a set by an author who saw neither. None may pass then. Exits with 1 if one does.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { must } from "./must.ts";
import { readSet, setNames, type OutsideCase } from "./outside-sets.ts";
import { Rng } from "./rng.ts";
import { askAll, type Outcome } from "./run/client.ts";
import { startValidator } from "./run/server.ts";
import { listed } from "./sweep/listed.ts";
import { readUnseen } from "./sweep/unseen.ts";
import { changing, harmless, type Language } from "./sweep/phrases.ts";
import { places, put, type Place } from "./sweep/place.ts";
import type { BenchCase } from "./types.ts";

type Tried = OutsideCase & {
  readonly kind: string;
  readonly language: Language;
  readonly place: Place;
  readonly sentence: string;
};

const { values: args } = parseArgs({
  options: {
    url: { type: "string" },
    seed: { type: "string", default: "1" },
    cases: { type: "string", default: "20000" },
    listed: { type: "boolean", default: false },
    unseen: { type: "string" },
    passed: { type: "string" },
  },
});

const own = { changing: args.listed ? listed : changing, harmless };
const sentences = args.unseen === undefined ? own : readUnseen(args.unseen);
const kinds = [...Object.entries(sentences.changing), ["harmless", sentences.harmless] as const];
const languages = Object.keys(harmless) as Language[];

const textOf = ({ request }: OutsideCase): string =>
  (request as { readonly human_intent: string }).human_intent;

function drawOne(rng: Rng, one: OutsideCase): Tried | undefined {
  const [kind, byLanguage] = rng.pick(kinds);
  const language = rng.pick(languages);
  const sentence = rng.pick(byLanguage[language].split("|"));
  const place = kind === "harmless" ? "after" : rng.pick(places);
  const text = put(textOf(one), sentence, place, rng.next());
  if (text === undefined) return undefined;
  const request = { ...(one.request as object), human_intent: text };
  return { ...one, request, kind, language, place, sentence };
}

const share = (some: number, all: number): string =>
  `${((100 * some) / Math.max(1, all)).toFixed(1)} % (${some}/${all})`;

function report(tried: readonly Tried[], outcomes: readonly Outcome[]): readonly Tried[] {
  const answered = tried.map((one, at) => ({ ...one, got: must(outcomes[at]).decision }));
  const errors = answered.filter(({ got }) => got === "ERROR").length;
  for (const [kind] of kinds) {
    const ofKind = answered.filter((one) => one.kind === kind);
    const passed = ofKind.filter(({ got }) => got === "PASS");
    console.log(`  ${kind.padEnd(10)} passed ${share(passed.length, ofKind.length)}`);
  }
  if (errors > 0) console.log(`  ${errors} without an answer`);
  return answered.filter(({ kind, got }) => kind !== "harmless" && got === "PASS");
}

const seed = Number(args.seed);
const rng = new Rng(seed);
const server = args.url ? undefined : await startValidator();
const url = args.url ?? must(server).url;
try {
  const honest = setNames().flatMap((name) => readSet(name).filter(({ expected }) => expected === "PASS"));
  const before = await askAll(url, honest as unknown as BenchCase[]);
  const passing = honest.filter((_, at) => must(before[at]).decision === "PASS");
  const tried = Array.from({ length: Number(args.cases) }, () => drawOne(rng, rng.pick(passing))).filter(
    (one) => one !== undefined,
  );
  console.log(`seed ${seed}: ${tried.length} texts from ${passing.length} requests that pass`);
  const wrong = report(tried, await askAll(url, tried as unknown as BenchCase[]));
  for (const { id, kind, language, place, sentence } of wrong.slice(0, 40))
    console.log(`  passed: ${id} ${kind} ${language} ${place}: ${sentence}`);
  if (args.passed) writeFileSync(args.passed, wrong.map((one) => `${JSON.stringify(one)}\n`).join(""));
  if (wrong.length > 0) process.exitCode = 1;
} finally {
  await server?.stop();
}
