// npm run bench -- cost: what a verdict costs against its leaves and its words, drawn into docs/reference/validator-cost.svg.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import type { Hex } from "../../apps/validator/src/proposal.ts";
import { startEngine, type RealEngine } from "../../apps/validator/test/real-engine.ts";
import { payMany, shapes } from "../../apps/validator/test/some-requests.ts";

type Point = { readonly size: number; readonly ms: number };
type Series = { readonly title: string; readonly unit: string; readonly points: readonly Point[] };

const leaves = [1, 16, 32, 64, 96, 128, 160, 192, 224, 254];
const characters = [100, 2000, 4000, 6000, 8000, 10_000, 12_000, 14_000, 16_000, 18_000, 20_000];
const safe = "0x5afe5afe5afe5afe5afe5afe5afe5afe5afe5afe";
const party = (n: number): Hex => `0x${(n + 1).toString(16).padStart(40, "c1")}`;
const first = shapes[0]?.request;

const withLeaves = (count: number): object => ({
  ...first,
  proposed_tx: {
    to: safe,
    data: payMany(
      Array.from({ length: count }, (_, n) => party(n)),
      5n,
    ),
    value: "0",
  },
});
/** Payments one after the other, as a long request would have them. */
const withWords = (length: number): object => ({
  ...first,
  human_intent: Array.from({ length: Math.ceil(length / 60) }, (_, n) => `send ${n + 1} USDC to ${party(n)}`)
    .join(" and ")
    .slice(0, length),
});

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Every size once, then again: the least of all rounds, in CPU time, because the machine is shared. */
async function measure(
  { ask }: RealEngine,
  sizes: readonly number[],
  make: (size: number) => object,
): Promise<readonly Point[]> {
  const texts = sizes.map((size) => ({ size, text: JSON.stringify(make(size)) }));
  const least = new Map<number, number>();
  for (let round = 0; round < 25; round++)
    for (const { size, text } of texts) {
      const before = cpuMs();
      await ask(text);
      least.set(size, Math.min(least.get(size) ?? Infinity, cpuMs() - before));
    }
  return sizes.map((size) => ({ size, ms: least.get(size) ?? Number.NaN }));
}

/** The straight line that fits best, and how much of the variation it leaves unexplained. */
function fit(points: readonly Point[]): {
  readonly slope: number;
  readonly base: number;
  readonly r2: number;
} {
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
  const x = mean(points.map(({ size }) => size));
  const y = mean(points.map(({ ms }) => ms));
  const sum = (of: (point: Point) => number): number => points.reduce((total, point) => total + of(point), 0);
  const slope = sum(({ size, ms }) => (size - x) * (ms - y)) / sum(({ size }) => (size - x) ** 2);
  const base = y - slope * x;
  const rest = sum(({ size, ms }) => (ms - base - slope * size) ** 2);
  return { slope, base, r2: 1 - rest / sum(({ ms }) => (ms - y) ** 2) };
}

const box = { width: 420, height: 260, left: 50, top: 30, gap: 40 } as const;

function draw({ title, unit, points }: Series, index: number): string {
  const left = box.left + index * (box.width + box.gap + box.left);
  const widest = Math.max(...points.map(({ size }) => size));
  const highest = Math.max(...points.map(({ ms }) => ms)) * 1.1;
  const x = (size: number): string => (left + (size / widest) * box.width).toFixed(1);
  const y = (ms: number): string => (box.top + box.height - (ms / highest) * box.height).toFixed(1);
  const { slope, base, r2 } = fit(points);
  const end = box.top + box.height;
  const label = (at: string, up: number, text: string, anchor: string): string =>
    `<text x="${at}" y="${up}" text-anchor="${anchor}">${text}</text>`;
  return `<g>
${label(String(left + box.width / 2), box.top - 10, `${title} (straight line: R² ${r2.toFixed(3)})`, "middle")}
<rect x="${left}" y="${box.top}" width="${box.width}" height="${box.height}" fill="none" stroke="#888"/>
<line x1="${x(0)}" y1="${y(Math.max(base, 0))}" x2="${x(widest)}" y2="${y(base + slope * widest)}" stroke="#c60"/>
${points.map(({ size, ms }) => `<circle cx="${x(size)}" cy="${y(ms)}" r="3.5" fill="#06c"/>`).join("\n")}
${label(String(left - 6), end, "0", "end")}${label(String(left - 6), box.top + 10, `${highest.toFixed(0)} ms`, "end")}
${label(x(0), end + 16, "0", "middle")}${label(x(widest), end + 16, `${widest} ${unit}`, "end")}
</g>`;
}

const asSvg = (
  all: readonly Series[],
): string => `<svg xmlns="http://www.w3.org/2000/svg" width="1060" height="330" font-family="sans-serif" font-size="12" role="img" aria-label="CPU time of a verdict against leaves and characters">
<rect width="1060" height="330" fill="#fff"/>
${all.map(draw).join("\n")}
</svg>
`;

const asTable = async ({ title, unit, points }: Series): Promise<string> => {
  const { slope, base, r2 } = fit(points);
  const rows = points.map(({ size, ms }) => `| ${size.toLocaleString("en")} | ${ms.toFixed(1)} |`).join("\n");
  const table = await format(`| ${unit} | CPU ms |\n|---|---|\n${rows}\n`, { parser: "markdown" });
  return `${title}: ${base.toFixed(1)} ms + ${(slope * 1000).toFixed(1)} µs each, R² ${r2.toFixed(3)}\n\n${table}`;
};

export async function benchCost(): Promise<void> {
  const real = await startEngine();
  const all: readonly Series[] = [
    { title: "Transfers in one MultiSend", unit: "leaves", points: await measure(real, leaves, withLeaves) },
    { title: "Length of the words", unit: "characters", points: await measure(real, characters, withWords) },
  ];
  writeFileSync(join(import.meta.dirname, "../../docs/reference/validator-cost.svg"), asSvg(all));
  for (const series of all) console.log(await asTable(series));
}
