// The tell test: a small logistic regression over the request alone and the shape of the payload alone, never over
// whether the two agree. If it separates attacks from their twins, the generator leaks and the run is void.
import { must } from "../must.ts";
import type { BenchCase } from "../types.ts";

const SIZE = 1 << 14;
export const TELL_LIMIT = 0.6;

function hash(text: string): number {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return (h >>> 0) % SIZE;
}

/** Replaces hex by its length class. Form and field names remain. */
function shape(item: BenchCase): string {
  const masked = JSON.stringify(item.request.proposed_tx).replace(
    /0x[0-9a-fA-F]+/g,
    (m) => `H${m.length === 42 ? "a" : m.length === 66 ? "w" : "d"}`,
  );
  return masked.replace(/\d{6,}/g, "N");
}

function features(item: BenchCase): number[] {
  const words = item.request.human_intent.toLowerCase().replace(/0x[0-9a-f]{40}/g, "ADDR");
  const out = new Set<number>();
  const add = (prefix: string, text: string, n: number): void => {
    for (let i = 0; i + n <= text.length; i++) out.add(hash(prefix + text.slice(i, i + n)));
  };
  add("t", shape(item), 5);
  add("w", words, 4);
  return [...out];
}

const weightAt = (weights: Float64Array, index: number): number => weights[index] ?? 0;

function add(weights: Float64Array, index: number, by: number): void {
  weights[index] = weightAt(weights, index) + by;
}

function train(rows: readonly { x: number[]; y: number }[]): Float64Array {
  const weights = new Float64Array(SIZE + 1);
  for (let epoch = 0; epoch < 6; epoch++) {
    const step = 0.15 / (1 + epoch);
    for (const { x, y } of rows) {
      const error = y - sigmoid(score(weights, x));
      for (const i of x) add(weights, i, (step * error) / Math.sqrt(x.length));
      add(weights, SIZE, step * error * 0.1);
    }
  }
  return weights;
}

const sigmoid = (v: number): number => 1 / (1 + Math.exp(-v));

function score(weights: Float64Array, x: readonly number[]): number {
  let sum = weightAt(weights, SIZE);
  const scale = 1 / Math.sqrt(x.length);
  for (const i of x) sum += weightAt(weights, i) * scale;
  return sum;
}

/** Rank statistic. Ties count half. */
function areaUnderCurve(scored: readonly { s: number; y: number }[]): number {
  const sorted = [...scored].sort((a, b) => a.s - b.s);
  let rankSum = 0;
  let positives = 0;
  for (let i = 0; i < sorted.length;) {
    const { s } = must(sorted[i]);
    const tied = sorted.findIndex((one, at) => at > i && one.s !== s);
    const j = tied < 0 ? sorted.length : tied;
    const hits = sorted.slice(i, j).filter(({ y }) => y === 1).length;
    rankSum += (hits * (i + j + 1)) / 2;
    positives += hits;
    i = j;
  }
  const negatives = sorted.length - positives;
  if (positives === 0 || negatives === 0) return 0.5;
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * negatives);
}

/** Two folds, split by pair, so that no twin is scored by a model trained on its attack. */
export function tellTest(cases: readonly BenchCase[]): { auc: number; limit: number } {
  const rows = cases.flatMap((c) =>
    c.pair ? [{ x: features(c), y: c.expected === "REJECT" ? 1 : 0, fold: hash(c.pair) % 2 }] : [],
  );
  const scored = [0, 1].flatMap((held) => {
    const weights = train(rows.filter((r) => r.fold !== held));
    return rows.filter((r) => r.fold === held).map((r) => ({ s: score(weights, r.x), y: r.y }));
  });
  return { auc: areaUnderCurve(scored), limit: TELL_LIMIT };
}
