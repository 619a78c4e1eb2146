/** Whether an asset in the transaction is the one that the request names. */
import { describe, expect, test } from "vitest";
import { native, nft, token, unsaid, type Asset } from "../effects.ts";
import type { AssetRef, Span } from "../intent.ts";
import type { Address, Context } from "../proposal.ts";
import { flowOf, isAlike, likeness, meant, type Likeness } from "./assets.ts";
import { aWorld, bob, flow, mallory, symbol, usdc, weth } from "../../test/entail.ts";
import type { World } from "./world.ts";

const span: Span = [0, 1];
const almostUsdc: Address = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb49";
const byAddress = (of: Address): AssetRef => ({ kind: "address", address: of, span });
const called = (name: string): AssetRef => ({ kind: "class", name, span });
const piece = (collection: string | null, ...ids: readonly bigint[]): AssetRef => ({
  kind: "nft",
  collection,
  ids,
  span,
});
const like = (asset: Asset, said: AssetRef, wrapping = false, world: World = aWorld([], [])): Likeness =>
  likeness(asset, said, world, wrapping);

test.each<[Likeness, boolean]>([
  [1, true],
  [0.01, true],
  [0, false],
  ["unknown", false],
])("isAlike(%s) is %s", (found, expected) => {
  expect(isAlike(found)).toBe(expected);
});

describe("an address", () => {
  test.each<[string, Asset, Likeness]>([
    ["the token", token(usdc), 1],
    ["a token with another last digit", token(almostUsdc), 0],
    ["a collection of that address", nft(usdc, 7n), 1],
    ["the native token", native, 0],
    ["an asset without a name", unsaid(""), "unknown"],
  ])("is %s", (_, asset, expected) => {
    expect(like(asset, byAddress(usdc))).toBe(expected);
  });
});

describe("a symbol", () => {
  test.each<[string, Asset, string, boolean, Likeness]>([
    ["its token", token(usdc), "USDC", false, 1],
    ["its token in lower case", token(usdc), "usdc", false, 1],
    ["another token", token(weth), "USDC", false, 0],
    ["a token with another last digit", token(almostUsdc), "USDC", false, 0],
    ["the native token", native, "ETH", false, 1],
    ["the native token in lower case", native, "eth", false, 1],
    ["the native token for its wrapped token", native, "WETH", true, 0],
    ["the wrapped token for the native token, where it may", token(weth), "ETH", true, 0.85],
    ["the wrapped token for the native token, where it may not", token(weth), "ETH", false, 0],
    ["another token for the native token", token(usdc), "ETH", true, 0],
    ["an asset without a name for the native token", unsaid(""), "ETH", true, "unknown"],
    ["an unknown symbol", token(usdc), "DAI", true, "unknown"],
    ["a piece of an unknown collection", nft(usdc, 1n), "USDC", false, "unknown"],
  ])("is %s", (...[, asset, name, wrapping, expected]) => {
    expect(like(asset, symbol(name), wrapping)).toBe(expected);
  });
  const other = (more: Partial<World["registry"]>, chain = 1): World => {
    const world = aWorld([], []);
    const proposal = { ...world.proposal, chain: { id: chain, assumed: false } };
    return { ...world, proposal, registry: { ...world.registry, ...more } };
  };
  test("of two tokens is either of them, with less confidence", () => {
    const known = [usdc, weth].map((address) => ({
      chain: 1,
      address,
      symbol: "X",
      decimals: 6,
      core: true,
    }));
    const world = other({ named: () => known });
    expect(like(token(weth), symbol("X"), false, world)).toBe(0.95);
    expect(like(token(bob), symbol("X"), false, world)).toBe(0);
  });
  test("is not wrapped if the chain has no wrapped native token or is unknown", () => {
    expect(like(token(weth), symbol("ETH"), true, other({}, 8453))).toBe(0);
    expect(like(token(weth), symbol("ETH"), true, other({ chain: () => null }))).toBe("unknown");
  });
  test("of a token is not wrapped if the chain is unknown", () => {
    expect(like(token(weth), symbol("USDC"), true, other({ chain: () => null }))).toBe(0);
  });
  test("of the native token and of a token is wrapped too", () => {
    const named: World["registry"]["named"] = () => [
      { chain: 1, address: mallory, symbol: "ETH", decimals: 18, core: false },
    ];
    expect(like(token(weth), symbol("ETH"), true, other({ named }))).toBe(0.85);
    expect(like(token(usdc), symbol("ETH"), true, other({ named }))).toBe(0);
  });
  test("is looked up again on another chain and in another registry", () => {
    const said = symbol("USDC");
    expect(like(token(usdc), said)).toBe(1);
    expect(like(token(usdc), said, false, other({}, 8453))).toBe("unknown");
    expect(like(token(usdc), said)).toBe(1);
    expect(like(token(usdc), said, false, other({ named: () => [] }))).toBe("unknown");
  });
  test("is looked up once for the same chain and registry", () => {
    let times = 0;
    const found = aWorld([], []);
    const world = other({
      named: (chain, name) => {
        times += 1;
        return found.registry.named(chain, name);
      },
    });
    const said = symbol("USDC");
    expect([like(token(usdc), said, false, world), like(token(usdc), said, false, world)]).toEqual([1, 1]);
    expect(times).toBe(1);
  });
  test("may be another name of the native token", () => {
    const chain = { id: 1, name: "Polygon", coin: "POL", coinNames: ["Matic"], wrapped: null };
    const world = other({ chain: () => chain });
    expect(meant("matic", world)).toEqual([native]);
    expect(meant("POL", world)).toEqual([native]);
    expect(meant("ETH", world)).toEqual([]);
  });
  test("means assets of the chain that is asked for", () => {
    expect(meant("USDC", aWorld([], []))).toEqual([token(usdc)]);
    expect(meant("USDC", aWorld([], []), 8453)).toEqual([]);
    expect(meant("ETH", aWorld([], []), 999)).toEqual([]);
  });
});

describe("an NFT", () => {
  const labels: Partial<Context> = {
    known: [
      { address: mallory, label: "Bored Ape" },
      { address: bob, label: null },
    ],
    tokens: [{ address: bob, symbol: "PUNK", decimals: 0 }],
  };
  const world = aWorld([], [], { context: labels });
  const listed = { ...world, registry: { ...world.registry, collection: () => mallory } };
  test.each<[string, Asset, AssetRef, World, Likeness]>([
    ["by address", nft(mallory, 7n), piece(mallory, 7n), world, 1],
    [
      "by address in upper case",
      nft(mallory, 7n),
      piece(mallory.toUpperCase().replace("X", "x"), 7n),
      world,
      1,
    ],
    ["by another address", nft(mallory, 7n), piece(bob, 7n), world, 0],
    ["by address and another number", nft(mallory, 7n), piece(mallory, 8n), world, 0],
    ["by one of several numbers", nft(mallory, 7n), piece(mallory, 8n, 7n), world, 1],
    ["without a number", nft(mallory, 7n), piece(mallory), world, 1],
    ["of the whole collection for one number", nft(mallory, null), piece(mallory, 7n), world, 0],
    ["of the whole collection", nft(mallory, null), piece(mallory), world, 1],
    ["by its number only", nft(mallory, 7n), piece(null, 7n), world, "unknown"],
    ["by another number only", nft(mallory, 7n), piece(null, 8n), world, 0],
    ["that is a token", token(mallory), piece(mallory), world, 0],
    ["by a listed name", nft(mallory, 7n), piece("Apes"), listed, 1],
    ["by the name of another listed collection", nft(bob, 7n), piece("Apes"), listed, 0],
    ["by a listed name before a label", nft(bob, 7n), piece("PUNK"), listed, 0],
    ["by a label", nft(mallory, 7n), piece("bored-ape"), world, 0.85],
    ["by a label without its space", nft(mallory, 7n), piece("boredape"), world, 0.85],
    ["by a label in the plural", nft(mallory, 7n), piece("Bored Apes"), world, 0.85],
    ["by the caller's symbol", nft(bob, 7n), piece("punks"), world, 0.85],
    ["by a label of another", nft(bob, 7n), piece("Bored Ape"), world, 0],
    ["by a label that the caller did not send", nft(mallory, 7n), piece("Bored Apex"), world, "unknown"],
    ["by a label without letters", nft(mallory, 7n), piece("!"), world, "unknown"],
    ["by a symbol", nft(bob, 7n), symbol("PUNK"), world, 0.85],
    ["by an address that is too short", nft(mallory, 7n), piece(mallory.slice(0, -1)), world, "unknown"],
    ["by an address that is too long", nft(mallory, 7n), piece(`${mallory}6`), world, "unknown"],
    ["by an address inside a name", nft(mallory, 7n), piece(`x${mallory}`), world, "unknown"],
  ])("%s", (...[, asset, said, in_, expected]) => {
    expect(like(asset, said, false, in_)).toBe(expected);
  });
  test("with a plural label is called in the singular", () => {
    const plural = aWorld([], [], { context: { known: [{ address: mallory, label: "Apes" }] } });
    expect(like(nft(mallory, 1n), piece("ape"), false, plural)).toBe(0.85);
  });
  test("is either of two with the same label", () => {
    const known = [mallory, bob].map((address) => ({ address, label: "Ape" }));
    const both = aWorld([], [], { context: { known } });
    expect(like(nft(mallory, 1n), piece("Ape"), false, both)).toBe(0.85);
    expect(like(nft(bob, 1n), piece("Ape"), false, both)).toBe(0.85);
    expect(like(nft(usdc, 1n), piece("Ape"), false, both)).toBe(0);
  });
  test("with an empty label is not called by “s”", () => {
    const empty = aWorld([], [], { context: { known: [{ address: mallory, label: "!" }] } });
    expect(like(nft(mallory, 1n), piece("s"), false, empty)).toBe("unknown");
    const s = aWorld([], [], { context: { known: [{ address: mallory, label: "s" }] } });
    expect(like(nft(mallory, 1n), piece("!"), false, s)).toBe("unknown");
  });
});

describe("a class of assets", () => {
  test.each<[string, Asset, string, Likeness]>([
    ["stablecoins with a dollar token", token(usdc), "Stablecoins", 0.85],
    ["stablecoins with another token", token(weth), "stablecoin", 0],
    ["stablecoins with an unknown token", token(mallory), "stablecoin", 0],
    ["stablecoins with the native token", native, "stablecoin", "unknown"],
    ["anything else", token(usdc), "tokens", "unknown"],
  ])("%s", (_, asset, name, expected) => {
    expect(like(asset, called(name))).toBe(expected);
  });
});

describe("flowOf", () => {
  const flows = [flow(mallory, 1n), flow(weth, 2n), flow("native", 3n)];
  const world = aWorld([], []);
  test.each<[string, AssetRef, boolean, bigint, Likeness]>([
    ["the asset itself", symbol("ETH"), false, 3n, 1],
    ["the asset itself before its wrapped token", symbol("ETH"), true, 3n, 1],
    ["the first where none is the asset", symbol("USDC"), false, 1n, 0],
    ["the first where all are unknown", symbol("DAI"), false, 1n, "unknown"],
  ])("finds %s", (...[, said, wrapping, units, expected]) => {
    const found = flowOf(flows, said, world, wrapping);
    expect([found?.flow.amount.most, found?.likeness]).toEqual([units, expected]);
  });
  test("prefers an unknown asset to another", () => {
    const pieces = [flow(usdc, 1n), { ...flow(usdc, 2n), asset: nft(bob, 1n) }];
    expect(flowOf(pieces, symbol("WETH"), world, false)).toMatchObject({ likeness: "unknown" });
  });
  test("finds nothing if nothing moves", () => {
    expect(flowOf([], symbol("ETH"), world, false)).toBeNull();
  });
});
