/** Groups effects for the checks. An empty group is an absent fact. */
import type { Effect } from "../effects.ts";
import { movesWithMarket } from "../entail/acts.ts";
import type { Facts } from "../facts.ts";

const some = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);

type Groups = {
  readonly [Name in "moves" | "swaps" | "market" | "approvals" | "signed"]?: Facts[Name] | undefined;
};

export const groupEffects = (effects: readonly Effect[]): Groups => ({
  moves: some(effects.filter(({ act }) => act !== "harmless")),
  swaps: some(effects.filter(({ act }) => act === "swap")),
  market: some(effects.filter(({ act, terms }) => movesWithMarket(act) || terms.order === true)),
  approvals: some(effects.filter(({ authority }) => authority !== null)),
  signed: some(
    effects.filter(({ authority, terms, where }) => isSigned(authority?.signed, terms.order, where.call)),
  ),
});

const isSigned = (signed: boolean | undefined, order: boolean | undefined, at: string): boolean =>
  signed === true || order === true || at.startsWith("proposed_tx.order");
