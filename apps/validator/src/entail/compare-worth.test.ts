/** Whether the return of an act is fair: by the request's own minimum, by the asset itself, or by prices. */
import { describe, expect, test } from "vitest";
import { MAX_UINT, nft, unsaid, type Asset, type Effect, type EffectAct } from "../effects.ts";
import type { Comparison } from "../entailment.ts";
import type { Quantity, Span, Step } from "../intent.ts";
import type { Context } from "../proposal.ts";
import { compareWorth } from "./compare-worth.ts";
import {
  aStep,
  aWorld,
  anEffect,
  dec,
  exact,
  flow,
  mallory,
  me,
  symbol,
  usdc,
  weth,
} from "../../test/entail.ts";
import type { Simulation } from "../simulation.ts";
import { cannotTell, differs, same, type World } from "./world.ts";

const at: Comparison["where"] = { call: "proposed_tx", field: "amountOutMin" };
const ONE = 10n ** 18n;

const swapped = (least: bigint): Effect =>
  anEffect({
    act: "swap",
    gives: [flow(usdc, 3_000_000_000n)],
    gets: [flow("native", { least, most: MAX_UINT })],
    receiver: "self",
  });

const compare = (
  step: Step,
  effect: Effect,
  world: World = aWorld([step], [effect]),
  comparisons: readonly Comparison[] = [],
): readonly Comparison[] =>
  compareWorth([{ step, effect, index: { step: 0, effect: 0 }, comparisons, score: 1 }], world);
const outcomes = (...given: Parameters<typeof compare>): readonly string[] =>
  compare(...given).map(({ outcome }) => outcome);

describe("a return without any evidence", () => {
  test.each<[EffectAct, number]>([
    ["swap", 1],
    ["bridge", 1],
    ["remove_liquidity", 1],
    ["sell_nft", 1],
    ["transfer", 0],
    ["supply", 0],
    ["buy_nft", 0],
  ])("of a %s is questioned %i times", (act, times) => {
    expect(compare(aStep(), anEffect({ act }))).toHaveLength(times);
  });
  test("cannot be called fair", () => {
    const effect = swapped(ONE);
    expect(compare(aStep(), effect)).toEqual([
      {
        slot: "worth",
        outcome: "cannot_tell",
        asked: "a fair return",
        does: "a minimum that we cannot show to be fair",
        words: null,
        where: effect.where,
        confidence: 1,
        fix: "State in the request how much must arrive at least.",
      },
    ]);
  });
  test("points at the minimum if its place is known", () => {
    const effect = { ...swapped(ONE), places: { minimum: at } };
    expect(compare(aStep(), effect)[0]?.where).toBe(at);
  });
});

describe("a minimum in the request", () => {
  const span: Span = [5, 9];
  const found = { words: span, where: at, asked: "1 ETH", does: "at least 1 ETH", confidence: 0.9 };
  const arriving = same({ ...found, slot: "amount_out" });
  const quantities: Readonly<Record<string, Quantity>> = {
    exact: { ...exact("1"), span },
    about: { kind: "about", n: dec("1"), span },
    least: { kind: "least", n: dec("1"), span },
    range: { kind: "range", least: dec("1"), most: dec("2"), span },
    raw: { kind: "raw", n: ONE, span },
    fiat: { kind: "fiat", n: dec("1"), currency: "USD", bound: "exact", span },
    most: { kind: "most", n: dec("1"), span },
    unlimited: { kind: "unlimited", span },
    vague: { kind: "vague", said: "some", span },
  };
  const asking = (quantity: Quantity | null): Step => aStep({ gets: [{ asset: symbol("ETH"), quantity }] });
  const judged = (step: Step, comparison: Comparison): readonly string[] =>
    outcomes(step, swapped(ONE), undefined, [comparison]);

  test.each(["exact", "about", "least", "range", "raw", "fiat"])("counts if it is %s", (kind) => {
    expect(judged(asking(quantities[kind] ?? null), arriving)).toEqual(["same"]);
  });
  test.each(["most", "unlimited", "vague"])("does not count if it is %s", (kind) => {
    expect(judged(asking(quantities[kind] ?? null), arriving)).toEqual(["cannot_tell"]);
  });
  const asked = asking(quantities["exact"] ?? null);
  test("is shown with its own texts and confidence", () => {
    expect(compare(asked, swapped(ONE), undefined, [arriving])).toEqual([
      {
        slot: "worth",
        outcome: "same",
        asked: "1 ETH",
        does: "at least 1 ETH",
        words: null,
        where: swapped(ONE).where,
        confidence: 0.9,
        fix: "",
      },
    ]);
  });
  test.each<[string, Comparison, string]>([
    ["a number that is not met", differs({ ...found, slot: "amount_out", fix: "" }), "cannot_tell"],
    [
      "a number that cannot be compared",
      cannotTell({ ...found, slot: "amount_out", fix: "" }),
      "cannot_tell",
    ],
    ["words that start elsewhere", { ...arriving, words: [4, 9] }, "cannot_tell"],
    ["words that end elsewhere", { ...arriving, words: [5, 10] }, "cannot_tell"],
    ["no words", { ...arriving, words: null }, "cannot_tell"],
    ["what leaves", { ...arriving, slot: "amount" }, "cannot_tell"],
    ["a share", { ...arriving, slot: "share" }, "cannot_tell"],
    ["what arrives in dollars", { ...arriving, slot: "usd" }, "same"],
    ["a limit price, whatever its words", { ...arriving, slot: "limit_price", words: [7, 8] }, "same"],
    ["a limit price without words", { ...arriving, slot: "limit_price", words: null }, "cannot_tell"],
    ["a limit price that is not met", differs({ ...found, slot: "limit_price", fix: "" }), "cannot_tell"],
  ])("is compared with %s", (_, comparison, expected) => {
    expect(judged(asked, comparison)).toEqual([expected]);
  });
  test("may be the object of a verb that names what arrives", () => {
    const step = aStep({ gives: [{ asset: symbol("ETH"), quantity: quantities["exact"] ?? null }] });
    expect(judged(step, arriving)).toEqual(["same"]);
  });
  test("is not the dollar value of what leaves", () => {
    const step = aStep({ gives: [{ asset: symbol("ETH"), quantity: quantities["fiat"] ?? null }] });
    expect(judged(step, { ...arriving, slot: "usd" })).toEqual(["cannot_tell"]);
  });
  test("is not read from a portion without a quantity", () => {
    expect(judged(asking(null), arriving)).toEqual(["cannot_tell"]);
  });
});

describe("a bridge of the same asset", () => {
  const base: Asset = { kind: "token", address: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913" };
  const bridged = (least: bigint, more: Partial<Effect> = {}): Effect =>
    anEffect({
      act: "bridge",
      gives: [flow(usdc, 1_000_000n)],
      gets: [flow(usdc, { least, most: MAX_UINT })],
      receiver: "self",
      ...more,
    });
  const step = aStep({ acts: ["bridge"] });

  test.each<[string, Partial<Step>, bigint, string]>([
    ["5 % by default", {}, 950_000n, "same"],
    ["over 5 % by one unit", {}, 949_999n, "differs"],
    ["nothing", {}, 1_000_000n, "same"],
    ["less than nothing", {}, 1_000_001n, "same"],
    ["a fee of 6 % that was allowed", { fee: { bps: 600n, to: null, span: [0, 1] } }, 940_000n, "same"],
    ["over an allowed 6 %", { fee: { bps: 600n, to: null, span: [0, 1] } }, 939_999n, "differs"],
    ["5 % where a fee of 1 % was allowed", { fee: { bps: 100n, to: null, span: [0, 1] } }, 950_000n, "same"],
    [
      "over 5 % for a fee without a number",
      { fee: { bps: null, to: null, span: [0, 1] } },
      949_999n,
      "differs",
    ],
    ["7 % slippage that was allowed", { slippageBps: { value: 700n, span: [0, 1] } }, 930_000n, "same"],
    ["over 7 % slippage", { slippageBps: { value: 700n, span: [0, 1] } }, 929_999n, "differs"],
  ])("may keep %s", (_, more, least, expected) => {
    expect(outcomes(aStep({ ...step, ...more }), bridged(least))).toEqual([expected]);
  });
  test("a fee without a number counts as 5 % if the operator allows less", () => {
    const world = aWorld([step], []);
    const strict = { ...world, policy: { ...world.policy, maxBridgeFeeBps: 100n } };
    const some = aStep({ ...step, fee: { bps: null, to: null, span: [0, 1] } });
    expect(outcomes(some, bridged(950_000n), strict)).toEqual(["same"]);
    expect(outcomes(some, bridged(949_999n), strict)).toEqual(["differs"]);
    expect(outcomes(step, bridged(990_000n), strict)).toEqual(["same"]);
    expect(outcomes(step, bridged(989_999n), strict)).toEqual(["differs"]);
  });
  test("reports both percentages and how to fix it", () => {
    expect(compare(step, bridged(899_900n))).toEqual([
      {
        slot: "worth",
        outcome: "differs",
        asked: "at most 5.00 % kept by the bridge",
        does: "the bridge may keep 10.01 %",
        words: null,
        where: bridged(0n).where,
        confidence: 0.95,
        fix: "Raise the minimum that must arrive.",
      },
    ]);
    expect(compare(step, bridged(2_000_000n))[0]?.does).toBe("the bridge may keep 0.00 %");
  });
  test("rounds the part that is kept up", () => {
    const effect = bridged(0n, {
      gives: [flow(usdc, 30_000n)],
      gets: [flow(usdc, { least: 28_499n, most: MAX_UINT })],
    });
    expect(compare(step, effect)[0]).toMatchObject({
      outcome: "differs",
      does: "the bridge may keep 5.01 %",
    });
  });

  const there = (asset: Asset, more: Partial<Effect> = {}): Effect =>
    bridged(0n, { gets: [{ ...flow(usdc, 1_000_000n), asset }], toChain: 8453, ...more });
  const world = (symbolThere: string, decimals = 6): World => {
    const here = aWorld([step], []);
    const found = { chain: 8453, address: mallory, symbol: symbolThere, decimals, core: false };
    return {
      ...here,
      registry: {
        ...here.registry,
        token: (chain, address) => (chain === 8453 ? found : here.registry.token(chain, address)),
      },
    };
  };
  const coin: Asset = { kind: "native" };
  test.each<[string, Effect, World, string]>([
    ["the same token there", there(base), world("USDC"), "same"],
    ["another token there", there(base), world("USDT"), "cannot_tell"],
    ["the same symbol with other decimals", there(base), world("USDC", 18), "cannot_tell"],
    ["a token that is not known there", there(base), aWorld([step], []), "cannot_tell"],
    [
      "two unknown tokens",
      there(base, { gives: [flow(mallory, 1_000_000n)] }),
      aWorld([step], []),
      "cannot_tell",
    ],
    ["an asset without a name", there(unsaid("")), world("USDC"), "cannot_tell"],
    ["an NFT", there(nft(mallory, 1n)), world("USDC"), "cannot_tell"],
    [
      "the native token of both chains",
      there(coin, { gives: [flow("native", 1_000_000n)] }),
      world("USDC"),
      "same",
    ],
    [
      "the native token against a token with its symbol",
      there(base, { gives: [flow("native", 1_000_000n)] }),
      world("ETH", 18),
      "same",
    ],
    [
      "the native token against its wrapped token",
      there(coin, { gives: [flow(weth, 1_000_000n)] }),
      world("USDC"),
      "cannot_tell",
    ],
    ["the same address on this chain", bridged(1_000_000n, { toChain: 1 }), world("USDT"), "same"],
    [
      "the same address on another chain",
      bridged(1_000_000n, { toChain: 8453 }),
      world("USDT"),
      "cannot_tell",
    ],
    [
      "another address on this chain",
      bridged(0n, { gets: [flow(weth, 1_000_000n)] }),
      world("USDC"),
      "cannot_tell",
    ],
    [
      "two assets leave",
      bridged(1_000_000n, { gives: [flow(usdc, 1_000_000n), flow(weth, 1n)] }),
      world("USDC"),
      "cannot_tell",
    ],
    ["nothing leaves", bridged(1_000_000n, { gives: [] }), world("USDC"), "cannot_tell"],
    [
      "an amount of zero leaves",
      bridged(1_000_000n, { gives: [flow(usdc, 0n)] }),
      world("USDC"),
      "cannot_tell",
    ],
    ["nothing arrives", bridged(0n, { gets: [] }), world("USDC"), "cannot_tell"],
  ])("%s", (_, effect, in_, expected) => {
    expect(outcomes(step, effect, in_)).toEqual([expected]);
  });
  test("the native token of a chain that the registry does not know is another asset", () => {
    const effect = there(coin, { gives: [flow("native", 1_000_000n)], toChain: 999 });
    expect(outcomes(step, effect)).toEqual(["cannot_tell"]);
    const world = aWorld([step], []);
    const unknown = { ...world.proposal, chain: { id: 998, assumed: false } };
    expect(outcomes(step, effect, { ...world, proposal: unknown })).toEqual(["cannot_tell"]);
  });
  test("an unknown token stays the same on its own chain", () => {
    const effect = { ...bridged(0n), gives: [flow(mallory, 1n)], gets: [flow(mallory, 1n)] };
    expect(outcomes(step, { ...effect, toChain: 1 })).toEqual(["same"]);
    expect(outcomes(step, { ...effect, toChain: 8453 })).toEqual(["cannot_tell"]);
  });
  test("only a bridge returns the same asset", () => {
    const effect = { ...bridged(0n), gives: [flow(mallory, 1n)], gets: [flow(mallory, 1n)] };
    expect(outcomes(step, effect)).toEqual(["same"]);
    expect(outcomes(step, { ...effect, act: "remove_liquidity" })).toEqual(["cannot_tell"]);
  });
});

describe("prices", () => {
  const priced: Partial<Context> = { prices: new Map([["ETH", 3000]]) };
  const judged = (least: bigint, more: Partial<Step> = {}, context = priced) =>
    compare(aStep(more), swapped(least), aWorld([], [], { context }));
  test.each<[string, bigint, Partial<Step>, string, string]>([
    ["5 % less", (ONE * 95n) / 100n, {}, "same", "up to 5.00 % less than the prices say"],
    ["5.01 % less", (ONE * 9499n) / 10_000n, {}, "differs", "up to 5.01 % less than the prices say"],
    ["the same", ONE, {}, "same", "no less than the prices say"],
    ["more", ONE * 2n, {}, "same", "no less than the prices say"],
    [
      "more than the slippage that was stated",
      (ONE * 989n) / 1000n,
      { slippageBps: { value: 100n, span: [0, 1] } },
      "differs",
      "up to 1.10 % less than the prices say",
    ],
    [
      "the slippage that was stated",
      (ONE * 99n) / 100n,
      { slippageBps: { value: 100n, span: [0, 1] } },
      "same",
      "up to 1.00 % less than the prices say",
    ],
  ])("allow %s", (...[, least, more, outcome, does]) => {
    expect(judged(least, more)).toMatchObject([{ slot: "worth", outcome, does, confidence: 0.9 }]);
  });
  test("are those of the chain where the asset arrives", () => {
    const world = aWorld([], [], {
      context: {
        prices: new Map([
          ["ETH", 3000],
          ["POL", 1],
        ]),
      },
    });
    const polygon = { id: 137, name: "Polygon", coin: "POL", wrapped: null };
    const registry: World["registry"] = {
      ...world.registry,
      chain: (id) => (id === 137 ? polygon : world.registry.chain(id)),
    };
    const effect = (toChain: number): Effect =>
      anEffect({ act: "bridge", gives: [flow("native", ONE)], gets: [flow("native", ONE)], toChain });
    expect(outcomes(aStep(), effect(8453), { ...world, registry })).toEqual(["same"]);
    expect(compare(aStep(), effect(137), { ...world, registry })).toMatchObject([
      { outcome: "differs", does: "up to 99.97 % less than the prices say" },
    ]);
  });
  test("are compared with the operator's limit, in the text too", () => {
    expect(judged(ONE)[0]?.asked).toBe("at most 5.00 % less than the prices say");
  });
});

describe("a simulated return", () => {
  const oneEth = 10n ** 18n;
  const simulated = (given: Partial<Simulation> = {}, arrived = oneEth): Simulation => ({
    ...{
      reverted: null,
      diverged: null,
      variants: 0,
      ...{ account: me, sender: me, calls: 1, isRelayed: false, holders: [me] },
      tokens: [usdc],
      approvals: [],
      control: [],
    },
    ...{ changesAccount: false, unreadable: 0, gasUsed: 1n, fee: 1n, balances: [] },
    changes: [
      { holder: me, asset: { kind: "token", address: usdc }, amount: -3_000_000_000n, isMeasured: true },
      { holder: me, asset: { kind: "native" }, amount: arrived, isMeasured: true },
    ],
    ...{ parties: [], proxies: [], symbols: new Map() },
    decimals: new Map(),
    prices: new Map<typeof usdc | "native", bigint>([
      [usdc, 10n ** 8n],
      ["native", 3_000n * 10n ** 8n],
    ]),
    ...given,
  });
  const withRun = (step: Step, effect: Effect, simulation: Simulation): World => {
    const world = aWorld([step], [effect]);
    return { ...world, simulation, proposal: { ...world.proposal, actor: me } };
  };
  const outcomeOf = (simulation: Simulation, least = (oneEth * 99n) / 100n, step = aStep(), change = {}) => {
    const effect = { ...swapped(least), ...change };
    return compare(step, effect, withRun(step, effect, simulation))[0];
  };

  test("at the price of the feeds, with a minimum close to it, is fair", () => {
    expect(outcomeOf(simulated())).toMatchObject({
      outcome: "same",
      asked: "at most 5.00 % less than price feeds say",
      does: "1 ETH arrives in the simulation, 0.00 % less than price feeds say; its limit is 1.00 % worse",
      confidence: 0.9,
    });
  });

  test("far above the minimum is not fair", () => {
    expect(outcomeOf(simulated(), oneEth / 2n)).toMatchObject({ outcome: "differs" });
  });

  test("of a pool with a price of its own is not fair, however close its minimum", () => {
    expect(outcomeOf(simulated({}, oneEth / 100n), oneEth / 100n)).toMatchObject({
      outcome: "differs",
      does: "0.01 ETH arrives in the simulation, 99.00 % less than price feeds say; its limit is 0.00 % worse",
    });
  });

  test("is compared with the slippage that the request states", () => {
    const step = aStep({ slippageBps: { value: 300n, span: [0, 3] } });
    expect(outcomeOf(simulated(), (oneEth * 966n) / 1_000n, step)).toMatchObject({ outcome: "same" });
    expect(outcomeOf(simulated(), (oneEth * 964n) / 1_000n, step)).toMatchObject({ outcome: "differs" });
    const poor = simulated({}, (oneEth * 9n) / 10n);
    expect(outcomeOf(poor, (oneEth * 9n) / 10n, step)).toMatchObject({ outcome: "differs" });
  });

  test.each<[string, Simulation]>([
    ["reverts", simulated({ reverted: "no" })],
    ["diverges", simulated({ diverged: "with another coinbase" })],
    [
      "has no price of what leaves",
      simulated({ prices: new Map([["native" as const, 3_000n * 10n ** 8n]]) }),
    ],
    ["has no price of what arrives", simulated({ prices: new Map([[usdc, 10n ** 8n]]) })],
    ["shows nothing that arrives", simulated({}, 0n)],
    [
      "is only claimed by events",
      simulated({ changes: simulated().changes.map((one) => ({ ...one, isMeasured: false })) }),
    ],
  ])("is no evidence if the simulation %s", (_, simulation) => {
    expect(outcomeOf(simulation)).toMatchObject({ outcome: "cannot_tell" });
  });

  test.each<[string, Partial<Effect>]>([
    ["goes to someone else", { receiver: mallory }],
    ["is paid by another account", { payer: mallory }],
    ["arrives on another chain", { toChain: 8453 }],
    ["is an order", { terms: { order: true } }],
    ["takes two assets", { gives: [flow(usdc, 1n), flow("native", 1n)] }],
  ])("is no evidence for a swap that %s", (_, change) => {
    expect(outcomeOf(simulated(), oneEth, aStep(), change)).toMatchObject({ outcome: "cannot_tell" });
  });

  test("is no evidence if the transaction does something else as well", () => {
    const [step, effect] = [aStep(), swapped(oneEth)];
    const world = withRun(step, effect, simulated());
    const both = {
      ...world,
      reading: { ...world.reading, effects: [effect, anEffect({ act: "transfer" })] },
    };
    expect(outcomes(step, effect, both)).toEqual(["cannot_tell"]);
  });
});
