/**
 * The evidence that a verdict needs, by act. Each row is one claim; any one of its sources proves it. Without any of
 * them the verdict is `not_checked`: it names what is missing and claims no difference.
 */
import type { EffectAct } from "./effects.ts";

/** Sources of evidence, strongest first. */
export type EvidenceSource =
  /** The request states how much must arrive, or at what price. */
  | "stated_floor"
  /** The same asset arrives, less a fee within the operator's limit. */
  | "same_asset"
  /** Prices show that what arrives is worth what is given. */
  | "prices"
  /** A simulation on a proven state shows what arrives, and price feeds of that state that it is fair. */
  | "simulation";

export type Need = {
  /** The claim, for `assessment.missing`. */
  readonly what: "fair_return";
  readonly by: readonly EvidenceSource[];
  readonly why: string;
};

/** The return depends on a market, and the builder of the transaction chose the minimum. */
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
