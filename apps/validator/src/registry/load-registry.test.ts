import * as viemChains from "viem/chains";
import { describe, expect, test } from "vitest";
import { loadRegistry } from "./load-registry.ts";
import { readTables } from "./tables.ts";

const registry = loadRegistry();
const tables = readTables();
const named = (chain: number, symbol: string): readonly string[] =>
  registry.named(chain, symbol).map(({ address }) => address);

describe("a symbol on a chain", () => {
  test.each([
    [1, "usdc", ["0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"]],
    [1, "$USDC", ["0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"]],
    [1, "tether", ["0xdac17f958d2ee523a2206206994597c13d831ec7"]],
    [1, "Wrapped Ether", ["0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"]],
    [1, "staked eth", ["0xae7ab96520de3a18e5e111b5eaab095312d7fe84"]],
    [10, "USDC", ["0x0b2c639c533813f4aa9d7837caf62653d097ff85"]],
    [10, "USDC.e", ["0x7f5c764cbc14f9669b88837ca1490cca17c31607"]],
    [137, "USDC", ["0x3c499c542cef5e3811e1192ce70d8cc03d5c3359"]],
    [137, "bridged usdc", ["0x2791bca1f2de4661ed88a30c99a7a9449aa84174"]],
    [137, "WMATIC", ["0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270"]],
    [8453, "bridged usdc", ["0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca"]],
    [56, "ETH", ["0x2170ed0880ac9a755fd29b2688956bd959f933f8"]],
    [43114, "DAI", ["0xd586e7f844cea2f87f50152665bcbc2c279d8d70"]],
  ])("on chain %i, %s is one token", (chain, symbol, addresses) => {
    expect(named(chain, symbol)).toEqual(addresses);
  });

  test("with only a bridged token on the chain, the plain symbol means that one", () => {
    expect(registry.named(146, "USDC").map(({ symbol }) => symbol)).toEqual(["USDC.e"]);
  });

  test("several core tokens are all candidates", () => {
    expect(named(11155111, "USDC")).toContain("0x1c7d4b196cb0c7b01d743fbc6116a902379c7238");
    expect(named(11155111, "USDC")).toContain("0x94a9d9ac8a22534e3faca9f4e7f2e2cf85d5e4c8");
    expect(registry.named(1, "bitcoin").map(({ symbol }) => symbol)).toEqual(["WBTC", "cbBTC", "tBTC"]);
  });

  test("strangers that carry the symbol of a core token, or of the coin, are not candidates", () => {
    expect(named(1, "PEPE")).toEqual(["0x6982508145454ce325ddbe47a25d4ec3d2311933"]);
    expect(named(1, "ETH")).toEqual([]);
    expect(named(1, "ether")).toEqual([]);
  });

  test("a symbol that several tokens outside the core carry means any of them", () => {
    expect(named(1, "LIT").length).toBeGreaterThan(1);
  });

  test("the core's decimals and spelling are what an address has", () => {
    expect(registry.token(137, "0x2791bca1f2de4661ed88a30c99a7a9449aa84174")).toMatchObject({
      symbol: "USDC.e",
      decimals: 6,
      core: true,
    });
    expect(registry.token(56, "0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d")?.decimals).toBe(18);
    expect(registry.token(1, "0x0000000000000000000000000000000000000001")).toBeNull();
  });
});

describe("words", () => {
  test.each(["usdc", "WETH", "steth", "eth", "usd coin", "USDC.e", "1inch", "$pepe", "matic"])(
    "%s names an asset",
    (word) => {
      expect(registry.isSymbol(word)).toBe(true);
    },
  );

  test.each(["100", "2x", "1.5k", "10m", "24h", "", "qwertyuiop", "constructor"])("%j does not", (word) => {
    expect(registry.isSymbol(word)).toBe(false);
  });

  test.each([
    "link",
    "safe",
    "super",
    "time",
    "move",
    "mask",
    "now",
    "up",
    "me",
    "on",
    "one",
    "key",
    "keep",
    "high",
  ])("%s is also English", (word) => {
    expect(registry.isEnglish(word)).toBe(true);
  });

  test.each(["usdc", "weth", "dai", "uni", "arb", "op", "aave", "tether", "steth", "crv", "pepe"])(
    "%s is not English",
    (word) => {
      expect(registry.isEnglish(word)).toBe(false);
    },
  );
});

describe("chains", () => {
  test.each([
    ["mainnet", 1],
    ["eth mainnet", 1],
    ["l1", 1],
    ["op mainnet", 10],
    ["the polygon network", 137],
    ["Arbitrum One", 42161],
    ["arb", 42161],
    ["bnb chain", 56],
    ["avax", 43114],
    ["xdai", 100],
    ["zksync era", 324],
    ["base sepolia", 84532],
    ["sepolia", 11155111],
    ["chain id 59144", 59144],
    ["8453", 8453],
  ])("%s is %i", (phrase, id) => {
    expect(registry.chainNamed(phrase)?.id).toBe(id);
  });

  test.each(["", "solana", "chain", "the", "network", "99999999", "x".repeat(100_000)])(
    "%.20s is not a chain",
    (phrase) => {
      expect(registry.chainNamed(phrase)).toBeNull();
    },
  );

  test("every phrase names its chain, and no phrase names two", () => {
    const phrases = tables.chains.flatMap(({ id, names }) => names.map((name) => ({ id, name })));
    expect(new Set(phrases.map(({ name }) => name)).size).toBe(phrases.length);
    for (const { id, name } of phrases) expect(registry.chainNamed(name)?.id).toBe(id);
    expect(registry.chainPhrases).toHaveLength(phrases.length);
  });

  test("ids and coins are those that viem has, too", () => {
    expect(tables.chains.length).toBeGreaterThanOrEqual(45);
    for (const { id, coin } of tables.chains) {
      const coins = Object.values(viemChains)
        .filter((chain) => chain.id === id)
        .map((chain) => chain.nativeCurrency.symbol.toUpperCase());
      expect(coins, String(id)).toContain(coin.toUpperCase());
    }
  });

  test("where the table knows the wrapped coin's contract, its symbol says so", () => {
    for (const { id, coin, coinNames = [], wrapped } of tables.chains) {
      const symbol = wrapped === null ? undefined : registry.token(id, wrapped)?.symbol.toUpperCase();
      const coins = [coin, ...coinNames].map((name) => name.toUpperCase());
      if (symbol !== undefined)
        expect(
          coins.some((name) => symbol.includes(name)),
          symbol,
        ).toBe(true);
    }
  });
});

describe("the tables", () => {
  test("the core agrees with the packages on decimals", () => {
    const table = new Map(tables.tokens.map((token) => [`${token.chain}:${token.address}`, token]));
    for (const { chain, address, decimals } of tables.core) {
      expect(table.get(`${chain}:${address}`)?.decimals ?? decimals, `${chain}:${address}`).toBe(decimals);
    }
  });

  test("lists every core token once, on a known chain", () => {
    const keys = tables.core.map(({ chain, address }) => `${chain}:${address}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(tables.core.filter(({ chain }) => registry.chain(chain) === null)).toEqual([]);
  });

  test("every alias leads to a token somewhere", () => {
    for (const [alias] of tables.aliases) {
      const found = tables.chains.some(({ id }) => registry.named(id, alias).length > 0);
      expect(found, alias).toBe(true);
    }
  });

  test("rows are plausible and sources are dated", () => {
    for (const { chain, address, symbol, decimals } of tables.tokens) {
      if (
        /^0x[0-9a-f]{40}$/.test(address) &&
        /^[\x21-\x7e]{1,32}$/.test(symbol) &&
        decimals <= 36 &&
        chain > 0
      )
        continue;
      expect.unreachable(`${chain} ${address} ${symbol} ${decimals}`);
    }
    expect(registry.sources.map(({ name }) => name)).toEqual([
      "@ledgerhq/cryptoassets",
      "@aave-dao/aave-address-book",
      "core-tokens.json",
    ]);
  });
});
