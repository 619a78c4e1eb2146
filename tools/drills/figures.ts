// The figures of a drill: how long nothing moved, and how long proposals took.
import { stages, type Progress, type Stage } from "./stories.ts";

/** A time in which parts were killed and came back, in milliseconds of `performance.now()`. */
export type Window = { readonly name: string; readonly from: number; readonly to: number };

export type Stall = { readonly name: string } & Readonly<Record<Stage, number>>;

/** The longest time within the window without a proposal that reached the stage, in seconds. */
export function longestGap(times: readonly number[], { from, to }: Pick<Window, "from" | "to">): number {
  const inside = times.filter((time) => time >= from && time <= to).toSorted((one, other) => one - other);
  const ends = [from, ...inside, to];
  return Math.max(...ends.slice(1).map((end, index) => end - (ends[index] ?? end))) / 1000;
}

export const stallsIn = (progress: Progress, windows: readonly Window[]): readonly Stall[] =>
  windows.map((window) => {
    const [accepted = 0, decided = 0, executed = 0] = stages.map((stage) =>
      longestGap(progress[stage], window),
    );
    return { name: window.name, accepted, decided, executed };
  });

/** Returns the value that this share of all values does not exceed, in seconds. */
export function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) / 1000;
}

const inSeconds = (value: number): string => value.toFixed(1).padStart(6);

export const writeStalls = (stalls: readonly Stall[]): string =>
  [
    `${"longest time without progress, s".padEnd(42)}accepted decided executed`,
    ...stalls.map(
      ({ name, ...of }) => `  ${name.padEnd(40)} ${stages.map((stage) => inSeconds(of[stage])).join("  ")}`,
    ),
  ].join("\n");

export const writeDelays = (delays: Progress): string =>
  stages
    .map((stage) => {
      const [half, most, all] = [0.5, 0.99, 1].map((share) => percentile(delays[stage], share).toFixed(1));
      return `${stage}: median ${half} s, 99 % ${most} s, longest ${all} s`;
    })
    .join("; ");
