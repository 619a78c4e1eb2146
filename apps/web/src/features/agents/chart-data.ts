// Data of a stacked chart: each series includes those below it.
import type { Api } from "@countersign/sdk";

type Bucket = Api.PublicMetrics["buckets"][number];

export const kinds = ["approved", "rejected", "undecided"] as const;
export type Kind = (typeof kinds)[number];

/** Returns Unix seconds, then one series per kind, lowest first. */
export function stackedOf(buckets: readonly Bucket[]): [number[], ...number[][]] {
  const rows = kinds.map((_, upTo) =>
    buckets.map((bucket) => kinds.slice(0, upTo + 1).reduce((sum, kind) => sum + bucket[kind], 0)),
  );
  return [buckets.map(({ start }) => Date.parse(start) / 1000), ...rows];
}

export const isEmpty = (buckets: readonly Bucket[]): boolean => buckets.every(({ total }) => total === 0);
