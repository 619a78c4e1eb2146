/** Compares an asset in the transaction with the asset that the request names. */
import { native, sameAsset, token, type Asset, type Flow } from "../effects.ts";
import type { AssetRef } from "../intent.ts";
import { isDollar } from "../intent/dollars.ts";
import type { Registry } from "../registry.ts";
import type { World } from "./world.ts";

/** Confidence that they are the same asset, 0 for no. `unknown`: the request names an asset that we have no facts about. */
export type Likeness = number | "unknown";

export const isAlike = (found: Likeness): boolean => found !== "unknown" && found > 0;

/** The native token and its wrapped form are one to one: ETH in a request to a venue that only takes WETH means WETH. */
function throughWrapping(asset: Asset, wanted: readonly Asset[], world: World): boolean {
  const { chain } = world.proposal;
  const wrapped = world.registry.chain(chain.id)?.wrapped ?? null;
  if (wrapped === null) return false;
  const isCoin = (a: Asset): boolean => a.kind === "native" || (a.kind === "token" && a.address === wrapped);
  // WETH in a request means the token; only the native token's own name is used for both.
  return isCoin(asset) && wanted.some(({ kind }) => kind === "native");
}

/** Returns every asset that a symbol may mean on the chain of the proposal. */
export function meant(symbol: string, world: World, chain = world.proposal.chain.id): readonly Asset[] {
  const found = world.registry.chain(chain);
  const coins = [found?.coin, ...(found?.coinNames ?? [])].map((name) => name?.toUpperCase());
  const tokens = world.registry.named(chain, symbol).map((one) => token(one.address));
  return coins.includes(symbol.toUpperCase()) ? [native, ...tokens] : tokens;
}

type Meant = { readonly chain: number; readonly registry: Registry; readonly assets: readonly Asset[] };

/** Asked for every pair of a step and an effect with the same result, so it is cached for the request. */
const asked = new WeakMap<AssetRef, Meant>();

function meantBy(said: AssetRef & { readonly kind: "symbol" }, world: World): readonly Asset[] {
  const { registry } = world;
  const chain = world.proposal.chain.id;
  const known = asked.get(said);
  if (known?.chain === chain && known.registry === registry) return known.assets;
  const assets = meant(said.symbol, world);
  asked.set(said, { chain, registry, assets });
  return assets;
}

function nftLikeness(asset: Asset, said: AssetRef & { kind: "nft" }, world: World): Likeness {
  if (asset.kind !== "nft") return 0;
  if (said.ids.length > 0 && (asset.id === null || !said.ids.includes(asset.id))) return 0;
  if (said.collection === null) return "unknown";
  const wanted = said.collection.toLowerCase();
  if (/^0x[0-9a-f]{40}$/.test(wanted)) return wanted === asset.address ? 1 : 0;
  const listed = world.registry.collection(world.proposal.chain.id, said.collection);
  if (listed !== null) return listed === asset.address ? 1 : 0;
  const labels = [
    ...world.proposal.context.tokens.map((found) => [found.address, found.symbol] as const),
    ...world.proposal.context.known.map((found) => [found.address, found.label] as const),
  ];
  const named = labels.filter(([, label]) => label !== null && alike(label, wanted));
  if (named.length === 0) return "unknown";
  return named.some(([address]) => address === asset.address) ? 0.85 : 0;
}

const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
const alike = (label: string, wanted: string): boolean => {
  const [a, b] = [bare(label), bare(wanted)];
  return a !== "" && b !== "" && (a === b || a === `${b}s` || b === `${a}s`);
};

export function likeness(asset: Asset, said: AssetRef, world: World, wrapping: boolean): Likeness {
  // An asset that the transaction does not name may be the right one, and is not known to be another.
  if (asset.kind === "unsaid") return "unknown";
  switch (said.kind) {
    case "address":
      return asset.kind !== "native" && asset.address === said.address ? 1 : 0;
    case "nft":
      return nftLikeness(asset, said, world);
    case "class":
      return classLikeness(asset, said.name, world);
    case "symbol":
      return symbolLikeness(asset, said, world, wrapping);
  }
}

function symbolLikeness(
  asset: Asset,
  said: AssetRef & { readonly kind: "symbol" },
  world: World,
  wrapping: boolean,
): Likeness {
  const wanted = meantBy(said, world);
  if (asset.kind === "nft")
    return nftLikeness(asset, { kind: "nft", collection: said.symbol, ids: [], span: said.span }, world);
  if (wanted.length === 0) return "unknown";
  if (wanted.some((one) => sameAsset(one, asset))) return wanted.length === 1 ? 1 : 0.95;
  return wrapping && throughWrapping(asset, wanted, world) ? 0.85 : 0;
}

function classLikeness(asset: Asset, name: string, world: World): Likeness {
  if (!/stable/i.test(name) || asset.kind !== "token") return "unknown";
  const symbol = world.registry.token(world.proposal.chain.id, asset.address)?.symbol.toUpperCase();
  return symbol !== undefined && isDollar(symbol) ? 0.85 : 0;
}

/** Returns the flow that carries a named asset, best first. */
export function flowOf(
  flows: readonly Flow[],
  said: AssetRef,
  world: World,
  wrapping: boolean,
): { readonly flow: Flow; readonly likeness: Likeness } | null {
  const rank = (value: Likeness): number => (value === "unknown" ? 0.01 : value);
  let best: { readonly flow: Flow; readonly likeness: Likeness } | null = null;
  for (const flow of flows) {
    const found = likeness(flow.asset, said, world, wrapping);
    if (best === null || rank(found) > rank(best.likeness)) best = { flow, likeness: found };
  }
  return best;
}
