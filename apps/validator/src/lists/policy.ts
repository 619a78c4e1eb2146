/** The operator's own rules. A misspelt key is an error: a rule that is silently not applied is worse than none. */
import { z } from "zod";
import type { Policy } from "../facts.ts";
import { defaultPolicy } from "./default-policy.ts";

const bps = z.int().min(0).max(10_000);
const seconds = z.int().positive();
const names = z.array(z.string().min(1));
const baseUnits = z.string().regex(/^[0-9]{1,78}$/, "expected base units in decimal digits");

const PolicyFile = z.strictObject({
  allowedChains: z.array(z.int().positive()).optional(),
  /** By symbol, by address, or as `chain:address`. */
  allowedAssets: names.optional(),
  deniedAssets: names.optional(),
  maxUsdPerTransaction: z.number().positive().optional(),
  maxUnitsPerTransaction: z.record(z.string().min(1), baseUnits).optional(),
  jurisdictions: z
    .array(
      z.strictObject({
        jurisdiction: z.string().min(1),
        deniedActs: names.default([]),
        deniedAssets: names.default([]),
      }),
    )
    .optional(),
  maxFeeBps: bps.optional(),
  maxBridgeFeeBps: bps.optional(),
  maxSlippageBps: bps.optional(),
  maxSwapSeconds: seconds.optional(),
  maxOrderSeconds: seconds.optional(),
});

/** Addresses in lower case, symbols in upper case, as the checks look them up. */
const spelt = (asset: string): string => (/0x/i.test(asset) ? asset.toLowerCase() : asset.toUpperCase());

const orDefault = (value: number | undefined, otherwise: bigint): bigint =>
  value === undefined ? otherwise : BigInt(value);

export function readPolicy(content: unknown): Policy | { readonly fault: string } {
  const parsed = PolicyFile.safeParse(content);
  if (!parsed.success) return { fault: z.prettifyError(parsed.error) };
  const file = parsed.data;
  const units = Object.entries(file.maxUnitsPerTransaction ?? {});
  return {
    allowedChains: file.allowedChains === undefined ? null : new Set(file.allowedChains),
    allowedAssets: file.allowedAssets === undefined ? null : new Set(file.allowedAssets.map(spelt)),
    deniedAssets: new Set(file.deniedAssets?.map(spelt)),
    maxUsdPerTransaction: file.maxUsdPerTransaction ?? null,
    maxUnitsPerTransaction: new Map(units.map(([asset, amount]) => [spelt(asset), BigInt(amount)])),
    jurisdictions: file.jurisdictions ?? [],
    maxFeeBps: orDefault(file.maxFeeBps, defaultPolicy.maxFeeBps),
    maxBridgeFeeBps: orDefault(file.maxBridgeFeeBps, defaultPolicy.maxBridgeFeeBps),
    maxSlippageBps: orDefault(file.maxSlippageBps, defaultPolicy.maxSlippageBps),
    maxSwapSeconds: orDefault(file.maxSwapSeconds, defaultPolicy.maxSwapSeconds),
    maxOrderSeconds: orDefault(file.maxOrderSeconds, defaultPolicy.maxOrderSeconds),
  };
}
