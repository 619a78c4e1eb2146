/** Which effects use an allowance, and how much of it. */
import { describe, expect, test } from "vitest";
import { nft, token, type Asset, type Authority, type Effect, type Flow, type Party } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { needOf, serves, usesUp } from "./needs.ts";
import { aWorld, anApproval, anEffect, bob, flow, mallory, router, usdc, weth } from "../../test/entail.ts";
import type { World } from "./world.ts";

describe("serves", () => {
  const permit2 = "0x000000000022d473030f116ddee9f6b43ac78ba3";
  const world = aWorld([], []);
  const known: World = {
    ...world,
    protocols: {
      ...world.protocols,
      at: (chain, of) =>
        of === permit2 ? [{ protocol: "permit2", role: "" }] : world.protocols.at(chain, of),
      satisfies: (said, protocol) => said === "uniswap_v3" && protocol === "uniswap_v3_fork",
    },
  };
  test.each<[string, string, Partial<Effect>, boolean]>([
    ["the called contract", mallory, { target: mallory }, true],
    ["a contract that is not called", mallory, { target: bob }, false],
    ["a contract that is not called, of a venue", mallory, { target: bob, venue: "uniswap_v3" }, false],
    ["a contract of the venue", router, { target: bob, venue: "uniswap_v3" }, true],
    ["a contract that satisfies the venue", router, { target: bob, venue: "uniswap_v3_fork" }, true],
    ["a contract of another venue", router, { target: bob, venue: "uniswap_v2" }, false],
    ["a contract of a venue for a call to none", router, { target: bob, venue: null }, false],
    ["Permit2 for a venue that uses it", permit2, { target: bob, venue: "universal_router" }, true],
    ["Permit2 for a venue that does not", permit2, { target: bob, venue: "aave" }, false],
    ["a router for a venue that uses Permit2", router, { target: bob, venue: "universal_router" }, false],
  ])("%s", (_, spender, done, expected) => {
    expect(serves(spender, anEffect(done), known)).toBe(expected);
  });
});

describe("needOf", () => {
  const world = aWorld([], []);
  const piece = (id: bigint | null, of: typeof usdc = usdc): Flow => ({
    ...flow(usdc, 1n),
    asset: nft(of, id),
  });
  test.each<[string, Partial<Effect>, Asset, bigint]>([
    ["what is given", { gives: [flow(usdc, 5n)] }, token(usdc), 5n],
    ["the most that is given", { gives: [flow(usdc, { least: 1n, most: 5n })] }, token(usdc), 5n],
    ["all that is given", { gives: [flow(usdc, 5n), flow(weth, 7n), flow(usdc, 6n)] }, token(usdc), 11n],
    ["nothing of another token", { gives: [flow(weth, 5n)] }, token(usdc), 0n],
    ["the native token for its wrapped token", { gives: [flow("native", 5n)] }, token(weth), 5n],
    ["not the native token for another token", { gives: [flow("native", 5n)] }, token(usdc), 0n],
    [
      "not the native token for a piece of its wrapped token's address",
      { gives: [flow("native", 5n)] },
      nft(weth, 7n),
      0n,
    ],
    ["not the wrapped token for the native token", { gives: [flow(weth, 5n)] }, { kind: "native" }, 0n],
    ["a piece for its collection", { gives: [piece(7n)] }, nft(usdc, null), 1n],
    ["no piece of another collection", { gives: [piece(7n, weth)] }, nft(usdc, null), 0n],
    ["no piece for a token of the same address", { gives: [piece(7n)] }, token(usdc), 0n],
    ["no token for a piece of the same address", { gives: [flow(usdc, 5n)] }, nft(usdc, 7n), 0n],
    ["what is approved onwards", anApproval(router, 9n), token(usdc), 9n],
    ["what is approved onwards of this token only", anApproval(router, 9n), token(weth), 0n],
    ["nothing of what is revoked", { ...anApproval(router, 9n), act: "revoke" }, token(usdc), 0n],
    ["what is given and approved", { ...anApproval(router, 9n), gives: [flow(usdc, 5n)] }, token(usdc), 14n],
  ])("%s", (_, done, asset, expected) => {
    expect(needOf(anEffect(done), asset, world)).toBe(expected);
  });
  test("does not read the native token as any token if the chain is unknown", () => {
    const unknown = { ...world, registry: { ...world.registry, chain: () => null } };
    expect(needOf(anEffect({ gives: [flow("native", 5n)] }), token(weth), unknown)).toBe(0n);
  });
});

describe("usesUp", () => {
  const using = (units: bigint, more: Partial<Effect> = {}): Effect =>
    anEffect({ act: "supply", gives: [flow(usdc, units)], target: router, ...more });
  const granted = (spender: Party, most: bigint, asset: Asset | null = token(usdc)): Authority => ({
    ...{ spender, asset, amount: { least: 0n, most }, until: null, signed: false },
    where: anEffect({}).where,
  });
  test.each<[string, Authority, readonly Effect[], boolean]>([
    ["all that is granted", granted(router, 5n), [using(5n)], true],
    ["more than is granted", granted(router, 5n), [using(6n)], true],
    ["one unit less", granted(router, 6n), [using(5n)], false],
    ["several together", granted(router, 6n), [using(5n), using(1n)], true],
    ["another spender", granted(router, 5n), [using(5n, { target: bob })], false],
    ["an approval of the same spender", granted(router, 5n), [using(5n, { act: "approve" })], false],
    ["an allowance of nothing", granted(router, 0n), [using(5n)], false],
    ["an allowance over the account itself", granted(router, 5n, null), [using(5n)], false],
    ["the owner as spender", granted("self", 5n), [using(5n, { target: "self" as Address })], false],
    ["the venue as spender", granted("venue", 5n), [using(5n, { target: "venue" as Address })], false],
    ["nothing else", granted(router, 5n), [], false],
  ])("%s", (_, authority, effects, expected) => {
    expect(usesUp(authority, aWorld([], effects))).toBe(expected);
  });
});
