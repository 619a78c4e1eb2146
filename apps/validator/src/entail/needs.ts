/** Finds the effects that use an allowance, and how much of it they need. */
import { sameAsset, type Asset, type Authority, type Effect } from "../effects.ts";
import { throughPermit2 } from "./parties.ts";
import type { World } from "./world.ts";

/** Whether an effect takes tokens through this spender. */
export function serves(spender: string, user: Effect, world: World): boolean {
  if (user.target === spender) return true;
  const owners = world.protocols.at(world.proposal.chain.id, spender as `0x${string}`);
  if (user.venue === null) return false;
  const venue = user.venue;
  return owners.some(
    ({ protocol }) =>
      protocol === venue ||
      world.protocols.satisfies(protocol, venue) ||
      (protocol === "permit2" && throughPermit2.includes(venue)),
  );
}

/** How much of an asset an effect takes. */
export const needOf = (effect: Effect, asset: Asset, world: World): bigint => {
  const wrapped = world.registry.chain(world.proposal.chain.id)?.wrapped ?? null;
  const is = (other: Asset): boolean =>
    sameAsset(other, asset) ||
    (asset.kind === "nft" && other.kind === "nft" && asset.address === other.address) ||
    (other.kind === "native" && asset.kind === "token" && asset.address === wrapped);
  const given = effect.gives
    .filter((flow) => is(flow.asset))
    .reduce((sum, { amount }) => sum + amount.most, 0n);
  // An allowance passed on through Permit2 needs the allowance of Permit2 itself.
  const granted =
    effect.authority?.asset && is(effect.authority.asset) && effect.act === "approve"
      ? effect.authority.amount.most
      : 0n;
  return given + granted;
};

/** Whether the rest of the transaction uses all of this allowance, so that nothing of it remains. */
export function usesUp({ spender, asset, amount }: Authority, world: World): boolean {
  if (asset === null || amount.most === 0n || spender === "self" || spender === "venue") return false;
  const need = world.reading.effects
    .filter((effect) => effect.act !== "approve" && serves(spender, effect, world))
    .reduce((sum, effect) => sum + needOf(effect, asset, world), 0n);
  return amount.most <= need;
}
