// Names assets by their CAIP-19 ids, as mandates and spending have them.
import { chainName, coinOf } from "./chains.ts";
import { shortHex } from "./format.ts";
import { tokenAt } from "./tokens.ts";

const form = /^eip155:(\d{1,16})\/(?:erc20:(0x[0-9a-f]{40})|native|slip44:\d{1,9})$/i;

type Parsed = { readonly chainId: number; readonly address: string | undefined };

function parse(asset: string): Parsed | undefined {
  const found = form.exec(asset);
  return found === null ? undefined : { chainId: Number(found[1]), address: found[2] };
}

/** `USDC`, `ETH`, or the token's address in short. */
export function assetSymbol(asset: string): string {
  const parsed = parse(asset);
  if (parsed === undefined) return asset;
  const { chainId, address } = parsed;
  if (address === undefined) return coinOf(chainId);
  return tokenAt(chainId, address)?.symbol ?? `token ${shortHex(address)}`;
}

/** The name of the asset's chain. */
export function assetChain(asset: string): string {
  const parsed = parse(asset);
  return parsed === undefined ? "an unknown chain" : chainName(parsed.chainId);
}

/** Whether both ids mean the same asset: a chain's own coin has several spellings. */
export function isSameAsset(one: string, other: string): boolean {
  const [left, right] = [parse(one), parse(other)];
  return (
    left !== undefined &&
    left.chainId === right?.chainId &&
    left.address?.toLowerCase() === right.address?.toLowerCase()
  );
}
