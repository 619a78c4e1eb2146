/**
 * Adds up the worst case after everything has happened: what left, what is sure to arrive, which allowances remain,
 * and who else was paid. Order counts: an allowance that a later call to the same spender uses up is gone; an
 * allowance used by another spender is not.
 */
import {
  MAX_UINT,
  sameAsset,
  type Asset,
  type Authority,
  type Effect,
  type NetEffect,
  type Party,
} from "../effects.ts";

type Sum = {
  readonly asset: Asset;
  readonly chain: number | null;
  most: bigint;
  least: bigint;
  everything: boolean;
};

/** Allowances given to it are spent by the holders of an allowance inside it. */
const PERMIT2 = "0x000000000022d473030f116ddee9f6b43ac78ba3";

const keyOf = (asset: Asset): string => {
  switch (asset.kind) {
    case "native":
      return "native";
    case "token":
      return asset.address;
    case "nft":
      return `${asset.address}#${asset.id ?? "*"}`;
    case "unsaid":
      return `unsaid:${asset.why}`;
  }
};

const capped = (n: bigint): bigint => (n > MAX_UINT ? MAX_UINT : n);

/** An asset of another chain is another one, also at the same address. */
const addTo = (
  sums: Map<string, Sum>,
  { asset, amount }: Effect["gives"][number],
  chain: number | null = null,
): void => {
  const key = chain === null ? keyOf(asset) : `${chain} ${keyOf(asset)}`;
  const sum = sums.get(key) ?? { asset, chain, most: 0n, least: 0n, everything: false };
  sum.most = capped(sum.most + amount.most);
  sum.least = capped(sum.least + amount.least);
  sum.everything ||= amount.everything === true;
  sums.set(key, sum);
};

const isOther = (party: Party | null): party is Party => party !== null && party !== "self";

/** A share of an output is worth at least that share of the guaranteed amount, and may be worth any amount. */
const feeMost = (effect: Effect, fee: Effect["fees"][number]): bigint => {
  if ("most" in fee.share) return fee.share.most;
  const { bps } = fee.share;
  const base = effect.gets.find(({ asset }) => sameAsset(asset, fee.asset));
  return base === undefined || base.amount.least === 0n ? MAX_UINT : (base.amount.least * bps) / 10_000n;
};

const onChain = (chain: number | null): { readonly toChain?: number } =>
  chain === null ? {} : { toChain: chain };

/** The price of an execution that anyone may do. As that of a transaction, it is not part of what moves. */
const isNetworkFee = ({ act }: Effect, { to }: Effect["fees"][number]): boolean =>
  act === "harmless" && to === "venue";

const othersOf = (effect: Effect): NetEffect["others"] => {
  const { receiver } = effect;
  const arrival = onChain(effect.gets.length > 0 ? effect.toChain : null);
  const paid = effect.gets.length > 0 ? effect.gets : effect.gives;
  const main = isOther(receiver)
    ? paid.map(({ asset, amount, where }) => ({
        party: receiver,
        asset,
        most: amount.most,
        where: effect.places["receiver"] ?? where,
        ...arrival,
      }))
    : [];
  const fees = effect.fees
    .filter((fee) => fee.to !== "self" && !isNetworkFee(effect, fee))
    .map((fee) => ({ party: fee.to, asset: fee.asset, most: feeMost(effect, fee), where: fee.where }));
  return [...main, ...fees];
};

/** An allowance of `self` at some moment of the run. */
type Standing = { authority: Authority };

const sameGrant = (a: Authority, b: Authority): boolean => {
  if (a.spender !== b.spender) return false;
  if (a.asset === null || b.asset === null) return a.asset === b.asset;
  return sameAsset(a.asset, b.asset);
};

/** Revoking a whole collection also revokes each of its tokens. */
const covers = (revoked: Authority, standing: Authority): boolean =>
  sameGrant(revoked, standing) ||
  (revoked.spender === standing.spender &&
    revoked.asset?.kind === "nft" &&
    standing.asset?.kind === "nft" &&
    revoked.asset.id === null &&
    revoked.asset.address === standing.asset.address);

const spend = (standing: Standing, used: bigint): void => {
  const { authority } = standing;
  const { most, least } = authority.amount;
  if (used === 0n || most === MAX_UINT) return;
  const rest = (n: bigint): bigint => (n > used ? n - used : 0n);
  standing.authority = {
    ...authority,
    amount: { ...authority.amount, least: rest(least), most: rest(most) },
  };
};

const useUp = (standings: Standing[], effect: Effect): void => {
  if (effect.payer !== "self" || effect.terms.order === true) return;
  const held = standings.some(({ authority }) => authority.spender === effect.target);
  for (const { asset, amount } of effect.gives) {
    for (const standing of standings) {
      const { spender } = standing.authority;
      const isUser = spender === effect.target || (spender === PERMIT2 && held);
      const same = standing.authority.asset !== null && sameAsset(standing.authority.asset, asset);
      if (isUser && same) spend(standing, amount.least);
    }
  }
};

const grant = (standings: Standing[], effect: Effect): Standing[] => {
  const { authority } = effect;
  if (authority === null) {
    return effect.admin?.kind === "revoke_delegation"
      ? standings.filter((s) => s.authority.asset !== null)
      : standings;
  }
  if (effect.terms.reducedBy !== undefined) return standings;
  if (effect.act === "revoke") return standings.filter((s) => !covers(authority, s.authority));
  if (authority.amount.most === 0n) return standings.filter((s) => !sameGrant(authority, s.authority));
  const others =
    effect.function === "increaseAllowance"
      ? standings
      : standings.filter((s) => !sameGrant(authority, s.authority));
  return [...others, { authority }];
};

const isGrantor = (effect: Effect): boolean => effect.payer === "self";

const residual = (effects: readonly Effect[]): readonly Authority[] => {
  let standings: Standing[] = [];
  for (const effect of effects) {
    useUp(standings, effect);
    if (isGrantor(effect)) standings = grant(standings, effect);
  }
  return standings.map(({ authority }) => authority).filter(({ amount }) => amount.most > 0n);
};

export const netOf = (effects: readonly Effect[]): NetEffect => {
  const gone = new Map<string, Sum>();
  const come = new Map<string, Sum>();
  for (const effect of effects) {
    if (effect.payer === "self") for (const flow of effect.gives) addTo(gone, flow);
    if (effect.receiver === "self") {
      // A plain transfer to oneself (a pull from another account) brings in what it gives.
      const brought = effect.gets.length > 0 || effect.payer === "self" ? effect.gets : effect.gives;
      for (const flow of brought) addTo(come, flow, effect.toChain);
    }
  }
  return {
    leaves: [...gone.values()].map(({ asset, most, everything }) => ({ asset, most, everything })),
    arrives: [...come.values()].map(({ asset, least, chain }) => ({ asset, least, ...onChain(chain) })),
    authority: residual(effects),
    others: effects.flatMap(othersOf),
    admin: effects.flatMap(({ admin, where }) =>
      admin === null ? [] : [{ kind: admin.kind, party: admin.party, where }],
    ),
  };
};
