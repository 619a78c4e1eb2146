// npm run bench -- proposal-cost [TREE]: the cost of a proposal here, or there and here alternately in one run. TREE is
// another checkout that has this bench, with its packages.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Supervisor } from "../engines/index.ts";
import type { Totals } from "./cost-counters.ts";
import { forms, startCostMeter, type CostMeter, type Form } from "./proposal-cost.ts";

type Options = { readonly supervisor: Supervisor; readonly dir: string };

const rounds = Number(process.env["ROUNDS"] ?? "2");

/** Serves one meter to a parent process: a form on each line of the input, its costs as JSON on one of the output. */
export async function serveCostMeter(options: Options): Promise<void> {
  const meter = await startCostMeter(options);
  const say = (totals: Totals): void => void process.stdout.write(`cost ${JSON.stringify(totals)}\n`);
  say(meter.idle);
  for await (const line of createInterface({ input: process.stdin })) say(await meter.measure(line as Form));
  meter.close();
}

/** The meter of another checkout, in its own process. */
async function openOther(tree: string): Promise<CostMeter> {
  const child = spawn(process.execPath, [join(tree, "tools/bench/main.ts"), "proposal-cost-server"], {
    cwd: tree,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Totals> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`the bench in ${tree} ended`);
      if (value.startsWith("cost ")) return JSON.parse(value.slice(5)) as Totals;
    }
  };
  return {
    idle: await next(),
    measure: (form) => {
      child.stdin.write(`${form}\n`);
      return next();
    },
    close: () => {
      child.stdin.end();
    },
  };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const shown = (value: number): number => Number(value.toFixed(Math.abs(value) < 100 ? 1 : 0));

function tableOf(columns: Readonly<Record<string, readonly Totals[]>>): Record<string, Totals> {
  const names = Object.keys(Object.values(columns)[0]?.[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [
      name,
      Object.fromEntries(
        Object.entries(columns).map(([column, measured]) => [
          column,
          shown(median(measured.map((totals) => totals[name] ?? Number.NaN))),
        ]),
      ),
    ]),
  );
}

export async function benchProposalCost(options: Options, tree: string | undefined): Promise<void> {
  const other = tree === undefined ? undefined : await openOther(tree);
  const own = await startCostMeter(options);
  const meters = [...(other === undefined ? [] : [["before", other] as const]), ["now", own] as const];
  const columns: Record<string, Totals[]> = {};
  for (let round = 0; round < rounds; round++)
    for (const form of forms)
      for (const [when, meter] of round % 2 === 0 ? meters : meters.toReversed())
        (columns[`${form}, ${when}`] ??= []).push(await meter.measure(form));
  console.log(`Per proposal, median of ${rounds} rounds. The cost of the idle stack is subtracted.`);
  console.table(tableOf(columns));
  console.log("Per second, idle.");
  console.table(tableOf(Object.fromEntries(meters.map(([when, { idle }]) => [when, [idle]]))));
  for (const [, meter] of meters) meter.close();
}
