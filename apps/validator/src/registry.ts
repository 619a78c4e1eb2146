/** Facts about chains and tokens. `registry/` builds it from the committed tables; nothing here asks a network. */
import type { Address } from "./proposal.ts";

export type Token = {
  readonly chain: number;
  readonly address: Address;
  /** As its issuer writes it: `USDC`, `stETH`, `USDC.e`. */
  readonly symbol: string;
  readonly decimals: number;
  /** In our hand-kept core: what a bare symbol means when several tokens on the chain carry it. */
  readonly core: boolean;
};

export type Chain = {
  readonly id: number;
  readonly name: string;
  /** Symbol of the coin that pays for gas: ETH, POL, BNB. */
  readonly coin: string;
  /** Other names of the coin, in lower case: "ether" on Ethereum, "matic" on Polygon. */
  readonly coinNames?: readonly string[];
  /** The wrapped coin's contract. */
  readonly wrapped: Address | null;
};

export type Registry = {
  /** The token at an address, or null: unknown is not the same as worthless. */
  readonly token: (chain: number, address: Address) => Token | null;
  /**
   * Every token a person may mean by a symbol on a chain, core first. Case does not matter; aliases are applied
   * ("tether" is USDT, "ether" is not a token). Where a core token carries the symbol only the core ones are returned.
   */
  readonly named: (chain: number, symbol: string) => readonly Token[];
  /** Whether any chain has a token of that symbol: how the reader of words knows an asset when it sees one. */
  readonly isSymbol: (word: string) => boolean;
  /** Symbols that are also ordinary English words. They count only in upper case or after a number. */
  readonly isEnglish: (word: string) => boolean;
  /** The NFT collection with that name, in lower case. Few have a symbol in common use. */
  readonly collection: (chain: number, name: string) => Address | null;
  readonly chain: (id: number) => Chain | null;
  /** The chain a phrase names ("base", "arbitrum one", "eth mainnet"), lower case, single spaces. */
  readonly chainNamed: (phrase: string) => Chain | null;
  readonly sources: readonly {
    readonly name: string;
    readonly version: string;
    readonly asOf: string;
    readonly entries: number;
  }[];
};
