/** Dollar values from the caller's prices, and from the well-known dollar tokens. */
import { describe, expect, test } from "vitest";
import { native, nft, token, unsaid, type Asset } from "../effects.ts";
import { isDollar } from "../intent/dollars.ts";
import { aWorld, mallory, usdc, weth } from "../../test/entail.ts";
import { worth } from "./worth.ts";

const at = (prices: Readonly<Record<string, number>> | null) =>
  aWorld([], [], { context: { prices: prices === null ? null : new Map(Object.entries(prices)) } });

describe("worth", () => {
  test.each<[string, Asset, bigint, Readonly<Record<string, number>> | null, number | null]>([
    ["a coin at its price", native, 2n * 10n ** 18n, { ETH: 3000 }, 6000],
    ["a coin at the price of its wrapped token", native, 10n ** 18n, { WETH: 2900 }, 2900],
    ["a coin at its own price first", native, 10n ** 18n, { WETH: 2900, ETH: 3000 }, 3000],
    ["a wrapped token at its own price first", token(weth), 10n ** 18n, { WETH: 2900, ETH: 3000 }, 2900],
    ["a wrapped token at the price of its coin", token(weth), 10n ** 18n, { ETH: 3000 }, 3000],
    ["a price of zero", native, 10n ** 18n, { ETH: 0, WETH: 3000 }, 0],
    ["a dollar token without prices", token(usdc), 1_500_000n, null, 1.5],
    ["a dollar token that the caller prices", token(usdc), 1_000_000n, { USDC: 0.9 }, 0.9],
    ["a dollar token at the price of another token", token(usdc), 1_000_000n, { ETH: 3000, WETH: 3000 }, 1],
    ["a coin without prices", native, 1n, null, null],
    ["a wrapped token without prices", token(weth), 10n ** 18n, null, null],
    [
      "a token with unknown decimals",
      token(mallory),
      1n,
      { [`UNKNOWN TOKEN ${mallory.toUpperCase()}`]: 5 },
      null,
    ],
    ["an NFT", nft(mallory, 1n), 1n, { [`NFT ${mallory.toUpperCase()} #1`]: 5 }, null],
    ["an asset without a name", unsaid(""), 1n, { "AN ASSET THE BYTES DO NOT NAME": 5 }, null],
  ])("%s", (...[, asset, units, prices, dollars]) => {
    expect(worth(asset, units, at(prices))).toBe(dollars);
  });

  test("an address on another chain is not the token of this chain", () => {
    expect(worth(token(usdc), 1_000_000n, { ...at(null), chain: 1 })).toBe(1);
    expect(worth(token(usdc), 1_000_000n, { ...at(null), chain: null })).toBe(1);
    expect(worth(token(usdc), 1_000_000n, { ...at(null), chain: 137 })).toBeNull();
  });

  const named = (symbol: string, core: boolean, prices: Readonly<Record<string, number>> = {}) => {
    const world = at(prices);
    const known = { chain: 1, address: mallory, symbol, decimals: 0, core };
    const registry = { ...world.registry, token: () => known };
    return worth(token(mallory), 1n, { ...world, registry });
  };
  test("a native token that is called like a dollar token is not one", () => {
    const world = at(null);
    const core = { chain: 1, address: mallory, symbol: "DAI", decimals: 18, core: true };
    const chain = { id: 1, name: "Test", coin: "DAI", wrapped: null };
    const registry = { ...world.registry, token: () => core, chain: () => chain };
    expect(worth(native, 1n, { ...world, registry })).toBeNull();
  });
  test("a token that only calls itself a dollar is not one", () => {
    expect(named("DAI", true)).toBe(1);
    expect(named("dai", true)).toBe(1);
    expect(named("DAI", false)).toBeNull();
    expect(named("DAY", true)).toBeNull();
  });
  test.each([
    ["WETH", "ETH", 7],
    ["WBTC", "BTC", 7],
    ["WBNB", "BNB", 7],
    ["WAVAX", "AVAX", 7],
    ["WPOL", "POL", 7],
    ["WMATIC", "MATIC", 7],
    ["wbtc", "BTC", 7],
    ["WUSD", "USD", null],
    ["WETHX", "ETHX", null],
    ["WBTCX", "BTCX", null],
    ["WBNBX", "BNBX", null],
    ["WAVAXX", "AVAXX", null],
    ["WPOLX", "POLX", null],
    ["WMATICX", "MATICX", null],
    ["XWETH", "XETH", null],
    ["XWETH", "ETH", null],
    ["STETH", "WETH", null],
  ])("%s is priced by %s: %s", (symbol, priced, dollars) => {
    expect(named(symbol, true, { [priced]: 7 })).toBe(dollars);
  });
});

test.each("USDC,USDT,DAI,USDS,USDC.E,USDBC,FRAX,LUSD,GHO,PYUSD,CRVUSD,USDE,TUSD".split(","))(
  "%s is a dollar token",
  (symbol) => {
    expect(isDollar(symbol)).toBe(true);
    expect(isDollar(`${symbol}X`)).toBe(false);
    expect(isDollar(symbol.toLowerCase())).toBe(false);
  },
);
