/** The outcome of the comparison: which effects are licensed and by what, which are not, and which reading of the request counts. */
import { describe, expect, test } from "vitest";
import type { Effect } from "../effects.ts";
import type { Entailment } from "../entailment.ts";
import type { HardToken, Intent, Span, Step } from "../intent.ts";
import type { Address } from "../proposal.ts";
import { entail } from "./entail.ts";
import {
  aStep,
  aWorld,
  address,
  anApproval,
  anEffect,
  bob,
  dec,
  exact,
  flow,
  mallory,
  portion,
  router,
  symbol,
  usdc,
  weth,
} from "../../test/entail.ts";
import { abroad, same } from "./world.ts";

const span: Span = [0, 1];
const send = aStep({ gives: [portion("100", "USDC")], to: [address(bob)] });
const sent = anEffect({ gives: [flow(usdc, 100_000_000n)], receiver: bob });
const astray = aStep({ ...send, to: [address(mallory)] });
const supply = aStep({ acts: ["supply"], gives: [portion("100", "USDC")] });
const supplied = anEffect({
  ...{ act: "supply", gives: [flow(usdc, 100_000_000n)], receiver: "self", target: router },
});
const opaque = anEffect({ act: "opaque", target: mallory, function: "" });
const harmless = anEffect({ act: "harmless", function: "balanceOf" });
const pledge = anEffect({ act: "harmless", function: "enterMarkets", venue: "lender" });
const number: HardToken = { kind: "number", text: "7", span, slot: null };

const found = (steps: readonly Step[], effects: readonly Effect[], intent: Partial<Intent> = {}) =>
  entail(aWorld(steps, effects, { intent }));
const outcomes = ({ comparisons }: Entailment): readonly string[] =>
  comparisons.map(({ slot, outcome }) => `${slot} ${outcome}`);
const asked = (effect: number, step: number) => ({ effect, step, rule: "asked for" });
const needed = (effect: number) => ({ effect, step: null, rule: "the allowance that a step needs" });

describe("licences", () => {
  test("name the step that asks for each effect, and the rule for the rest", () => {
    const { licences, unlicensed } = found([supply], [anApproval(router, 100_000_000n), supplied, harmless]);
    expect(licences).toEqual([
      asked(1, 0),
      needed(0),
      { effect: 2, step: null, rule: "moves no funds and grants no access" },
    ]);
    expect(unlicensed).toEqual([]);
  });
  test("leave out an effect that answers a step by another act", () => {
    const { licences, unlicensed } = found([supply], [sent]);
    expect(licences).toEqual([]);
    expect(unlicensed).toEqual([
      { effect: 0, what: `transfer 100 USDC, to ${bob}`, where: anEffect({}).where },
    ]);
  });
  test("leave out an effect of which only the act differs", () => {
    const step = aStep({ ...supply, to: [address(bob)] });
    expect(found([step], [sent]).unlicensed.map(({ effect }) => effect)).toEqual([0]);
  });
  test("do not give a step an effect that another step implies", () => {
    const { licences } = found([send, supply], [anApproval(router, 100_000_000n), supplied]);
    expect(licences).toEqual([asked(1, 1), needed(0)]);
  });
  test("give a bare approval to the step that needs it, and to itself if it is everything", () => {
    const approve = aStep({ acts: ["approve"], gives: [portion(null, "USDC")] });
    const both = found([approve, supply], [anApproval(router, 100_000_000n), supplied]);
    expect(both.licences).toEqual([asked(1, 1), needed(0)]);
    expect(found([approve], [anApproval(router, 100_000_000n)]).licences).toEqual([asked(0, 0)]);
  });
  test("cover unwrapping the output of an earlier effect", () => {
    const step = aStep({ acts: ["swap"], gives: [portion("100", "USDC")], gets: [portion(null, "ETH")] });
    const swapped = anEffect({ ...supplied, act: "swap", gets: [flow(weth, 5n)], venue: "uniswap_v3" });
    const unwrapped = anEffect({
      ...{ act: "unwrap", gives: [flow(weth, 5n)], gets: [flow("native", 5n)], receiver: "self" },
    });
    expect(found([step], [swapped, unwrapped]).licences).toContainEqual({
      effect: 1,
      step: null,
      rule: "wraps the native token for a requested step",
    });
  });
  test("cover an allowance for an allowance, in whatever order they are found", () => {
    const hub: Address = "0x000000000022d473030f116ddee9f6b43ac78ba3";
    const onward = { ...anApproval(router, 100_000_000n), target: hub };
    const { licences, unlicensed } = found([supply], [anApproval(hub, 100_000_000n), onward, supplied]);
    expect(licences).toEqual([asked(2, 0), needed(1), needed(0)]);
    expect(unlicensed).toEqual([]);
  });
});

describe("an effect without a licence", () => {
  const at = (field: string) => ({ call: "proposed_tx", field });
  const stray = anApproval(mallory, 1n);
  const authority = stray.authority === null ? null : { ...stray.authority, where: at("spender") };
  test.each<[string, Effect, string]>([
    ["its receiver", { ...sent, places: { receiver: at("to") } }, "to"],
    ["its receiver before its spender", { ...stray, authority, places: { receiver: at("to") } }, "to"],
    ["its spender", { ...stray, authority }, "spender"],
    ["itself", sent, "value"],
  ])("is reported at the place of %s", (_, effect, field) => {
    const { unlicensed } = found([supply], [supplied, effect]);
    expect(unlicensed.map(({ effect: index, where }) => [index, where])).toEqual([[1, at(field)]]);
  });
  test("that is an approval is reported as an unrequested spender", () => {
    expect(outcomes(found([supply], [supplied, stray]))).toContain("spender differs");
  });
});

describe("a call that cannot be read", () => {
  const comparison = {
    ...{ slot: "action", outcome: "cannot_tell", asked: "Send", words: send.verb.span, confidence: 1 },
    does: `calls ${mallory}, which we cannot read`,
    where: opaque.where,
    fix: "Call a contract and a function that we can read.",
  };
  test("may answer a step that nothing else answers", () => {
    const read = found([supply], [opaque]);
    expect(read.comparisons).toEqual([comparison]);
    expect([read.licences, read.unlicensed]).toEqual([[], []]);
  });
  test("answers one step only", () => {
    const { unlicensed } = found([supply], [opaque, opaque]);
    expect(unlicensed.map(({ effect }) => effect)).toEqual([1]);
  });
  test("answers no step instead of another effect that is not licensed", () => {
    const { unlicensed } = found([supply], [pledge, opaque]);
    expect(unlicensed.map(({ effect }) => effect)).toEqual([0]);
  });
  test("answers the step after a bare approval", () => {
    const approve = aStep({ acts: ["approve"], gives: [portion(null, "USDC")] });
    expect(found([approve, supply], [opaque]).unlicensed).toEqual([]);
  });
});

describe("a transaction that does nothing", () => {
  const nothing = {
    ...{ slot: "action", outcome: "differs", asked: "Send", does: "nothing", words: send.verb.span },
    ...{ where: null, confidence: 1, fix: "Propose a transaction that does what you asked for." },
  };
  test.each<[string, readonly Effect[]]>([
    ["has no effect", []],
    ["has an effect that moves nothing", [harmless]],
  ])("%s", (_, effects) => {
    expect(found([send], effects).comparisons).toContainEqual(nothing);
  });
  test("differs from a transaction that does something", () => {
    expect(found([send], [harmless, supplied]).comparisons).not.toContainEqual(nothing);
    expect(found([send], [harmless, sent]).comparisons).not.toContainEqual(nothing);
  });
  test("answers a request without steps", () => {
    expect(found([], []).comparisons).toEqual([]);
  });
});

describe("the chain of a signature", () => {
  const signed = (chainId: unknown): readonly string[] => {
    const world = aWorld([send], [sent]);
    const typedData = { domain: { chainId }, types: {}, primaryType: "Order", message: {} };
    return outcomes(entail({ ...world, proposal: { ...world.proposal, typedData } })).filter((one) =>
      one.startsWith("chain"),
    );
  };
  test.each<[unknown, readonly string[]]>([
    [1, []],
    [1n, []],
    ["1", []],
    ["0x1", []],
    [8453, ["chain differs"]],
    [8453n, ["chain differs"]],
    ["8453", ["chain differs"]],
    ["0x2105", ["chain differs"]],
    ["0xfFfFfFfFfFfF", ["chain differs"]],
    ["0x1ffffffffffff", []],
    ["999999999999999", ["chain differs"]],
    ["9999999999999999", []],
    ["x2", []],
    ["2x", []],
    ["two", []],
    ["", []],
    [undefined, []],
    [[2], []],
    [true, []],
  ])("%s", (chainId, expected) => {
    expect(signed(chainId)).toEqual(expected);
  });
  test("is reported with its place", () => {
    const world = aWorld([send], [sent]);
    const typedData = { domain: { chainId: 8453 }, types: {}, primaryType: "Order", message: {} };
    const { comparisons } = entail({ ...world, proposal: { ...world.proposal, typedData } });
    expect(comparisons.find(({ slot }) => slot === "chain")).toMatchObject({
      where: { call: "proposed_tx.order", field: "domain.chainId" },
      words: null,
    });
  });
});

describe("a request that is not read completely", () => {
  const doubtful = { ...exact("1000"), others: [dec("1")] };
  const ambiguous = { said: "it", readings: ["a", "b"], span };
  test.each<[string, readonly Step[], readonly Effect[], Partial<Intent>]>([
    ["a word is not read", [astray], [sent], { tokens: [number] }],
    ["a word is ambiguous", [astray], [sent], { ambiguities: [ambiguous] }],
    [
      "one is not read and one is ambiguous",
      [astray],
      [sent],
      { tokens: [number], ambiguities: [ambiguous] },
    ],
    ["it has no step", [], [anApproval(mallory, 1n)], {}],
    ["it is not a request", [astray], [sent], { notARequest: "a greeting" }],
  ])("claims no difference: %s", (_, steps, effects, intent) => {
    const read = outcomes(found(steps, effects, intent));
    expect(read.filter((one) => one.endsWith("not_read"))).not.toEqual([]);
    expect(read.filter((one) => one.endsWith("differs"))).toEqual([]);
  });
  test("keeps matching comparisons", () => {
    expect(outcomes(found([astray], [sent], { tokens: [number] }))).toContain("amount same");
  });
  test("shows both readings of a number", () => {
    const step = aStep({ ...send, gives: [{ asset: symbol("USDC"), quantity: doubtful }] });
    expect(found([step], [sent]).ambiguous).toEqual([
      { said: "a number with two readings", readings: ["1,000", "1"], span },
    ]);
  });
});

describe("another reading of the request", () => {
  const others = (...steps: readonly Step[]): Partial<Intent> => ({ others: [{ steps, tokens: [] }] });
  const settled = (read: Entailment): boolean =>
    read.comparisons.every(({ outcome }) => outcome === "same") &&
    read.unlicensed.length + read.unmet.length + read.unread.length + read.ambiguous.length === 0;
  test("counts if it leaves nothing open, with less confidence", () => {
    const read = found([astray], [sent], others(send));
    expect(settled(read)).toBe(true);
    expect(new Set(read.comparisons.map(({ confidence }) => confidence))).toEqual(new Set([0.85]));
  });
  test("counts before one that only lacks evidence", () => {
    const open = aStep({ ...send, to: [] });
    expect(settled(found([open], [sent], others(send)))).toBe(true);
  });
  test("counts if it only lacks evidence, before one that differs", () => {
    const open = aStep({ ...send, to: [] });
    expect(outcomes(found([astray], [sent], others(open)))).toContain("recipient cannot_tell");
  });
  const doubtful = aStep({
    ...send,
    gives: [{ asset: symbol("USDC"), quantity: { kind: "exact", n: dec("100"), others: [dec("1")], span } }],
  });
  const negations: Partial<Intent> = { negations: [{ kind: "act", acts: ["transfer"], span }] };
  test.each<[string, readonly Effect[], Partial<Intent>]>([
    ["an effect without a licence", [sent, sent], others(send)],
    ["a broken term", [sent], { ...others(send), ...negations }],
    ["a word that is not read", [sent], { others: [{ steps: [send], tokens: [number] }] }],
    ["an ambiguous number", [sent], others(doubtful)],
    ["an effect without a licence and a broken term", [sent, sent], { ...others(send), ...negations }],
    [
      "a broken term and a word that is not read",
      [sent],
      { ...negations, others: [{ steps: [send], tokens: [number] }] },
    ],
    [
      "a word that is not read and an ambiguous number",
      [sent],
      { others: [{ steps: [doubtful], tokens: [number] }] },
    ],
  ])("does not count if it leaves %s", (_, effects, intent) => {
    expect(outcomes(found([astray], effects, intent))).toContain("recipient differs");
  });
  test("does not remove an ambiguity if there is none", () => {
    const ambiguities = [{ said: "it", readings: ["a", "b"], span }];
    expect(found([send], [sent], { ambiguities }).ambiguous).toEqual(ambiguities);
  });
});

describe("a request in two sentences", () => {
  const what = aStep({ acts: ["transfer"], gives: [portion("100", "USDC")] });
  const whom = aStep({ acts: ["transfer"], to: [address(bob)] });
  const isOne = (effects: readonly Effect[], steps: readonly Step[] = [what, whom]): boolean => {
    const { comparisons, unlicensed } = found(steps, effects);
    return comparisons.every(({ outcome }) => outcome === "same") && unlicensed.length === 0;
  };
  test("is one if the transaction does one thing", () => {
    expect(isOne([sent])).toBe(true);
    expect(isOne([anEffect({ ...sent, receiver: mallory })])).toBe(false);
  });
  test("is one if the rest of the transaction moves nothing", () => {
    expect(isOne([harmless, sent])).toBe(true);
  });
  test("is one if the rest is the allowance it needs", () => {
    expect(isOne([anApproval(usdc, 100_000_000n), sent])).toBe(true);
    expect(isOne([anApproval(usdc, 100_000_001n), sent])).toBe(false);
  });
  test("is not one if the transaction does two things", () => {
    const steps = [aStep({ ...what, gives: [portion("0.000000000000000005", "WETH")] }), whom];
    const paid = anEffect({ gives: [flow(weth, 5n)], receiver: bob });
    const wrapped = anEffect({
      ...{ act: "wrap", gives: [flow("native", 5n)], gets: [flow(weth, 5n)], receiver: "self" },
    });
    expect(isOne([paid], steps)).toBe(true);
    expect(isOne([paid, wrapped], steps)).toBe(false);
  });
  test("is not one if the transaction does nothing", () => {
    expect(isOne([])).toBe(false);
  });
});

describe("the world of another chain", () => {
  const world = aWorld([], []);
  test("is the one that an effect sends to", () => {
    expect(abroad(anEffect({ toChain: 8453 }), world).proposal.chain).toEqual({ id: 8453, assumed: false });
  });
  test("is this one if an effect stays", () => {
    expect(abroad(anEffect({ toChain: null }), world)).toBe(world);
  });
});

test("a matching comparison needs no fix", () => {
  const { where } = sent;
  const shown = { slot: "amount", asked: "5", does: "5", words: null, where, confidence: 1 } as const;
  expect(same(shown)).toEqual({ ...shown, outcome: "same", fix: "" });
});
