export type Comparison = {
  readonly ours: number;
  readonly bare: number;
  readonly ratio: number;
  readonly spread: string;
};

/** Measures two things alternately, so that other load affects both alike, and returns the median of the ratios. */
export async function compare(
  pairs: number,
  ours: () => Promise<number>,
  bare: () => Promise<number>,
): Promise<Comparison> {
  const measured: { ours: number; bare: number }[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    // ABBA: neither always has the warmer machine.
    const first = pair % 2 === 0;
    const a = first ? await ours() : await bare();
    const b = first ? await bare() : await ours();
    measured.push(first ? { ours: a, bare: b } : { ours: b, bare: a });
  }
  const ratios = measured.map((pair) => pair.ours / pair.bare).sort((x, y) => x - y);
  const median = (values: readonly number[]): number =>
    [...values].sort((x, y) => x - y)[Math.floor(values.length / 2)] ?? Number.NaN;
  return {
    ours: Math.round(median(measured.map((pair) => pair.ours))),
    bare: Math.round(median(measured.map((pair) => pair.bare))),
    ratio: Number(median(ratios).toFixed(2)),
    spread: `${(ratios[0] ?? 0).toFixed(2)}–${(ratios.at(-1) ?? 0).toFixed(2)}`,
  };
}
