/** Assets and amounts that leave and arrive, compared with those in the request. */
import { describe, expect, test } from "vitest";
import { MAX_UINT, nft, unsaid, type Effect, type EffectAct, type Flow } from "../effects.ts";
import type { Comparison } from "../entailment.ts";
import type { Portion, Quantity, Span, Step } from "../intent.ts";
import type { Context } from "../proposal.ts";
import { compareFlows } from "./compare-flows.ts";
import { aStep, aWorld, anEffect, dec, flow, mallory, portion, usdc, weth } from "../../test/entail.ts";
import type { World } from "./world.ts";

const span: Span = [0, 1];
const index = { step: 0, effect: 0 };
const compare = (
  said: Partial<Step>,
  done: Partial<Effect>,
  context: Partial<Context> = {},
): Comparison[] => {
  const [step, effect] = [aStep(said), anEffect(done)];
  return compareFlows({ step, effect, index }, aWorld([step], [effect], { context }));
};
const brief = (comparisons: readonly Comparison[]): readonly string[] =>
  comparisons.map(({ slot, outcome }) => `${slot} ${outcome}`);
const found = (...given: Parameters<typeof compare>): readonly string[] => brief(compare(...given));

const leaving = (units: bigint): Flow => flow(usdc, units);
const floor = (least: bigint): Flow => flow("native", { least, most: MAX_UINT });
const nameless = (units: bigint): Flow => ({ ...leaving(units), asset: unsaid("") });
const asset = (name: string): Portion => portion(null, name);
const ONE = 10n ** 18n;
const { where } = anEffect({});
const comparison = (
  given: Pick<Comparison, "slot" | "outcome" | "asked" | "does"> & Partial<Comparison>,
): Comparison => ({ words: span, where, confidence: 1, fix: "", ...given });

describe("a transfer", () => {
  const done = { gives: [leaving(100_000_000n)] };
  test("of the asset and amount in the request is the same", () => {
    expect(compare({ gives: [portion("100", "USDC")] }, done)).toEqual([
      comparison({ slot: "asset_in", outcome: "same", asked: "USDC", does: "USDC" }),
      comparison({ slot: "amount", outcome: "same", asked: "100 USDC", does: "100 USDC" }),
    ]);
  });
  test("of another asset differs in the asset, and its amount is not compared", () => {
    expect(compare({ gives: [portion("100", "WETH")] }, done)).toEqual([
      comparison({
        slot: "asset_in",
        outcome: "differs",
        asked: "WETH",
        does: "USDC",
        fix: "Use WETH instead of USDC.",
      }),
      comparison({
        slot: "asset_in",
        outcome: "differs",
        asked: "100 WETH",
        does: "gives 100 USDC",
        words: [0, 4],
        fix: "Remove what was not asked for, or add it to the request.",
      }),
    ]);
  });
  test("of an unknown asset cannot be checked", () => {
    expect(compare({ gives: [portion("100", "DAI")] }, done)).toEqual([
      comparison({
        slot: "asset_in",
        outcome: "cannot_tell",
        asked: "DAI",
        does: "USDC",
        fix: "Name DAI by its contract address.",
      }),
    ]);
  });
  test("of a number next to a share of something else is not claimed to differ", () => {
    const balances = new Map([[usdc, 200_000_000n]]) as NonNullable<Context["balances"]>;
    const all: Portion = { asset: null, quantity: { kind: "all", except: null, span } };
    const numbered = { gives: [portion("100", "USDC"), all] };
    expect(found(numbered, done, { balances })).toEqual([
      ...["asset_in same", "amount same", "asset_in same", "share cannot_tell"],
    ]);
    expect(found({ gives: [{ ...all, asset: asset("USDC").asset }] }, done, { balances })).toEqual([
      ...["asset_in same", "share differs"],
    ]);
  });
  test.each<[string, Partial<Step>, Partial<Effect>, readonly string[]]>([
    [
      "another amount",
      { gives: [portion("100", "USDC")] },
      { gives: [leaving(100_000_001n)] },
      ["asset_in same", "amount differs"],
    ],
    [
      "the native token in place of its wrapped token",
      { gives: [portion("1", "WETH")] },
      { gives: [flow("native", ONE)] },
      ["asset_in differs", "asset_in differs"],
    ],
    [
      "the wrapped token in place of the native token",
      { gives: [portion("1", "ETH")] },
      { gives: [flow(weth, ONE)] },
      ["asset_in differs", "asset_in differs"],
    ],
    ["an amount without an asset", { gives: [portion("100", null)] }, done, ["asset_in same", "amount same"]],
    [
      "an amount without an asset of two",
      { gives: [portion("100", null)] },
      { gives: [leaving(1n), flow(weth, 1n)] },
      ["amount cannot_tell"],
    ],
    ["nothing at all", { gives: [portion("100", "USDC")] }, {}, ["asset_in differs"]],
    ["an asset without an amount", { gives: [asset("USDC")] }, done, ["asset_in same", "amount cannot_tell"]],
    [
      "a second asset",
      { gives: [portion("100", "USDC")] },
      { gives: [...done.gives, flow(weth, 1n)] },
      ["asset_in same", "amount same", "asset_in differs"],
    ],
    [
      "a second asset of nothing",
      { gives: [portion("100", "USDC")] },
      { gives: [...done.gives, flow(weth, 0n)] },
      ["asset_in same", "amount same"],
    ],
    [
      "two assets",
      { gives: [portion("100", "USDC"), portion("1", "WETH")] },
      { gives: [flow(weth, ONE), ...done.gives] },
      ["asset_in same", "amount same", "asset_in same", "amount same"],
    ],
    ["an asset that the request does not mention", {}, done, ["amount differs"]],
    [
      "base units of the native token",
      { gives: [{ asset: null, quantity: { kind: "raw", n: 5n, span } }] },
      { gives: [flow("native", 5n)] },
      ["asset_in same", "amount same"],
    ],
    [
      "base units of a token",
      { gives: [{ asset: null, quantity: { kind: "raw", n: 5n, span } }] },
      { gives: [leaving(5n)] },
      ["asset_in differs"],
    ],
    [
      "one asset without a name or an amount",
      { gives: [portion(null, null)] },
      done,
      ["asset_in same", "amount cannot_tell"],
    ],
    [
      "two assets without a name or an amount",
      { gives: [portion(null, null)] },
      { gives: [leaving(1n), flow(weth, 1n)] },
      ["amount cannot_tell", "amount cannot_tell"],
    ],
    [
      "an asset that the calldata does not name",
      { gives: [portion("100", "USDC")] },
      { gives: [nameless(5n)] },
      ["asset_in cannot_tell"],
    ],
    [
      "an asset that the calldata does not name, with the one in the request",
      { gives: [portion("100", "USDC")] },
      { gives: [nameless(5n), ...done.gives] },
      ["asset_in same", "amount same", "asset_in differs"],
    ],
    [
      "an asset that the calldata does not name, with another one",
      { gives: [portion("1", "WETH")] },
      { gives: [nameless(5n), ...done.gives] },
      ["asset_in cannot_tell", "asset_in differs"],
    ],
  ])("of %s", (_, said, effect, expected) => {
    expect(found(said, effect)).toEqual(expected);
  });
  test("of an amount without an asset is less certain, and shown without one", () => {
    expect(compare({ gives: [portion("100", null)] }, done)[0]).toMatchObject({
      asked: "an asset you did not name",
      confidence: 0.85,
    });
  });
  test("points at the quantity if no asset is named, and at nothing if neither is", () => {
    const quantity: Quantity = { kind: "exact", n: dec("1"), others: [], span: [5, 6] };
    expect(compare({ gives: [{ asset: null, quantity }] }, {})[0]?.words).toEqual([5, 6]);
    expect(compare({ gives: [{ asset: null, quantity: null }] }, {})[0]?.words).toBeNull();
  });
  test("of nothing reports what would have to leave", () => {
    expect(compare({ gives: [portion("100", "USDC")] }, {})).toEqual([
      comparison({
        slot: "asset_in",
        outcome: "differs",
        asked: "100 USDC",
        does: "nothing leaves your wallet",
        fix: "Propose a transaction that moves 100 USDC.",
      }),
    ]);
  });
  test("of several assets asks which one the amount is of", () => {
    expect(compare({ gives: [portion("100", null)] }, { gives: [leaving(1n), flow(weth, 1n)] })).toEqual([
      comparison({
        slot: "amount",
        outcome: "cannot_tell",
        asked: "100 an asset you did not name",
        does: "several assets move",
        fix: "State which asset the amount is of.",
      }),
    ]);
  });
  test("of an asset that the request does not mention shows the verb, or everything that was requested", () => {
    expect(compare({}, done)[0]).toMatchObject({ asked: "Send", does: "gives 100 USDC", words: [0, 4] });
    const two = { gives: [portion("1", "WETH"), portion("2", "WETH")] };
    expect(compare(two, done).at(-1)).toMatchObject({ asked: "1 WETH and 2 WETH" });
  });
  test("without an amount asks how much", () => {
    expect(compare({ gives: [asset("USDC")] }, done).at(-1)).toEqual({
      slot: "amount",
      outcome: "cannot_tell",
      asked: "USDC",
      does: "gives 100 USDC",
      words: [0, 4],
      where,
      confidence: 1,
      fix: "State how much, as a number.",
    });
  });
  const piece = (units: bigint, of: EffectAct = "transfer"): Partial<Effect> => ({
    act: of,
    gives: [{ ...flow(usdc, units), asset: nft(mallory, 7n) }],
  });
  const collection: Portion = {
    asset: { kind: "nft", collection: mallory, ids: [7n], span },
    quantity: null,
  };
  test("of one NFT needs no number, of several it does", () => {
    expect(found({ gives: [collection] }, piece(1n))).toEqual(["asset_in same"]);
    expect(found({ gives: [collection] }, piece(2n))).toEqual(["asset_in same", "amount cannot_tell"]);
    expect(found({ gives: [asset("USDC")] }, { gives: [leaving(1n)] })).toEqual([
      "asset_in same",
      "amount cannot_tell",
    ]);
  });
});

test.each<[EffectAct, number]>([
  ["approve", 0],
  ["revoke", 0],
  ["admin", 0],
  ["vote", 0],
  ["cancel", 0],
  ["deploy", 1],
  ["transfer", 1],
  ["mint", 1],
])("a flow in a call to %s is compared %i times", (act, times) => {
  expect(compare({}, { act, gives: [leaving(1n)] })).toHaveLength(times);
});

test("a deployment without value needs no asset", () => {
  expect(compare({ gives: [asset("USDC")] }, { act: "deploy", gives: [] })).toEqual([]);
  expect(found({ gives: [portion("1", "USDC")] }, { act: "deploy", gives: [leaving(2_000_000n)] })).toContain(
    "amount differs",
  );
});

describe("votes", () => {
  test.each<[string, Partial<Step>, Partial<Effect>, readonly string[]]>([
    ["of the token that is called", { gives: [asset("USDC")] }, { target: usdc }, ["asset_in same"]],
    ["of another token", { gives: [asset("WETH")] }, { target: usdc }, ["asset_in differs"]],
    [
      "of the wrapped token for the native token",
      { gives: [asset("ETH")] },
      { target: weth },
      ["asset_in differs"],
    ],
    ["of a token that is not named", { gives: [portion("1", null)] }, { target: usdc }, []],
    [
      "of a token named second",
      { gives: [portion("1", null), asset("USDC")] },
      { target: usdc },
      ["asset_in same"],
    ],
    ["of nothing", {}, { target: usdc }, []],
    ["of a deployment", { gives: [asset("USDC")] }, { target: null }, []],
  ])("%s", (_, said, done, expected) => {
    expect(found(said, { act: "delegate", ...done })).toEqual(expected);
  });
  test("show the token that is called", () => {
    expect(compare({ gives: [asset("WETH")] }, { act: "delegate", target: usdc })).toEqual([
      comparison({
        slot: "asset_in",
        outcome: "differs",
        asked: "WETH",
        does: "USDC",
        fix: "Use WETH instead of USDC.",
      }),
    ]);
  });
});

describe("a swap", () => {
  const swap = (done: Partial<Effect> = {}): Partial<Effect> => ({
    act: "swap",
    gives: [leaving(100_000_000n)],
    gets: [floor(ONE)],
    ...done,
  });
  const ask = (get: Portion, more: Partial<Step> = {}): Partial<Step> => ({
    acts: ["swap"],
    gives: [portion("100", "USDC")],
    gets: [get],
    ...more,
  });
  const gave = ["asset_in same", "amount same"];
  test.each<[string, Partial<Step>, Partial<Effect>, readonly string[]]>([
    ["for the asset in the request", ask(asset("ETH")), swap(), [...gave, "asset_out same"]],
    [
      "for the wrapped token",
      ask(asset("ETH")),
      swap({ gets: [flow(weth, 1n)] }),
      [...gave, "asset_out same"],
    ],
    ["for another token", ask(asset("USDC")), swap(), [...gave, "asset_out differs"]],
    [
      "for a minimum within 5 %",
      ask(portion("1", "ETH")),
      swap({ gets: [floor((ONE * 95n) / 100n)] }),
      [...gave, "asset_out same", "amount_out same"],
    ],
    [
      "for a lower minimum",
      ask(portion("1", "ETH")),
      swap({ gets: [floor((ONE * 94n) / 100n)] }),
      [...gave, "asset_out same", "amount_out differs"],
    ],
    [
      "for an exact return that is short",
      ask(portion("1", "ETH")),
      swap({ gets: [flow("native", ONE - 1n)], terms: { exactOut: true } }),
      [...gave, "asset_out same", "amount_out differs"],
    ],
    ["for nothing", ask(asset("ETH")), swap({ gets: [] }), [...gave, "asset_out differs"]],
    [
      "for a known token that is not named",
      ask(portion(null, null), { gets: [] }),
      swap({ gets: [flow(weth, 1n)] }),
      gave,
    ],
    [
      "for an unknown token that is not named",
      ask(portion(null, null), { gets: [] }),
      swap({ gets: [flow(mallory, 1n)] }),
      [...gave, "asset_out cannot_tell"],
    ],
    [
      "for an amount of an unknown token",
      ask(portion("1", null)),
      swap({ gets: [flow(mallory, 1n)] }),
      [...gave, "asset_out same", "amount_out cannot_tell", "asset_out cannot_tell"],
    ],
    ["for the native token that is not named", ask(portion(null, null), { gets: [] }), swap(), gave],
    [
      "of an unnamed amount for a fixed return",
      ask(portion("100", "USDC"), { gives: [asset("WETH")] }),
      { act: "swap", gives: [flow(weth, 1n)], gets: [leaving(100_000_000n)], terms: { exactOut: true } },
      ["asset_in same", "asset_out same", "amount_out same", "amount cannot_tell"],
    ],
  ])("%s", (_, said, done, expected) => {
    expect(found(said, done)).toEqual(expected);
  });
  test("for an unknown token asks what should arrive", () => {
    expect(compare({ gives: [portion("100", "USDC")] }, swap({ gets: [flow(mallory, 1n)] })).at(-1)).toEqual({
      slot: "asset_out",
      outcome: "cannot_tell",
      asked: "no asset named",
      does: `unknown token ${mallory}`,
      words: [0, 4],
      where,
      confidence: 1,
      fix: "Name in the request what should arrive.",
    });
  });
  test("for a token of another chain is known there", () => {
    const there = swap({ gets: [flow(usdc, 1n)], toChain: 8453 });
    expect(found({ gives: [portion("100", "USDC")] }, there)).toEqual([...gave, "asset_out cannot_tell"]);
    expect(found({ gives: [portion("100", "USDC")] }, { ...there, toChain: 1 })).toEqual(gave);
  });
  test("only a swap may bring an unknown token", () => {
    expect(
      found({ gives: [portion("100", "USDC")] }, swap({ act: "bridge", gets: [flow(mallory, 1n)] })),
    ).toEqual([...gave, "asset_out differs"]);
  });
  test("for nothing reports that no minimum is guaranteed", () => {
    expect(compare(ask(asset("ETH")), swap({ gets: [] })).at(-1)).toMatchObject({
      slot: "asset_out",
      does: "no minimum is guaranteed",
    });
  });
});

describe("an amount that is bounded by its return", () => {
  const prices: Partial<Context> = { prices: new Map([["ETH", 100]]) };
  const buy = (units: bigint, more: Partial<Effect> = {}): Partial<Effect> => ({
    act: "swap",
    gives: [flow(weth, units)],
    gets: [leaving(100_000_000n)],
    terms: { exactOut: true },
    ...more,
  });
  const said: Partial<Step> = { acts: ["swap"], gets: [portion("100", "USDC")] };
  const bought = ["asset_out same", "amount_out same"];
  test.each<[string, Partial<Step>, Partial<Effect>, Partial<Context>, readonly string[]]>([
    ["is no more than 5 % above it", said, buy((ONE * 105n) / 100n), prices, bought],
    ["is more than 5 % above it", said, buy((ONE * 1051n) / 1000n), prices, [...bought, "amount differs"]],
    ["has no price", said, buy(1n), {}, [...bought, "amount differs"]],
    [
      "has a return without a price",
      said,
      buy(1n, { gets: [leaving(100_000_000n), flow(mallory, 1n)] }),
      prices,
      [...bought, "amount differs"],
    ],
    [
      "has two returns",
      { ...said, gets: [portion("100", "USDC"), portion("1", "ETH")] },
      buy((ONE * 21n) / 10n, { gets: [leaving(100_000_000n), flow("native", ONE)] }),
      prices,
      [...bought, ...bought],
    ],
    [
      "has two returns and more than 5 %",
      { ...said, gets: [portion("100", "USDC"), portion("1", "ETH")] },
      buy((ONE * 2101n) / 1000n, { gets: [leaving(100_000_000n), flow("native", ONE)] }),
      prices,
      [...bought, ...bought, "amount differs"],
    ],
    [
      "has two returns, one of them without an amount",
      { ...said, gets: [portion("100", "USDC"), asset("ETH")] },
      buy((ONE * 21n) / 10n, { gets: [leaving(100_000_000n), flow("native", ONE)] }),
      prices,
      [...bought, "asset_out same"],
    ],
    [
      "is worth nothing and has no return",
      said,
      buy(1n, { gets: [] }),
      { prices: new Map([["ETH", 0]]) },
      ["asset_out differs", "amount differs"],
    ],
    ["has no return", said, buy(1n, { gets: [] }), prices, ["asset_out differs", "amount differs"]],
    [
      "has a return without an amount",
      { ...said, gets: [asset("USDC")] },
      buy(1n),
      prices,
      ["asset_out same", "amount differs"],
    ],
  ])("%s", (...[, step, done, context, expected]) => {
    expect(found(step, done, context)).toEqual(expected);
  });
  test("is bounded too if only its asset is named", () => {
    expect(compare({ ...said, gives: [asset("WETH")] }, buy(ONE), prices).at(-1)).toEqual({
      slot: "amount",
      outcome: "same",
      asked: "no more than its return is worth",
      does: "gives 1 WETH",
      words: [0, 4],
      where,
      confidence: 0.85,
      fix: "",
    });
  });
  test("is not bounded if another asset is named", () => {
    expect(found({ ...said, gives: [portion("1", "USDC")] }, buy(1n), prices)).toContain("asset_in differs");
  });
  test("is not bounded for an asset beyond the one that is named", () => {
    const step = { ...said, gives: [portion("100", "USDC")], gets: [portion("2", "ETH")] };
    const gets = [flow("native", 2n * ONE)];
    expect(found(step, buy(ONE, { gives: [leaving(100_000_000n)], gets }), prices)).toEqual([
      ...["asset_in same", "amount same"],
      ...bought,
    ]);
    expect(
      found(step, buy(ONE, { gives: [leaving(100_000_000n), flow(weth, ONE)], gets }), prices).at(-1),
    ).toBe("asset_in differs");
  });
  test("is priced on the chain where the return arrives", () => {
    const step = aStep({ acts: ["bridge"], gives: [asset("ETH")], gets: [portion("1", "ETH")] });
    const effect = anEffect({
      act: "bridge",
      gives: [flow("native", ONE)],
      gets: [flow("native", ONE)],
      toChain: 137,
    });
    const world = aWorld([step], [effect], {
      context: {
        prices: new Map([
          ["ETH", 100],
          ["POL", 1],
        ]),
      },
    });
    const polygon = { id: 137, name: "Polygon", coin: "POL", wrapped: null };
    const registry: World["registry"] = {
      ...world.registry,
      chain: (id) => (id === 137 ? polygon : world.registry.chain(id)),
    };
    expect(brief(compareFlows({ step, effect, index }, { ...world, registry }))).toContain(
      "amount cannot_tell",
    );
    expect(brief(compareFlows({ step, effect: { ...effect, toChain: 8453 }, index }, world))).toContain(
      "amount same",
    );
  });
  const unwrap = (units: bigint, ...gets: readonly Flow[]): Partial<Effect> => ({
    act: "unwrap",
    gives: [flow(weth, units)],
    gets,
  });
  const coins: Partial<Step> = { acts: ["unwrap"], gives: [asset("WETH")], gets: [portion("3", "ETH")] };
  test.each<[string, Partial<Effect>, string]>([
    ["as much as comes", unwrap(3n * ONE, flow("native", 3n * ONE)), "amount same"],
    ["one unit more than comes", unwrap(3n * ONE + 1n, flow("native", 3n * ONE)), "amount cannot_tell"],
    [
      "as much as the first of two",
      unwrap(3n * ONE, flow("native", 3n * ONE), leaving(1n)),
      "amount cannot_tell",
    ],
    [
      "as much as comes of another act",
      { ...unwrap(3n * ONE, flow("native", 3n * ONE)), act: "withdraw" },
      "amount cannot_tell",
    ],
  ])("is one for one if %s is unwrapped", (_, done, expected) => {
    expect(found(coins, done).at(-1)).toBe(expected);
  });
  test("may be the output of an earlier step", () => {
    const [first, step] = [aStep(), aStep({ acts: ["supply"], gives: [asset("USDC")] })];
    const before = anEffect({ act: "swap", gets: [flow(usdc, 5n)] });
    const effect = anEffect({ act: "supply", gives: [leaving(5n)], target: null });
    const pair = { step, effect, index: { step: 1, effect: 1 } };
    expect(brief(compareFlows(pair, aWorld([first, step], [before, effect])))).toEqual([
      "asset_in same",
      "amount same",
    ]);
    expect(brief(compareFlows(pair, aWorld([step, first], [before, effect])))).toEqual([
      "asset_in same",
      "amount cannot_tell",
    ]);
    expect(brief(compareFlows(pair, aWorld([first, step], [effect, before])))).toEqual([
      "asset_in same",
      "amount cannot_tell",
    ]);
  });
});

describe("a bridge", () => {
  const sent: Partial<Effect> = {
    act: "bridge",
    gives: [flow("native", ONE)],
    gets: [flow("native", ONE)],
    toChain: 8453,
  };
  const said: Partial<Step> = { acts: ["bridge"], gives: [portion("1", "ETH")] };
  const gave = ["asset_in same", "amount same"];
  test.each<[string, Partial<Step>, Partial<Effect>, readonly string[]]>([
    ["brings the same asset", said, sent, [...gave, "asset_out same"]],
    ["brings another", said, { ...sent, gets: [leaving(1n)] }, [...gave, "asset_out differs"]],
    [
      "brings an asset without a name",
      said,
      { ...sent, gets: [nameless(1n)] },
      [...gave, "asset_out cannot_tell"],
    ],
    ["brings nothing that is known", said, { ...sent, gets: [] }, gave],
    ["brings what is named", { ...said, gets: [asset("ETH")] }, sent, [...gave, "asset_out same"]],
    ["of an asset without a name", { ...said, gives: [portion("1", null)] }, sent, gave],
    ["of no amount in the request", { ...said, gives: [] }, sent, ["amount differs"]],
    [
      "of a token that is unknown there",
      { ...said, gives: [portion("1", "USDC")] },
      { ...sent, gives: [leaving(1_000_000n)], gets: [leaving(1_000_000n)] },
      [...gave, "asset_out cannot_tell"],
    ],
    [
      "to this chain",
      { ...said, gives: [portion("1", "USDC")] },
      { ...sent, gives: [leaving(1_000_000n)], gets: [leaving(1_000_000n)], toChain: null },
      [...gave, "asset_out same"],
    ],
    ["is the only act that brings the same asset", said, { ...sent, act: "transfer" }, gave],
  ])("%s", (_, step, done, expected) => {
    expect(found(step, done)).toEqual(expected);
  });
  test("may bring the wrapped native token there", () => {
    const [step, effect] = [aStep(said), anEffect({ ...sent, gets: [flow(mallory, ONE)] })];
    const world = aWorld([step], [effect]);
    const registry: World["registry"] = {
      ...world.registry,
      chain: (id) => ({ id, name: "Base", coin: "ETH", wrapped: id === 8453 ? mallory : null }),
    };
    expect(brief(compareFlows({ step, effect, index }, { ...world, registry }))).toEqual([
      ...gave,
      "asset_out same",
    ]);
  });
  test("shows the asset on the other chain", () => {
    expect(compare(said, { ...sent, gets: [leaving(1n)] }).at(-1)).toEqual({
      slot: "asset_out",
      outcome: "differs",
      asked: "ETH on the other chain",
      does: `unknown token ${usdc}`,
      words: span,
      where,
      confidence: 1,
      fix: `Use ETH on the other chain instead of unknown token ${usdc}.`,
    });
  });
  test("compares the named asset on the other chain", () => {
    const step = { ...said, gets: [portion("1", "USDC")] };
    expect(found(step, { ...sent, gets: [leaving(1_000_000n)] })).toEqual([...gave, "asset_out cannot_tell"]);
    expect(found(step, { ...sent, gets: [leaving(1_000_000n)], toChain: 1 })).toEqual([
      ...gave,
      "asset_out same",
      "amount_out same",
    ]);
  });
});

describe("an act whose object arrives", () => {
  const brought = (act: EffectAct, more: Partial<Effect> = {}): Partial<Effect> => ({
    act,
    gets: [leaving(5_000_000n)],
    receiver: "self",
    ...more,
  });
  test.each<EffectAct>([
    "withdraw",
    "borrow",
    "claim",
    "unstake",
    "unwrap",
    "remove_liquidity",
    "mint",
    "buy_nft",
  ])("%s: the object is compared with the asset that arrives", (act) => {
    const said = { acts: ["swap" as const], gives: [portion("5", "USDC")] };
    expect(found(said, brought(act))).toEqual(["asset_out same", "amount_out same"]);
    expect(found({ ...said, gives: [portion("6", "USDC")] }, brought(act))).toEqual([
      "asset_out same",
      "amount_out differs",
    ]);
  });
  test("the object of any other act is compared with the asset that leaves", () => {
    expect(found({ gives: [portion("5", "USDC")] }, brought("supply"))).toEqual(["asset_in differs"]);
  });
  const burning = { gives: [flow(weth, 9n)] };
  test.each<[string, Partial<Step>, Partial<Effect>, readonly string[]]>([
    [
      "a share that leaves",
      { gives: [portion("0.000000000000000009", "WETH")] },
      brought("withdraw", burning),
      ["asset_in same", "amount same"],
    ],
    [
      "a share named as what arrives",
      { gets: [portion("0.000000000000000009", "WETH")] },
      brought("withdraw", burning),
      ["asset_in same", "amount same"],
    ],
    [
      "an asset on neither side",
      { gives: [portion("5", "DAI")] },
      brought("withdraw", burning),
      ["asset_in cannot_tell"],
    ],
    [
      "an asset on neither side, as what arrives",
      { gets: [portion("5", "DAI")] },
      brought("withdraw", burning),
      ["asset_out cannot_tell", "amount differs"],
    ],
    [
      "an asset on neither side where nothing arrives",
      { gets: [portion("5", "DAI")] },
      brought("withdraw", { ...burning, gets: [] }),
      ["asset_in cannot_tell"],
    ],
    [
      "an amount without an asset",
      { gives: [portion("5", null)] },
      brought("withdraw"),
      ["asset_out same", "amount_out same"],
    ],
    [
      "an amount without an asset where both move",
      { gives: [portion("5", null)] },
      brought("withdraw", burning),
      ["asset_in same", "amount differs"],
    ],
    [
      "a second asset on neither side where nothing arrives",
      { gives: [portion("0.000000000000000009", "WETH")], gets: [portion("5", "DAI")] },
      brought("withdraw", { ...burning, gets: [] }),
      ["asset_in same", "amount same", "asset_out differs"],
    ],
    [
      "a claim that gives two assets for an amount of one",
      { gives: [portion("5", null)] },
      brought("claim", { gives: [flow(weth, 9n), flow(mallory, 9n)], gets: [] }),
      ["amount cannot_tell"],
    ],
    [
      "an asset that is not the vault, without an amount, where nothing arrives",
      { gives: [asset("USDC")] },
      brought("withdraw", { gets: [], target: mallory }),
      [],
    ],
    ["a claim of whatever there is", { gives: [portion("5", "USDC")] }, brought("claim", { gets: [] }), []],
    [
      "a withdrawal of nothing",
      { gives: [portion("5", "USDC")] },
      brought("withdraw", { gets: [] }),
      ["asset_out differs"],
    ],
    [
      "a withdrawal of nothing without an amount",
      { gives: [asset("USDC")] },
      brought("withdraw", { gets: [] }),
      [],
    ],
  ])("%s", (_, said, done, expected) => {
    expect(found(said, done)).toEqual(expected);
  });

  const returned: Partial<Step> = { gets: [portion("5", "USDC")] };
  const arrived = ["asset_out same", "amount_out same"];
  test.each<[string, Partial<Step>, Partial<Effect>, readonly string[]]>([
    ["a withdrawal", returned, brought("withdraw", burning), arrived],
    ["an unstaking", returned, brought("unstake", burning), arrived],
    ["a removal of liquidity", returned, brought("remove_liquidity", burning), arrived],
    ["an unwrapping", returned, brought("unwrap", burning), arrived],
    ["a purchase", returned, brought("buy_nft", burning), [...arrived, "amount differs"]],
    [
      "a withdrawal to another party",
      returned,
      brought("withdraw", { ...burning, receiver: mallory }),
      [...arrived, "amount differs"],
    ],
    [
      "a withdrawal of something else",
      { gets: [portion("1", "ETH")] },
      brought("withdraw", { gives: [flow(mallory, 9n)] }),
      ["asset_out differs", "amount differs"],
    ],
    [
      "a withdrawal of no asset named",
      { gets: [portion("5", null)] },
      brought("withdraw", { gives: [flow(mallory, 9n)] }),
      [...arrived, "amount differs"],
    ],
    [
      "a withdrawal of two assets, one of which does not arrive",
      { gets: [portion("5", "USDC"), portion("1", "ETH")] },
      brought("withdraw", { gives: [flow(mallory, 9n)] }),
      [...arrived, "asset_out differs"],
    ],
    [
      "a withdrawal that brings more than one asset",
      returned,
      brought("withdraw", { gives: [flow(mallory, 9n)], gets: [leaving(5_000_000n), flow(weth, 1n)] }),
      arrived,
    ],
    [
      "a withdrawal that brings the wrapped token",
      { gets: [portion("1", "ETH")] },
      brought("withdraw", { gives: [flow(mallory, 9n)], gets: [flow(weth, ONE)] }),
      arrived,
    ],
    [
      "a withdrawal, but not with shares that are named",
      { gives: [portion("0.000000000000000009", "WETH")], gets: [portion("5", "USDC")] },
      brought("withdraw", { gives: [flow(weth, 9n), flow(mallory, 9n)] }),
      ["asset_in same", "amount same", ...arrived, "asset_in differs"],
    ],
  ])("shares that the request does not mention may be burnt by %s", (_, said, done, expected) => {
    expect(found(said, done)).toEqual(expected);
  });
});

describe("an amount that arrives", () => {
  const sale: Partial<Effect> = { gives: [{ ...leaving(1n), asset: nft(mallory, 7n) }] };
  const fully: Flow["amount"] = { least: ONE, most: MAX_UINT };
  test.each<[EffectAct, Partial<Effect>, string]>([
    ["swap", { gives: [leaving(1n)] }, "same"],
    ["bridge", { gives: [leaving(1n)], toChain: 8453 }, "same"],
    ["sell_nft", sale, "same"],
    ["supply", { gives: [leaving(1n)] }, "differs"],
    ["withdraw", {}, "differs"],
  ])("by %s is a minimum: %s", (act, done, outcome) => {
    const effect = { act, ...done, gets: [flow("native", fully)] };
    expect(compare({ gets: [portion("1", "ETH")] }, effect)).toContainEqual(
      expect.objectContaining({ slot: "amount_out", outcome }),
    );
  });
  test("by a withdrawal may be one unit above a lower limit and not one unit above an amount", () => {
    const atLeast: Portion = {
      ...asset("ETH"),
      quantity: { kind: "least", n: dec("1"), span },
    };
    const effect = (units: bigint): Partial<Effect> => ({ act: "withdraw", gets: [flow("native", units)] });
    expect(found({ gets: [atLeast] }, effect(2n * ONE))).toEqual(["asset_out same", "amount_out same"]);
    expect(found({ gets: [atLeast] }, effect(ONE - 1n))).toEqual(["asset_out same", "amount_out differs"]);
    expect(found({ gets: [portion("1", "ETH")] }, effect(ONE + 1n))).toEqual([
      "asset_out same",
      "amount_out differs",
    ]);
  });
});

describe("a vault that is named by its share", () => {
  const supplied = (act: EffectAct, target = weth): Partial<Effect> => ({
    act,
    gives: [leaving(5_000_000n)],
    target,
  });
  const said: Partial<Step> = { gives: [portion("5", "USDC"), asset("WETH")] };
  const gave = ["asset_in same", "amount same"];
  test.each<[string, Partial<Step>, Partial<Effect>, readonly string[]]>([
    ["is a place for supply", said, supplied("supply"), gave],
    ["is a place for stake", said, supplied("stake"), gave],
    ["is an object of a transfer", said, supplied("transfer"), [...gave, "asset_in differs"]],
    [
      "is an object where another contract is called",
      said,
      supplied("supply", mallory),
      [...gave, "asset_in differs"],
    ],
    [
      "is an object where none is called",
      said,
      { ...supplied("supply"), target: null },
      [...gave, "asset_in differs"],
    ],
    [
      "is an object if it has an amount",
      { gives: [portion("5", "USDC"), portion("1", "WETH")] },
      supplied("supply"),
      [...gave, "asset_in differs"],
    ],
    [
      "is not the native token",
      { gives: [portion("5", "USDC"), asset("ETH")] },
      supplied("supply"),
      [...gave, "asset_in differs"],
    ],
    [
      "is a place as what arrives",
      { gives: [portion("5", "USDC")], gets: [asset("WETH")] },
      supplied("supply"),
      gave,
    ],
    [
      "leaves an object without a name or an amount",
      { gives: [portion(null, null)] },
      supplied("supply"),
      ["asset_in same", "amount cannot_tell"],
    ],
    [
      "is a place for withdraw",
      { gives: [portion("5", "USDC"), asset("WETH")] },
      { act: "withdraw", gets: [leaving(5_000_000n)], target: weth },
      ["asset_out same", "amount_out same"],
    ],
    [
      "is a place for unstake",
      { gives: [portion("5", "USDC"), asset("WETH")] },
      { act: "unstake", gets: [leaving(5_000_000n)], target: weth },
      ["asset_out same", "amount_out same"],
    ],
  ])("%s", (_, step, done, expected) => {
    expect(found(step, done)).toEqual(expected);
  });
});

describe("the native token and its wrapped form", () => {
  test.each<[EffectAct, string]>([
    ["swap", "same"],
    ["supply", "same"],
    ["repay", "same"],
    ["stake", "same"],
    ["bridge", "same"],
    ["add_liquidity", "same"],
    ["sell_nft", "same"],
    ["transfer", "differs"],
    ["wrap", "differs"],
  ])("leaving by %s are the %s", (act, outcome) => {
    expect(compare({ gives: [portion("1", "ETH")] }, { act, gives: [flow(weth, ONE)] })[0]).toMatchObject({
      slot: "asset_in",
      outcome,
    });
  });
  test.each<[EffectAct, string]>([
    ["withdraw", "same"],
    ["borrow", "same"],
    ["unstake", "same"],
    ["remove_liquidity", "same"],
    ["buy_nft", "same"],
    ["claim", "differs"],
    ["mint", "differs"],
  ])("arriving by %s are the %s", (act, outcome) => {
    expect(compare({ gives: [portion("1", "ETH")] }, { act, gets: [flow(weth, ONE)] })[0]).toMatchObject({
      slot: "asset_out",
      outcome,
    });
  });
});
