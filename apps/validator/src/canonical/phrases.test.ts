import { describe, expect, test } from "vitest";
import { MAX_UINT, native, nft, token, unsaid, type Amount, type Asset } from "../effects.ts";
import { aWorld, flow, mallory, usdc } from "../../test/entail.ts";
import {
  writeAllowance,
  writeAsset,
  writeDecimal,
  writeFlow,
  writeInstant,
  writeUnits,
  writeVenue,
} from "./phrases.ts";

const place = { chain: 1, registry: aWorld([], []).registry };
const { where } = flow(usdc, 1n);
const write = (
  asset: Asset,
  [least, most]: readonly [bigint, bigint],
  side: "gives" | "gets",
): string | null => writeFlow({ asset, amount: { least, most }, where }, place, side);

describe("numbers", () => {
  test.each<[bigint, number, string]>([
    [0n, 6, "0"],
    [1n, 18, "0.000000000000000001"],
    [1_500_000n, 6, "1.5"],
    [1_234_567_000_000n, 6, "1234567"],
    [100n, 0, "100"],
  ])("%s with %s decimals is %s: exact, without separators", (units, decimals, text) => {
    expect(writeUnits(units, decimals)).toBe(text);
  });

  test("with three decimals get a fourth, because 1.234 can also be read as 1234", () => {
    expect(writeUnits(1_234_000n, 6)).toBe("1.2340");
    expect(writeDecimal({ digits: 1234n, scale: 3 })).toBe("1.2340");
  });

  test("in powers of ten are written in full", () => {
    expect(writeDecimal({ digits: 2n, scale: -3 })).toBe("2000");
  });
});

describe("assets", () => {
  test("have their symbol if it can mean nothing else on the chain, or else their address", () => {
    expect(writeAsset(native, place)).toBe("ETH");
    expect(writeAsset(token(usdc), place)).toBe("USDC");
    expect(writeAsset(token(mallory), place)).toBe(`token ${mallory}`);
    const twice = {
      ...place.registry,
      named: () => [...place.registry.named(1, "USDC"), ...place.registry.named(1, "WETH")],
    };
    expect(writeAsset(token(usdc), { chain: 1, registry: twice })).toBe(`token ${usdc}`);
    const odd = {
      ...place.registry,
      token: () => ({ chain: 1, address: usdc, symbol: "B-50USDC", decimals: 6, core: false }),
    };
    expect(writeAsset(token(usdc), { chain: 1, registry: odd })).toBe(`token ${usdc}`);
  });

  test("that are NFTs have their collection and id", () => {
    expect(writeAsset(nft(mallory, 7n), place)).toBe(`NFT #7 of collection ${mallory}`);
    expect(writeAsset(nft(mallory, null), place)).toBe(`collection ${mallory}`);
  });

  test("without a name in the transaction, or on an unknown chain, are not written", () => {
    expect(writeAsset(unsaid("a pool"), place)).toBeNull();
    expect(writeAsset(native, { ...place, chain: 999 })).toBeNull();
  });
});

describe("flows", () => {
  test.each<["gives" | "gets", Asset, readonly [least: bigint, most: bigint], string | null]>([
    ["gives", token(usdc), [5_000_000n, 5_000_000n], "5 USDC"],
    ["gives", token(usdc), [0n, 5_000_000n], "at most 5 USDC"],
    ["gives", token(usdc), [0n, MAX_UINT], null],
    ["gets", token(usdc), [5_000_000n, MAX_UINT], "at least 5 USDC"],
    ["gets", token(usdc), [0n, MAX_UINT], "USDC"],
    ["gives", token(mallory), [5n, 5n], `5 base units of token ${mallory}`],
    ["gives", nft(mallory, 7n), [1n, 1n], `NFT #7 of collection ${mallory}`],
    ["gives", nft(mallory, 7n), [3n, 3n], `3 units of NFT #7 of collection ${mallory}`],
    ["gets", nft(mallory, null), [3n, 3n], `3 of token ${mallory}`],
    ["gives", unsaid("a pool"), [1n, 1n], null],
  ])("%# on the side of %s", (side, asset, bounds, text) => {
    expect(write(asset, bounds, side)).toBe(text);
  });

  test("everything is written as all of it", () => {
    const amount: Amount = { least: 0n, most: MAX_UINT, everything: true };
    expect(writeFlow({ asset: token(usdc), amount, where }, place, "gives")).toBe("all USDC");
  });
});

test("an allowance is unlimited from the amount that no supply reaches", () => {
  const upTo = (most: bigint): string | null => writeAllowance(token(usdc), { least: 0n, most }, place);
  expect(upTo(5_000_000n)).toBe("5 USDC");
  expect(upTo(2n ** 96n - 2n)).not.toContain("unlimited");
  expect(upTo(2n ** 96n - 1n)).toBe("an unlimited amount of USDC");
  expect(writeAllowance(nft(mallory, null), { least: 0n, most: 1n }, place)).toBe(
    `all of collection ${mallory}`,
  );
  expect(writeAllowance(nft(mallory, 7n), { least: 0n, most: 1n }, place)).toBe(
    `NFT #7 of collection ${mallory}`,
  );
});

test("a time is written to the second, in UTC; one that never comes is not written", () => {
  expect(writeInstant(1_767_225_601n)).toBe("2026-01-01 00:00:01 UTC");
  expect(writeInstant(253_402_300_799n)).toBe("9999-12-31 23:59:59 UTC");
  expect(writeInstant(253_402_300_800n)).toBeNull();
});

test("a venue has a name that requests can use", () => {
  const venues = {
    all: new Map([
      ["aave_v3", { title: "Aave v3", names: ["aave", "aave v3"] }],
      ["op", { title: "OP Stack bridge", names: ["optimism bridge"] }],
      ["erc20", { title: "ERC-20", names: [] }],
    ]),
  };
  expect(["aave_v3", "op", "erc20", "other"].map((id) => writeVenue(id, venues))).toEqual([
    "Aave v3",
    "optimism bridge",
    null,
    null,
  ]);
});
