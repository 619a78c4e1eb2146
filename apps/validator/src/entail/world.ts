/** The inputs of the comparison between request and transaction. */
import type { Effect, EffectAct, Reading } from "../effects.ts";
import type { Comparison } from "../entailment.ts";
import type { Policy } from "../facts.ts";
import type { Intent, Step } from "../intent.ts";
import type { Address, Proposal } from "../proposal.ts";
import type { Registry } from "../registry.ts";
import type { ProvenNames, Simulation } from "../simulation.ts";

/** Facts about venues: which protocol an address belongs to, and whether a name means a protocol. */
export type Venues = {
  readonly at: (
    chain: number,
    address: Address,
  ) => readonly { readonly protocol: string; readonly role: string }[];
  /** `uniswap` is satisfied by `uniswap_v3`; `uniswap_v2` is not. */
  readonly satisfies: (said: string, protocol: string) => boolean;
  /** Acts that a venue means by a verb of another act: staking at a lender is supplying. */
  readonly all: ReadonlyMap<
    string,
    {
      readonly verbs?: Readonly<Record<string, readonly EffectAct[]>>;
      /** Empty for a standard interface. */
      readonly names?: readonly string[];
    }
  >;
};

export type World = {
  readonly proposal: Proposal;
  readonly intent: Intent;
  readonly reading: Reading;
  readonly registry: Registry;
  readonly protocols: Venues;
  readonly policy: Policy;
  /** Evidence about what arrives, and about balances and prices on the chain of the proposal. It never licenses an effect. */
  readonly simulation?: Simulation | undefined;
  /** The names that a proven state resolves, on the chain of the proposal. */
  readonly names?: ProvenNames | undefined;
};

/** Returns the world of the chain an effect sends to: what arrives there is an asset of that chain, and not in the simulation. */
export const abroad = ({ toChain }: Effect, world: World): World =>
  toChain === null
    ? world
    : {
        ...world,
        proposal: { ...world.proposal, chain: { id: toChain, assumed: false } },
        simulation: undefined,
        names: undefined,
      };

/** A step and an effect that belong together. */
export type Pair = {
  readonly step: Step;
  readonly effect: Effect;
  readonly index: { readonly step: number; readonly effect: number };
};

/** A comparison that matched needs no fix. */
export const same = (found: Omit<Comparison, "outcome" | "fix">): Comparison => ({
  ...found,
  outcome: "same",
  fix: "",
});
export const differs = (found: Omit<Comparison, "outcome">): Comparison => ({ ...found, outcome: "differs" });
export const cannotTell = (found: Omit<Comparison, "outcome">): Comparison => ({
  ...found,
  outcome: "cannot_tell",
});
