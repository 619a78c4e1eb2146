import { describe, expect, test } from "vitest";
import { exactly, native, nft, token, unreadable, type Authority, type Effect } from "../effects.ts";
import type { Context } from "../proposal.ts";
import { anEffect, aWorld, bob, flow, mallory, usdc, weth } from "../../test/entail.ts";
import { describeEffects, type DescribedStep } from "./describe.ts";

const protocols = { all: new Map([["uniswap_v3", { title: "Uniswap V3", names: ["uniswap v3"] }]]) };
const describeAll = (
  effects: readonly Partial<Effect>[],
  context: Partial<Context> = {},
): readonly DescribedStep[] => {
  const { proposal, registry } = aWorld([], [], { context });
  const ground = { proposal, registry, protocols, withLabels: true };
  const made = effects.map((effect) => anEffect({ target: null, ...effect }));
  return describeEffects({ effects: made, limit: null }, ground);
};
const sentenceOf = (effect: Partial<Effect>, context?: Partial<Context>): string | null =>
  describeAll([effect], context)[0]?.sentence ?? null;
const whyOf = (effect: Partial<Effect>): string | null => describeAll([effect])[0]?.why ?? null;

const { where } = flow(usdc, 1n);
const five = [flow(usdc, 5_000_000n)];
const floor = [flow(weth, { least: 10n ** 18n, most: 2n ** 256n - 1n })];
const authority: Authority = {
  spender: mallory,
  asset: token(usdc),
  amount: { least: 0n, most: 5_000_000n },
  until: null,
  signed: false,
  where,
};

describe("an effect is described with everything that it does", () => {
  test.each<[string, Partial<Effect>, string]>([
    ["a transfer", { gives: five, receiver: bob }, `Send 5 USDC to ${bob} on Ethereum.`],
    [
      "a transfer from another account",
      { gives: five, receiver: "self", payer: bob },
      `Send 5 USDC from ${bob} to my wallet on Ethereum.`,
    ],
    ["an approval", { act: "approve", authority }, `Approve ${mallory} to spend 5 USDC on Ethereum.`],
    [
      "an approval that ends",
      { act: "approve", authority: { ...authority, until: 1_767_225_600n } },
      `Approve ${mallory} to spend 5 USDC until 2026-01-01 00:00:00 UTC on Ethereum.`,
    ],
    [
      "a revocation",
      { act: "revoke", authority: { ...authority, amount: exactly(0n) } },
      `Revoke the allowance of ${mallory} for USDC on Ethereum.`,
    ],
    [
      "a swap",
      {
        act: "swap",
        gives: five,
        gets: floor,
        receiver: "self",
        venue: "uniswap_v3",
        deadline: 1_767_225_600n,
      },
      "Swap 5 USDC for at least 1 WETH on Uniswap V3 on Ethereum before 2026-01-01 00:00:00 UTC.",
    ],
    [
      "a swap for another receiver, with a fee",
      {
        act: "swap",
        gives: five,
        gets: floor,
        receiver: bob,
        fees: [{ to: mallory, asset: token(weth), share: { bps: 25n }, where }],
      },
      `Swap 5 USDC for at least 1 WETH to ${bob} paying 0.25% in fees on Ethereum.`,
    ],
    [
      "a bridge",
      {
        act: "bridge",
        gives: [flow("native", 10n ** 18n)],
        gets: [flow("native", 10n ** 18n)],
        receiver: bob,
        toChain: 8453,
      },
      `Bridge 1 ETH from Ethereum to ${bob} on Base and receive 1 ETH.`,
    ],
    [
      "a stake without a minimum",
      {
        act: "stake",
        gives: five,
        gets: [flow(weth, { least: 0n, most: 2n ** 256n - 1n })],
        receiver: "self",
      },
      "Stake 5 USDC on Ethereum.",
    ],
    ["a claim", { act: "claim", receiver: "self" }, "Claim rewards on Ethereum."],
    [
      "a delegation of votes",
      { act: "delegate", target: usdc, receiver: bob },
      `Delegate the voting power of USDC to ${bob} on Ethereum.`,
    ],
    [
      "a vote",
      {
        act: "vote",
        choices: [
          { what: "proposal", value: "12", known: false, where },
          { what: "vote", value: "against", known: false, where },
        ],
      },
      "Vote against proposal 12 on Ethereum.",
    ],
    [
      "a change of control",
      { act: "admin", target: usdc, admin: { kind: "transfer_ownership", party: mallory } },
      `Transfer the ownership of contract ${usdc} to ${mallory} on Ethereum.`,
    ],
    [
      "a choice that is not in our tables",
      {
        act: "supply",
        gives: five,
        choices: [
          { what: "market", value: mallory, known: false, where },
          { what: "rate", value: "variable", known: true, where },
        ],
      },
      `Supply 5 USDC using market ${mallory} on Ethereum.`,
    ],
  ])("%s", (_, effect, sentence) => {
    expect(sentenceOf(effect)).toBe(sentence);
  });

  test("a contract that is not a known venue's is named", () => {
    const supply = { act: "supply" as const, gives: five, receiver: "self" as const, venue: null };
    expect(sentenceOf({ ...supply, target: mallory })).toBe(
      `Supply 5 USDC using contract ${mallory} on Ethereum.`,
    );
  });

  test("an order says whether it may be filled in part", () => {
    const order = { act: "swap" as const, gives: five, gets: floor, receiver: "self" as const };
    const written = (partial: boolean) => sentenceOf({ ...order, terms: { order: true, partial } });
    expect(written(false)).toBe("Swap 5 USDC for at least 1 WETH on Ethereum, without partial fills.");
    expect(written(true)).toBe("Swap 5 USDC for at least 1 WETH on Ethereum, with partial fills.");
    const paid = { gives: five, receiver: bob };
    expect(sentenceOf({ ...paid, terms: { order: true } })).toBe(`Send 5 USDC to ${bob} on Ethereum.`);
    expect(sentenceOf({ ...paid, terms: { order: true, partial: true } })).toBeNull();
  });

  test("an account that our tables do not know is named, as the payer or as a choice", () => {
    const choices = [{ what: "account" as const, value: mallory, known: false, where }];
    expect(sentenceOf({ gives: five, receiver: bob, choices })).toBe(
      `Send 5 USDC from ${mallory} to ${bob} on Ethereum.`,
    );
    expect(sentenceOf({ act: "withdraw", gets: five, receiver: "self", choices })).toBe(
      `Withdraw 5 USDC using account ${mallory} on Ethereum.`,
    );
  });

  test("a call to the account itself that moves nothing has no sentence", () => {
    expect(describeAll([{ receiver: "self", gives: [] }, { act: "claim" }]).map(({ act }) => act)).toEqual([
      "claim",
    ]);
  });

  test("several effects are several sentences; a harmless one has none", () => {
    const steps = describeAll([{ act: "harmless" }, { gives: five, receiver: bob }, { act: "claim" }]);
    expect(steps.map(({ act }) => act)).toEqual(["transfer", "claim"]);
  });

  test("a chain that was assumed is not named", () => {
    const { proposal, registry } = aWorld([], []);
    const assumed = { ...proposal, chain: { id: 1, assumed: true } };
    const ground = { proposal: assumed, registry, protocols, withLabels: true };
    const effects = [anEffect({ gives: five, receiver: bob })];
    expect(describeEffects({ effects, limit: null }, ground)[0]?.sentence).toBe(`Send 5 USDC to ${bob}.`);
  });
});

describe("the caller's name of an address", () => {
  const named = (label: string): string | null =>
    sentenceOf({ gives: five, receiver: bob }, { known: [{ address: bob, label }] });
  test("is written before it", () => {
    expect(named("Bob")).toBe(`Send 5 USDC to Bob (${bob}) on Ethereum.`);
  });
  test.each(["bob and 5 ETH", "my wallet", "USDC", "5", "Bob.", "Ignore\nthis", ""])(
    "is left out if it could change the request: %j",
    (label) => {
      expect(named(label)).toBe(`Send 5 USDC to ${bob} on Ethereum.`);
    },
  );
});

describe("an effect is not described, with the reason, if", () => {
  test.each<[string, Partial<Effect>, string]>([
    [
      "it cannot be read",
      { act: "opaque", terms: { faults: [unreadable("the data is cut off")] } },
      "the data is cut off",
    ],
    ["its meaning is unknown", { act: "opaque" }, "we do not know what this call does"],
    [
      "it runs foreign code",
      { gives: five, receiver: bob, terms: { delegatecall: mallory } },
      "it runs code of another contract with the account's storage",
    ],
    ["code is attached", { act: "swap", terms: { hooks: "0x12" } }, "code is attached to the order"],
    [
      "an allowance is only lowered",
      { act: "revoke", authority, terms: { reducedBy: 1n } },
      "what is left of the allowance is not known",
    ],
    [
      "it gives access to the account",
      { act: "approve", authority: { ...authority, asset: null } },
      "it gives access to the whole account",
    ],
    [
      "its act has no pattern",
      { act: "admin", admin: { kind: "set_record", party: null } },
      "there is no pattern for “set record”",
    ],
    [
      "it also sets an owner",
      { act: "deploy", admin: { kind: "deploy_account", party: mallory } },
      "it also sets who controls an account",
    ],
    [
      "it does not limit what leaves",
      { gives: [flow(usdc, { least: 0n, most: 2n ** 256n - 1n })], receiver: bob },
      "the transaction does not name the asset, or does not limit the amount",
    ],
    [
      "it has no receiver",
      { gives: five, receiver: null },
      "the transaction does not show who receives it, or in whose name it happens, if it is not you",
    ],
    [
      "a fee is paid on top",
      {
        act: "swap",
        gives: five,
        gets: floor,
        fees: [{ to: mallory, asset: native, share: exactly(1n), where }],
      },
      "it pays a fee on top of what it moves",
    ],
    [
      "it pays several fees",
      {
        act: "swap",
        gives: five,
        gets: floor,
        fees: [0, 1].map(() => ({ to: mallory, asset: native, share: { bps: 1n }, where })),
      },
      "it pays several fees",
    ],
    [
      "the pattern has no place for a term",
      { gives: five, receiver: bob, fees: [{ to: mallory, asset: token(usdc), share: { bps: 1n }, where }] },
      "the pattern has no place for the fee, as a share",
    ],
    [
      "the destination chain is unknown",
      { act: "bridge", gives: five, toChain: 999 },
      "the destination chain is not in our tables",
    ],
  ])("%s", (_, effect, why) => {
    expect(sentenceOf(effect)).toBeNull();
    expect(whyOf(effect)).toBe(why);
  });

  test("the chain is unknown", () => {
    const { proposal, registry } = aWorld([], []);
    const ground = {
      proposal: { ...proposal, chain: { id: 999, assumed: false } },
      registry,
      protocols,
      withLabels: true,
    };
    const [step] = describeEffects(
      { effects: [anEffect({ gives: five, receiver: bob })], limit: null },
      ground,
    );
    expect(step).toEqual({ act: "transfer", sentence: null, why: "the chain is not in our tables" });
  });

  test("only part of the transaction was read", () => {
    const { proposal, registry } = aWorld([], []);
    const ground = { proposal, registry, protocols, withLabels: true };
    expect(describeEffects({ effects: [], limit: "too deep" }, ground)).toEqual([
      { act: "opaque", sentence: null, why: "only part of the transaction was read: too deep" },
    ]);
  });
});

test("a fixed fee inside what arrives is a share, rounded up", () => {
  const fees = [{ to: mallory, asset: native, share: exactly(25n), where }];
  const sale = {
    act: "sell_nft" as const,
    gives: [{ ...flow(usdc, 1n), asset: nft(mallory, 7n) }],
    receiver: "self" as const,
    fees,
  };
  expect(sentenceOf({ ...sale, gets: [flow("native", 975n)] })).toContain("paying 2.5% in fees");
  expect(sentenceOf({ ...sale, gets: [flow("native", 974n)] })).toContain("paying 2.51% in fees");
});
