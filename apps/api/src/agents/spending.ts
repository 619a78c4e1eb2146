// Amounts that left the account, per day, asset and the approval that allowed them.
import { z } from "zod";
import { assetOf } from "../mandates/index.ts";

/** A transaction on the chain, with the effects of its report. */
export type Executed = {
  /** The UTC date on which it became final. */
  readonly day: string;
  readonly chainId: number;
  readonly by: "mandate" | "owner" | "service";
  readonly effects: unknown;
};

export type Spent = Pick<Executed, "day" | "by"> & {
  /** CAIP-19, with `native` for the chain's own coin. */
  readonly asset: string;
  readonly symbol: string | null;
  readonly decimals: number | null;
  readonly units: bigint;
  /** How many transactions moved it. */
  readonly count: number;
};

const Flow = z.object({
  kind: z.string(),
  symbol: z.string().max(64).nullish(),
  address: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/)
    .optional(),
  units: z
    .string()
    .regex(/^[0-9]{1,78}$/)
    .nullable(),
  decimals: z.int().min(0).max(255).nullable(),
});
const Effects = z.array(z.object({ payer: z.string(), gives: z.array(Flow) })).min(1);

type Part = Omit<Spent, "count">;

/** Returns undefined if part of what it moved has no amount. */
function partsOf({ day, by, chainId, effects }: Executed): readonly Part[] | undefined {
  const read = Effects.safeParse(effects);
  if (!read.success) return undefined;
  const parts: Part[] = [];
  for (const flow of read.data.filter(({ payer }) => payer === "self").flatMap(({ gives }) => gives)) {
    const asset = assetOf(flow, chainId);
    if (asset === undefined || flow.units === null) return undefined;
    const { symbol = null, decimals } = flow;
    parts.push({ day, by, asset, symbol, decimals, units: BigInt(flow.units) });
  }
  return parts;
}

const keyOf = ({ day, by, asset }: Part): string => `${day} ${by} ${asset}`;

/** Sums by day, asset and approval, oldest first. `uncounted`: transactions without a known amount. */
export function sumSpending(executed: readonly Executed[]): {
  readonly spent: readonly Spent[];
  readonly uncounted: number;
} {
  const sums = new Map<string, Spent>();
  let uncounted = 0;
  for (const one of executed) {
    const parts = partsOf(one);
    if (parts === undefined) uncounted += 1;
    const counted = new Set<string>();
    for (const part of parts ?? []) {
      const key = keyOf(part);
      const sum = sums.get(key);
      sums.set(key, {
        ...part,
        units: (sum?.units ?? 0n) + part.units,
        count: (sum?.count ?? 0) + (counted.has(key) ? 0 : 1),
      });
      counted.add(key);
    }
  }
  const spent = [...sums.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  return { spent, uncounted };
}
