import type { Hex } from "@countersign/wire";

/** A contract on a chain that publishes the price of an asset. */
export type PriceFeed = {
  /** As mandates count it: eip155:1/native or eip155:1/erc20:0x…. */
  readonly asset: string;
  readonly chainId: number;
  readonly address: Hex;
  /** For how long after its last change the price may be used. */
  readonly freshSeconds: number;
};

const written =
  /^(eip155:[1-9][0-9]{0,15}\/(?:slip44:[0-9]{1,9}|erc20:0x[0-9a-fA-F]{40}))=([1-9][0-9]{0,15}):(0x[0-9a-fA-F]{40}):([1-9][0-9]{0,7})$/;

/** Reads `<CAIP-19 asset>=<chain id>:<address>:<seconds>`. Undefined if it is something else. */
export function readFeed(text: string): PriceFeed | undefined {
  const [, asset = "", chainId, address = "", seconds] = written.exec(text) ?? [];
  if (chainId === undefined) return undefined;
  return {
    // Chains have one native asset, whatever its number in SLIP-44.
    asset: asset.toLowerCase().replace(/\/slip44:\d+$/, "/native"),
    chainId: Number(chainId),
    address: address.toLowerCase() as Hex,
    freshSeconds: Number(seconds),
  };
}

/** The feed's address, as a CAIP-10 id. */
export const sourceOf = ({ chainId, address }: PriceFeed): string => `eip155:${chainId}:${address}`;
