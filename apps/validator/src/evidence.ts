/**
 * Which evidence a verdict needs, by act. One row is one thing that must be shown; any one of its sources shows it. Without any of
 * them the verdict is `not_checked`: what is missing is said, and no difference is claimed.
 */
import type { EffectAct } from "./effects.ts";

/** What can show something, strongest first. */
export type EvidenceSource =
  /** The request states how much must arrive, or at what price. */
  | "stated_floor"
  /** The same asset arrives, less a fee within the operator's limit. */
  | "same_asset"
  /** Prices show that what arrives is worth what is given. */
  | "prices"
  /** A simulation shows what arrives. */
  | "simulation";

export type Need = {
  /** What must be shown, for `assessment.missing`. */
  readonly what: "fair_return";
  readonly by: readonly EvidenceSource[];
  readonly why: string;
};

/** What comes back depends on a market, and the minimum in the transaction was chosen by whoever built it. */
const fairReturn: Need = {
  what: "fair_return",
  by: ["stated_floor", "same_asset", "prices", "simulation"],
  why: "The request does not say how much must arrive, and no price or simulation shows that the minimum is fair.",
};

export const needsOf: Readonly<Partial<Record<EffectAct, readonly Need[]>>> = {
  swap: [fairReturn],
  bridge: [fairReturn],
  remove_liquidity: [fairReturn],
  sell_nft: [fairReturn],
};
