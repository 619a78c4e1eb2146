/** Calls to a contract that is in no table: which effects answer a request, and that no other effect does. */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { startEngine, type RealEngine } from "../../../test/real-engine.ts";
import { native, nft, token, type Asset } from "../../effects.ts";
import type { Address, Hex } from "../../proposal.ts";
import { ValidateRequest } from "../../request/index.ts";
import type { Engines, Simulation } from "../../simulation.ts";
import type { StateRun } from "../../state/index.ts";
import { conclude, examine, type Verdict } from "../../validate/validate.ts";

const check = "technical_invariants.effect_measured";
const me: Address = `0x${"a1".repeat(20)}`;
const contract: Address = `0x${"c0".repeat(20)}`;
const shares: Address = `0x${"5a".repeat(20)}`;
const friend: Address = "0x742d35cc6634c0532925a3b844bc454e4438f44e";
const stranger: Address = `0x${"ee".repeat(20)}`;
const usdc = token("0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48");
const dai = token("0x6b175474e89094c44da98b954eedeac495271d0f");
const weth = token("0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2");
const hash: Hex = `0x${"b1".repeat(32)}`;
const million = 10n ** 6n;
const ether = 10n ** 18n;
const now = 1_790_000_000;

let engine: RealEngine;
beforeAll(async () => {
  engine = await startEngine();
}, 120_000);

type Change = Simulation["changes"][number];
const moved = (asset: Asset, amount: bigint, holder: Address = me): Change => ({
  ...{ holder, asset, amount, isMeasured: true },
});

const quiet: Simulation = {
  ...{ account: me, sender: me, calls: 1, isRelayed: false },
  ...{ reverted: null, diverged: null, variants: 3, changes: [], balances: [], approvals: [], control: [] },
  ...{ holders: [me, contract, friend], tokens: [], changesAccount: false, unreadable: 0 },
  ...{ parties: [], proxies: [], symbols: new Map() },
  ...{ gasUsed: 90_000n, fee: 10n ** 14n, decimals: new Map([[shares, 18]]), prices: new Map() },
};

type Given = {
  readonly words: string;
  readonly changes: readonly Change[];
  readonly simulation?: Partial<Simulation>;
  readonly to?: Address;
  readonly data?: Hex;
  readonly value?: bigint;
  readonly engines?: Engines;
};

/** The verdict on a call whose execution on a proven state had this result. */
function ask({
  words,
  changes,
  simulation,
  to = contract,
  data = "0x7a3c1e55",
  value = 0n,
  engines,
}: Given): Verdict {
  const run: StateRun = {
    ...{ status: "ran", hash, block: { number: 24_000_000n, hash, timestamp: BigInt(now) } },
    ...{ chainId: 1n, sender: me, signer: null, calls: [{ to, value, data, gas: 500_000n }] },
    funds: { native: 10n * ether, value, mostForGas: 10n ** 15n, tokens: new Map(), isEnough: true },
    simulation: { ...quiet, changes, ...simulation },
    result: { outcome: "succeeded", gas_used: "90000", logs: 2, hash },
    names: new Map(),
    ...(engines === undefined ? {} : { engines }),
  };
  const body = ValidateRequest.parse({
    human_intent: words,
    proposed_tx: { to, data, value: value.toString() },
    metadata: { from: me, chain_id: 1, now: now + 12 },
  });
  const examined = examine(body, { engine: engine.engine, state: run, startedAt: now * 1_000 });
  return conclude(examined, { ran: examined.ran, calls: 0, prompts: [] }, engine.engine);
}

const isMatch = ({ decision, assessment, results }: Verdict): boolean =>
  decision === "PASS" || assessment.by_effect !== undefined || results[check]?.status === "PASS";

const swap: Given = {
  words: `Swap 100 USDC for at least 0.03 ETH on ${contract}`,
  changes: [moved(usdc, -100n * million), moved(native, 33n * 10n ** 15n)],
};
const deposit: Given = {
  words: `Deposit 50 USDC into ${contract} and get at least 49 shares of ${shares}`,
  changes: [moved(usdc, -50n * million), moved(token(shares), 495n * 10n ** 17n)],
};
const payment: Given = {
  words: `Pay 25 USDC to ${contract}`,
  changes: [moved(usdc, -25n * million), moved(usdc, 25n * million, contract)],
};
const claim: Given = {
  words: `Claim at least 10 DAI from ${contract}`,
  changes: [moved(dai, 11n * ether)],
};

describe("a request is answered by the effect of an unknown contract", () => {
  test.each<[string, Given]>([
    ["a swap", swap],
    [
      "a swap for a maximum",
      { ...swap, words: `Sell at most 100 USDC on ${contract} for at least 0.03 ETH` },
    ],
    ["a purchase", { ...swap, words: `Buy at least 0.03 ETH with 100 USDC via the contract ${contract}` }],
    [
      "a swap for another recipient",
      {
        words: `Swap 100 USDC for at least 0.03 ETH on ${contract} to ${friend}`,
        changes: [moved(usdc, -100n * million), moved(native, 33n * 10n ** 15n, friend)],
      },
    ],
    ["a deposit", deposit],
    [
      "a deposit into a vault that is its own share",
      {
        words: `Deposit 50 USDC into ${contract} and receive at least 49 shares of ${contract}`,
        changes: [moved(usdc, -50n * million), moved(token(contract), 495n * 10n ** 17n)],
        simulation: { decimals: new Map([[contract, 18]]) },
      },
    ],
    [
      "a redemption",
      {
        words: `Redeem 50 shares of ${shares} for at least 49 USDC on ${contract}`,
        changes: [moved(token(shares), -50n * ether), moved(usdc, 50n * million)],
      },
    ],
    ["a payment", payment],
    [
      "a payment of the native token",
      {
        ...{ words: `Pay 0.1 ETH to ${contract}`, value: ether / 10n },
        changes: [moved(native, -ether / 10n), moved(native, ether / 10n, contract)],
      },
    ],
    ["a claim", claim],
  ])("%s", (_, given) => {
    const verdict = ask(given);
    expect(verdict).toMatchObject({
      decision: "PASS",
      assessment: { kind: "entailed", by_effect: { contract, block: { number: "24000000", hash } } },
      results: { [check]: { status: "PASS" } },
      context: { effects: [{ knowledge: "measured", target: contract }] },
    });
    expect(verdict.results[check]?.reasoning).toContain("Checked by its effect on block 24000000");
  });

  test("with the stated minimum as the bound for the execution, not what one block returned", () => {
    const { context } = ask(swap);
    expect(context["bounds"]).toMatchObject({
      changes: [
        { approved: String(-100n * million), least: String(-100n * million), basis: "exact" },
        { approved: String(33n * 10n ** 15n), least: String(30n * 10n ** 15n), basis: "stated" },
      ],
    });
  });
});

const reasonOf = ({ results }: Verdict): string => results[check]?.reasoning ?? "";

describe("a request stays open, with the reason", () => {
  const [paid, got] = [moved(usdc, -100n * million), moved(native, 33n * 10n ** 15n)];
  const approval = { spender: stranger, asset: dai, before: 0n, after: 5n };
  const first = { outcome: "succeeded" as const, gas_used: "90000", logs: 2, hash };
  test.each<[string, Partial<Given>, string]>([
    [
      "less arrives than stated",
      { changes: [paid, moved(native, 29n * 10n ** 15n)] },
      "Only 0.029 ETH arrives",
    ],
    ["more leaves than stated", { changes: [moved(usdc, -101n * million), got] }, "101 USDC"],
    ["less leaves than stated", { changes: [moved(usdc, -99n * million), got] }, "99 USDC"],
    ["nothing arrives", { changes: [paid] }, "No ETH arrives"],
    ["it arrives at another account", { changes: [paid, { ...got, holder: friend }] }, "No ETH arrives"],
    ["another asset arrives", { changes: [paid, moved(dai, 100n * ether)] }, "also changes"],
    ["the wrapped form arrives", { changes: [paid, moved(weth, 33n * 10n ** 15n)] }, "also changes"],
    ["another asset leaves as well", { changes: [paid, got, moved(dai, -1n)] }, "also changes"],
    ["another asset arrives as well", { changes: [paid, got, moved(dai, 1n)] }, "also changes"],
    ["an NFT leaves as well", { changes: [paid, got, moved(nft(shares, 7n), -1n)] }, "It moves NFT"],
    ["a balance is not measured", { changes: [paid, { ...got, isMeasured: false }] }, "does not confirm"],
    ["an event is not confirmed", { changes: [paid, got, moved(dai, 0n)] }, "does not confirm"],
    ["an allowance is left", { simulation: { approvals: [approval] } }, "leaves an allowance"],
    [
      "control changes",
      { simulation: { control: [{ kind: "owner", address: contract, to: stranger }] } },
      "changes the owner",
    ],
    ["the account changes", { simulation: { changesAccount: true } }, "the account itself"],
    ["an event is not readable", { simulation: { unreadable: 1 } }, "could not be read"],
    [
      "it behaves differently",
      { simulation: { diverged: "with other fees: it fails" } },
      "behaves differently",
    ],
    ["it fails", { simulation: { reverted: "no" } }, "would fail"],
    ["a Safe acts", { simulation: { account: friend } }, "A Safe acts"],
    [
      "engines differ",
      { engines: { status: "differs", engine: "x", first, second: first, differences: [] } },
      "different results",
    ],
    [
      "an engine cannot tell",
      { engines: { status: "cannot", engine: "x", why: "it is busy", isRequired: false } },
      "did not confirm",
    ],
    [
      "an engine is required",
      { engines: { status: "cannot", engine: null, why: "none was asked", isRequired: true } },
      "did not confirm",
    ],
    [
      "the contract is not named",
      { words: "Swap 100 USDC for at least 0.03 ETH" },
      "does not name the contract",
    ],
    [
      "another contract is named",
      { words: `Swap 100 USDC for at least 0.03 ETH on ${stranger}` },
      "does not name the contract",
    ],
    [
      "the contract is excluded",
      { words: `Swap 100 USDC for at least 0.03 ETH, but not on ${contract}` },
      "does not name the contract",
    ],
    ["no minimum is stated", { words: `Swap 100 USDC for ETH on ${contract}` }, "does not state a minimum"],
    [
      "an expectation is no minimum",
      { words: `Swap 100 USDC for 0.03 ETH on ${contract}` },
      "does not state a minimum",
    ],
    [
      "about an amount",
      { words: `Swap about 100 USDC for at least 0.03 ETH on ${contract}` },
      "does not limit",
    ],
    ["a deadline", { words: `Swap 100 USDC for at least 0.03 ETH on ${contract} within 5 minutes` }, ""],
    [
      "a venue that it is not",
      { words: `Swap 100 USDC for at least 0.03 ETH on Uniswap at ${contract}` },
      "",
    ],
    ["another act", { words: `Bridge 100 USDC to Base for at least 0.03 ETH on ${contract}` }, ""],
    ["a deposit without a minimum", { words: `Deposit 100 USDC into ${contract}` }, "how much must arrive"],
    [
      "two steps",
      { words: `Swap 100 USDC for at least 0.03 ETH on ${contract}, then send 1 DAI to ${friend}` },
      "one step",
    ],
  ])("%s", (_, change, why) => {
    const verdict = ask({ ...swap, ...change });
    expect(isMatch(verdict)).toBe(false);
    expect(verdict.results[check]).toMatchObject({ status: "SKIP" });
    expect(reasonOf(verdict)).toContain(why);
  });

  test.each<[string, readonly Change[], string]>([
    [
      "the contract passes it on",
      [moved(usdc, -25n * million), moved(usdc, 25n * million, friend)],
      "does not keep",
    ],
    [
      "the token keeps a fee",
      [moved(usdc, -25n * million), moved(usdc, 24n * million, contract)],
      "does not keep",
    ],
    ["nothing leaves", [], "No USDC leaves"],
  ])("a payment: %s", (_, changes, why) => {
    const verdict = ask({ ...payment, changes });
    expect(isMatch(verdict)).toBe(false);
    expect(reasonOf(verdict)).toContain(why);
  });

  test("a payment to another account than the called contract", () => {
    const verdict = ask({ ...payment, words: `Pay 25 USDC to ${friend} through ${contract}` });
    expect(isMatch(verdict)).toBe(false);
  });

  test("shares of another token, or without a token", () => {
    for (const words of [
      `Deposit 50 USDC into ${contract} and get at least 49 shares of ${stranger}`,
      `Deposit 50 USDC into ${contract} and get at least 49 shares`,
    ])
      expect(isMatch(ask({ ...deposit, words }))).toBe(false);
  });

  test("shares whose token does not say how many decimals it has", () => {
    expect(isMatch(ask({ ...deposit, simulation: { decimals: new Map() } }))).toBe(false);
  });

  test("a contract of our tables is read as before, and never by its effect", () => {
    const router: Address = "0x7a250d5630b4cf539739df2c5dacb4c659f2488d";
    const { results, assessment } = ask({ ...swap, to: router, words: swap.words.replace(contract, router) });
    expect(results[check]).toMatchObject({ status: "SKIP" });
    expect(assessment).not.toHaveProperty("by_effect");
  });
});

describe("a random extra effect", () => {
  const anyAsset = fc.oneof(
    fc.constantFrom(native, usdc, dai, weth, token(shares), token(contract), token(stranger)),
    fc.bigInt(0n, 10n).map((id) => nft(stranger, id)),
  );
  const anyAmount = fc.oneof(fc.bigInt(-(10n ** 20n), -1n), fc.bigInt(1n, 10n ** 20n));
  const anyHolder = fc.constantFrom(me, contract, friend, stranger);
  type Extra = (given: Given) => Given;
  const simulated =
    (more: Partial<Simulation>): Extra =>
    (given) => ({ ...given, simulation: { ...given.simulation, ...more } });
  const anyExtra: fc.Arbitrary<Extra> = fc.oneof(
    fc
      .record({ asset: anyAsset, amount: anyAmount, isMeasured: fc.boolean() })
      .map((change): Extra => (given) => ({
        ...given,
        changes: [...given.changes, { ...change, holder: me }],
      })),
    fc
      .record({ spender: anyHolder, asset: anyAsset, after: fc.bigInt(1n, 10n ** 30n) })
      .map((one) => simulated({ approvals: [{ ...one, before: 0n }] })),
    fc
      .record({
        kind: fc.constantFrom("owner", "implementation", "code", "role"),
        address: anyHolder,
        to: anyHolder,
      })
      .map((one) => simulated({ control: [one] })),
    fc.constant(simulated({ changesAccount: true })),
    fc.integer({ min: 1, max: 9 }).map((unreadable) => simulated({ unreadable })),
    fc.string().map((text) => simulated({ diverged: `with another block: ${text}` })),
    fc.string().map((reverted) => simulated({ reverted })),
  );

  test("is never entailed", () => {
    fc.assert(
      fc.property(fc.constantFrom(swap, deposit, payment, claim), anyExtra, (given, extend) => {
        expect(isMatch(ask(given))).toBe(true);
        expect(isMatch(ask(extend(given)))).toBe(false);
      }),
      { numRuns: 150 },
    );
  }, 60_000);

  test("is never entailed as another amount of what was asked", () => {
    fc.assert(
      fc.property(anyAmount, anyAmount, (out, into) => {
        const verdict = ask({ ...swap, changes: [moved(usdc, out), moved(native, into)] });
        expect(isMatch(verdict)).toBe(out === -100n * million && into >= 3n * 10n ** 16n);
      }),
      { numRuns: 100 },
    );
  }, 60_000);
});
