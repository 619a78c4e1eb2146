// node bench/describe.ts [--url U] [--seed N] [--cases N] describes the transactions of honest cases and reads the sentences
// back. The attack that belongs to a case must not pass with the sentence of its honest twin.
import { isDeepStrictEqual, parseArgs } from "node:util";
import { buildCases } from "./cases/build.ts";
import { must } from "./must.ts";
import { askAll } from "./run/client.ts";
import { startValidator } from "./run/server.ts";
import type { BenchCase } from "./types.ts";

const { values: args } = parseArgs({
  options: {
    url: { type: "string" },
    seed: { type: "string", default: "1" },
    cases: { type: "string", default: "1200" },
  },
});

type Description = { readonly request: string | null; readonly why: string | null };
type Described = { readonly item: BenchCase } & Description;

const share = (some: number, all: number): string =>
  `${((100 * some) / Math.max(1, all)).toFixed(1)} % (${some}/${all})`;

/** The validator has one worker for public requests and a short queue, so they are sent one after the other. */
async function describeAll(url: string, items: readonly BenchCase[]): Promise<readonly Described[]> {
  const described: Described[] = [];
  for (const item of items) {
    const { proposed_tx, metadata } = item.request;
    const response = await fetch(`${url}/public/describe`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ proposed_tx, metadata }),
    });
    if (response.status !== 200) throw new Error(`${item.id}: status ${response.status}`);
    described.push({ item, ...((await response.json()) as Description) });
  }
  return described;
}

const withIntent = (item: BenchCase, human_intent: string): BenchCase => ({
  ...item,
  request: { ...item.request, human_intent },
});

const { cases } = buildCases({ seed: Number(args.seed), cases: Number(args.cases) });
const honest = cases.filter(({ split }) => split === "benign" || split === "twin");
const server = args.url === undefined ? await startValidator() : undefined;
try {
  const url = args.url ?? must(server).url;
  const described = await describeAll(url, honest);
  const sayable = described.flatMap(({ item, request }) => (request === null ? [] : [{ item, request }]));
  console.log(`described        ${share(sayable.length, described.length)}`);
  const again = await askAll(
    url,
    sayable.map(({ item, request }) => withIntent(item, request)),
  );
  const entailed = again.filter(({ assessment }) => assessment === "entailed");
  const passed = again.filter(({ decision }) => decision === "PASS");
  console.log(`read back        ${share(entailed.length, again.length)}`);
  console.log(`passed           ${share(passed.length, again.length)}`);
  printActions(described);
  await attackAll(
    url,
    new Map(sayable.flatMap((one) => (one.item.pair === undefined ? [] : [[one.item.pair, one]]))),
  );
} finally {
  await server?.stop();
}

function printActions(described: readonly Described[]): void {
  const actions = Map.groupBy(described, ({ item }) => item.action);
  for (const [action, own] of [...actions].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const reasons = Map.groupBy(
      own.flatMap(({ why }) => why ?? []),
      (why) => why,
    );
    const [common] = [...reasons].sort(([, a], [, b]) => b.length - a.length);
    const told = common === undefined ? "" : `; ${common[1].length} × ${common[0]}`;
    console.log(
      `  ${action}: ${share(own.filter(({ request }) => request !== null).length, own.length)}${told}`,
    );
  }
}

type Sayable = { readonly item: BenchCase; readonly request: string };

/** Attacks on the text or on the envelope have the transaction of their twin, and are left out. */
async function attackAll(url: string, twins: ReadonlyMap<string, Sayable>): Promise<void> {
  const attacks = cases.flatMap((item) => {
    const twin = item.split === "attack" ? twins.get(item.pair ?? "") : undefined;
    const isOther =
      twin !== undefined && !isDeepStrictEqual(twin.item.request.proposed_tx, item.request.proposed_tx);
    return isOther ? [withIntent(item, twin.request)] : [];
  });
  const outcomes = await askAll(url, attacks);
  const missed = outcomes.filter(({ decision }) => decision === "PASS");
  console.log(`attacks rejected ${share(outcomes.length - missed.length, outcomes.length)}`);
  for (const { case: item } of missed)
    console.log(`  passed: ${item.klass ?? ""} ${item.id} ${item.request.human_intent}`);
}
