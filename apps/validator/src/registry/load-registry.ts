/** Looks tokens and chains up by address and by what people call them. */
import type { Address } from "../proposal.ts";
import type { Chain, Registry, Token } from "../registry.ts";
import { readTables, type Tables } from "./tables.ts";

export type LoadedRegistry = Registry & {
  /** Every phrase that `chainNamed` accepts, longest first. */
  readonly chainPhrases: readonly string[];
  /** Names of tokens that are no symbol: "usd coin", "wrapped ether"; longest first. */
  readonly assetPhrases: readonly string[];
  /** Names of NFT collections, longest first. */
  readonly collectionPhrases: readonly string[];
  /** Whether a coin or a token of the checked core bears the symbol, and not only one of the long tail. */
  readonly isCommon: (word: string) => boolean;
};

/** Reads the committed tables. Call it once, at the start: it takes tens of milliseconds. */
export function loadRegistry(): LoadedRegistry {
  const tables = readTables();
  const byAddress = indexByAddress(tables);
  const chains = new Map<number, Chain>(tables.chains.map((chain) => [chain.id, chain]));
  const byName = new Map(tables.chains.flatMap((chain) => chain.names.map((name) => [name, chain] as const)));
  const words = symbolsOf(tables);
  const collections = new Map(
    tables.collections.flatMap(({ chain, address, names }) =>
      names.flatMap(withPlural).map((name) => [`${chain}:${name}`, address] as const),
    ),
  );
  const common = new Set(
    [
      ...tables.core.flatMap(({ symbol, also }) => [symbol, ...also]),
      ...tables.chains.map(({ coin }) => coin),
      ...tables.aliases.keys(),
    ].map((symbol) => symbol.toLowerCase()),
  );
  const longestFirst = (phrases: Iterable<string>): readonly string[] =>
    [...phrases].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return {
    token: (chain, address) => byAddress.get(chain)?.get(address) ?? null,
    named: nameTokens(tables, byAddress),
    isSymbol: (word) => words.has(bare(word)),
    isEnglish: (word) => word.length === 1 || tables.english.has(word.toLowerCase()),
    isCommon: (word) => common.has(bare(word)),
    chain: (id) => chains.get(id) ?? null,
    chainNamed: (phrase) => findChain(phrase, byName, chains),
    collection: (chain, name) => collections.get(`${chain}:${name.trim().toLowerCase()}`) ?? null,
    sources: tables.sources,
    chainPhrases: longestFirst(byName.keys()),
    assetPhrases: longestFirst(tables.aliases.keys()),
    collectionPhrases: longestFirst(tables.collections.flatMap(({ names }) => names.flatMap(withPlural))),
  };
}

/** `$PEPE` is PEPE. */
const bare = (word: string): string => {
  const plain = word.trim().toLowerCase();
  return plain.length > 1 && plain.startsWith("$") ? plain.slice(1) : plain;
};

/** By chain and then by address: the question asked most, without making a key for it. */
type ByAddress = ReadonlyMap<number, ReadonlyMap<Address, Token>>;

/** The core table takes precedence over the long tail. */
function indexByAddress({ tokens, core }: Tables): ByAddress {
  const index = new Map<number, Map<Address, Token>>();
  const put = (token: Token): void => {
    const here = index.get(token.chain);
    if (here === undefined) index.set(token.chain, new Map([[token.address, token]]));
    else here.set(token.address, token);
  };
  for (const token of tokens) put(token);
  for (const { chain, address, symbol, decimals } of core)
    put({ chain, address, symbol, decimals, core: true });
  return index;
}

/** Some tokens call themselves "100" or "2X". In a sentence those are amounts. */
const isNumeric = (symbol: string): boolean => /^[0-9][0-9.,]*[a-z%]?$/.test(symbol);

function symbolsOf({ tokens, core, aliases, chains }: Tables): ReadonlySet<string> {
  const symbols = [
    ...tokens.map(({ symbol }) => symbol),
    ...core.flatMap(({ symbol, also }) => [symbol, ...also]),
    ...aliases.keys(),
    ...chains.flatMap(({ coin, coinNames }) => [coin, ...(coinNames ?? [])]),
  ];
  return new Set(symbols.map(bare).filter((symbol) => !isNumeric(symbol) && symbol !== ""));
}

type Find = (chain: number, symbol: string) => readonly Token[];

function nameTokens(tables: Tables, byAddress: ByAddress): Registry["named"] {
  const known = (chain: number, address: Address): Token | null => byAddress.get(chain)?.get(address) ?? null;
  const core = indexBySymbol(
    tables.core.flatMap(({ chain, address, symbol, also }) =>
      [symbol, ...also].map((name) => ({ name, token: known(chain, address) })),
    ),
  );
  // A token that the core knows under another symbol does not answer to the one in the table: bridged USDC is not USDC.
  const others = indexBySymbol(
    tables.tokens.map(({ chain, address, symbol }) => ({ name: symbol, token: known(chain, address) })),
    (token) => !token.core,
  );
  const coins = new Map(
    tables.chains.map(({ id, coin, coinNames }) => [id, new Set([coin, ...(coinNames ?? [])].map(bare))]),
  );
  return (chain, symbol) => {
    const name = bare(symbol);
    const direct = core(chain, name);
    // An unknown token called ETH does not match a request for ETH.
    if (direct.length > 0 || coins.get(chain)?.has(name) === true) return direct;
    const names = tables.aliases.get(name)?.map(bare) ?? [name];
    return firstFound([
      () => names.flatMap((one) => core(chain, one)),
      () => names.flatMap((one) => others(chain, one)),
      () => others(chain, name),
      () =>
        names.flatMap((one) =>
          bridged(one).flatMap((twin) => [...core(chain, twin), ...others(chain, twin)]),
        ),
    ]);
  };
}

/** Where a chain has only the bridged token, its plain symbol means that one. */
const bridged = (symbol: string): readonly string[] =>
  symbol === "usdc" ? ["usdc.e", "usdbc"] : [`${symbol}.e`];

function firstFound(searches: readonly (() => readonly Token[])[]): readonly Token[] {
  for (const search of searches) {
    const found = search();
    if (found.length > 0) return [...new Set(found)];
  }
  return [];
}

function indexBySymbol(
  entries: readonly { readonly name: string; readonly token: Token | null }[],
  keep: (token: Token) => boolean = () => true,
): Find {
  const index = new Map<string, Token[]>();
  for (const { name, token } of entries) {
    if (token === null || !keep(token)) continue;
    const key = `${token.chain}:${bare(name)}`;
    const found = index.get(key);
    if (found === undefined) index.set(key, [token]);
    else if (!found.includes(token)) found.push(token);
  }
  return (chain, symbol) => index.get(`${chain}:${symbol}`) ?? [];
}

const decoration = /^the | (?:network|chain|blockchain|mainnet|l2|rollup)$/;

/** "the Scroll network" is Scroll, "chain id 10" is OP Mainnet. */
function findChain(
  phrase: string,
  byName: ReadonlyMap<string, Chain>,
  byId: ReadonlyMap<number, Chain>,
): Chain | null {
  if (phrase.length > 64) return null;
  const plain = phrase.trim().toLowerCase();
  const id = /^(?:chain ?(?:id)? ?)?([0-9]{1,15})$/.exec(plain)?.[1];
  if (id !== undefined) return byId.get(Number(id)) ?? null;
  const found = byName.get(plain);
  if (found !== undefined) return found;
  const shorter = plain.replace(decoration, "");
  return shorter === plain ? null : findChain(shorter, byName, byId);
}

/** "Azukis", "Mutant Apes": what a person owns several of. */
const withPlural = (name: string): readonly string[] =>
  name.length > 4 && !name.endsWith("s") ? [name, `${name}s`] : [name];
