import type { Figures, Preset } from "./look.ts";

export type Row = { readonly page: string; readonly preset: Preset; readonly figures: Figures };

/** Of several runs the one in the middle: its figures belong together, which medians of each would not. */
export function middleOf(runs: readonly Figures[]): Figures {
  const sorted = runs.toSorted((one, other) => one.scores.performance - other.scores.performance);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  if (middle === undefined) throw new Error("There was no run.");
  return middle;
}

const head = [
  ...["Page", "As", "Performance", "Accessibility", "Best practices", "SEO"],
  ...["LCP", "TBT", "CLS", "Transferred", "Machine"],
];

const cells = ({ page, preset, figures: { scores, timings, machine } }: Row): readonly string[] => [
  ...[page, preset],
  ...[scores.performance, scores.accessibility, scores["best-practices"], scores.seo].map(String),
  `${(timings.lcpMs / 1000).toFixed(1)} s`,
  `${Math.round(timings.tbtMs)} ms`,
  timings.shift.toFixed(3),
  `${Math.round(timings.bytes / 1000)} kB`,
  String(Math.round(machine)),
];

/** As a document takes it. */
export function renderTable(rows: readonly Row[]): string {
  const lines = [head, ...rows.map(cells)];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const render = (line: readonly string[]): string =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = widths.map((width) => "-".repeat(width));
  return [render(head), render(rule), ...lines.slice(1).map(render)].join("\n");
}

/** Each once, with its pages. */
export function renderObjections(rows: readonly Row[]): string {
  const where = new Map<string, string[]>();
  for (const { page, preset, figures } of rows)
    for (const objection of figures.objections)
      where.set(objection, [...(where.get(objection) ?? []), `${page} ${preset}`]);
  return [...where].map(([objection, places]) => `- ${objection} (${places.join(", ")})`).join("\n");
}
