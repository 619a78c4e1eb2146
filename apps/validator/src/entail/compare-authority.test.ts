/** Who may spend, how much, and for how long. */
import { describe, expect, test } from "vitest";
import { nft, token, unsaid, type Authority, type Effect, type Where } from "../effects.ts";
import type { Comparison } from "../entailment.ts";
import type { AssetRef, Intent, PartyRef, Portion, Quantity, Span, Step } from "../intent.ts";
import type { Address } from "../proposal.ts";
import { compareAuthority, unlimitedFrom } from "./compare-authority.ts";
import {
  aStep,
  aWorld,
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

const span: Span = [3, 7];
const where: Where = { call: "proposed_tx", field: "spender" };
const verb = { word: "Approve", span: [0, 7] as Span };
const almostBob: Address = "0x2222222222222222222222222222222222222223";
const to = (of: Address): PartyRef => ({ kind: "address", address: of, span });
const now = 1_700_000_000n;

const granted = (more: Partial<Authority> = {}): Authority => ({
  ...{ spender: bob, asset: token(usdc), amount: { least: 5_000_000n, most: 5_000_000n } },
  ...{ until: null, signed: false, where },
  ...more,
});
type Given = {
  readonly effects?: readonly Effect[];
  readonly intent?: Partial<Intent>;
  readonly act?: Effect["act"];
};
const compare = (said: Partial<Step>, authority: Authority | null, given: Given = {}): Comparison[] => {
  const step = aStep({ acts: ["approve"], verb, ...said });
  const effect = anEffect({ act: given.act ?? "approve", authority });
  const world = aWorld([step], [effect, ...(given.effects ?? [])], { intent: given.intent ?? {} });
  return compareAuthority({ step, effect, index: { step: 0, effect: 0 } }, world);
};
const brief = (...given: Parameters<typeof compare>): readonly string[] =>
  compare(...given).map(({ slot, outcome }) => `${slot} ${outcome}`);
const five: Partial<Step> = { gives: [portion("5", "USDC")], spender: to(bob) };

test("an unlimited allowance starts at the largest number of 96 bits", () => {
  expect(unlimitedFrom).toBe(79_228_162_514_264_337_593_543_950_335n);
});

describe("an allowance", () => {
  test("for the spender, token and amount in the request is the same", () => {
    expect(compare(five, granted())).toEqual([
      {
        slot: "spender",
        outcome: "same",
        asked: bob,
        does: `lets ${bob} spend`,
        words: span,
        where,
        confidence: 1,
        fix: "",
      },
      {
        slot: "asset_in",
        outcome: "same",
        asked: "USDC",
        does: "USDC",
        words: [0, 1],
        where,
        confidence: 1,
        fix: "",
      },
      {
        slot: "scope",
        outcome: "same",
        asked: "5 USDC",
        does: "may take 5 USDC",
        words: [0, 1],
        where,
        confidence: 1,
        fix: "",
      },
    ]);
  });
  test("is not compared if none is given, or control changes", () => {
    expect(compare(five, null)).toEqual([]);
    expect(compare(five, granted(), { act: "admin" })).toEqual([]);
  });
  test("over the account itself has only a spender", () => {
    expect(brief(five, granted({ asset: null }))).toEqual(["spender same"]);
  });
});

describe("the spender", () => {
  const contact: PartyRef = { kind: "contact", label: "Bob", span };
  const venue = (of: string, mode: "on" | "avoid" = "on"): Step["venues"][number] => ({
    venue: of,
    mode,
    span,
  });
  const spender = (said: Partial<Step>, authority = granted(), given: Given = {}) =>
    compare({ gives: [portion("5", "USDC")], ...said }, authority, given).filter(
      ({ slot }) => slot === "spender",
    );
  test.each<[string, Partial<Step>, Authority, string]>([
    ["is the one that is named", { spender: to(bob) }, granted(), "same"],
    ["is not one with another last digit", { spender: to(bob) }, granted({ spender: almostBob }), "differs"],
    ["is the one after “to”", { to: [to(bob)] }, granted(), "same"],
    ["is one of several", { spender: to(mallory), to: [to(bob)] }, granted(), "same"],
    ["is a contract of the venue", { venues: [venue("uniswap")] }, granted({ spender: router }), "same"],
    ["is not another contract", { venues: [venue("uniswap")] }, granted(), "differs"],
    [
      "is not a contract of a venue to avoid",
      { venues: [venue("uniswap", "avoid")] },
      granted({ spender: router }),
      "cannot_tell",
    ],
    [
      "is not the venue where a party is named",
      { spender: to(bob), venues: [venue("uniswap")] },
      granted({ spender: router }),
      "differs",
    ],
    ["cannot be resolved", { spender: contact }, granted(), "cannot_tell"],
    ["is not named", {}, granted(), "cannot_tell"],
  ])("%s", (_, said, authority, expected) => {
    expect(spender(said, authority).map(({ outcome }) => outcome)).toEqual([expected]);
  });
  const found = { slot: "spender", does: `lets ${bob} spend`, words: span, where, confidence: 1 };
  test("that differs is named in the fix", () => {
    expect(spender({ spender: to(mallory) })).toEqual([
      { ...found, outcome: "differs", asked: mallory, fix: `Make ${mallory} the spender.` },
    ]);
  });
  test("that cannot be resolved needs an address", () => {
    expect(spender({ spender: contact })).toEqual([
      {
        ...found,
        outcome: "cannot_tell",
        asked: "Bob",
        fix: "Give the address: no address was sent for Bob (metadata.known_addresses).",
      },
    ]);
  });
  test("that is not named is asked for", () => {
    expect(spender({})).toEqual([
      {
        ...found,
        outcome: "cannot_tell",
        asked: "no spender named",
        words: verb.span,
        fix: "Name the spender in the request.",
      },
    ]);
  });
  const user = anEffect({ act: "supply", gives: [flow(usdc, 5_000_000n)], target: bob });
  test("that is not named may be the one the request goes through", () => {
    expect(spender({}, granted(), { effects: [user] })).toEqual([
      {
        ...found,
        outcome: "same",
        asked: "the contract that the request goes through",
        words: verb.span,
        confidence: 0.9,
        fix: "",
      },
    ]);
    expect(
      spender({}, granted({ amount: { least: 0n, most: 5_000_001n } }), { effects: [user] }),
    ).toMatchObject([{ outcome: "cannot_tell" }]);
  });
  test.each<[string, readonly Portion[], Authority, string]>([
    ["its share", [portion(null, "WETH"), portion("5", "USDC")], granted({ spender: weth }), "same"],
    ["an amount of its share", [portion("1", "WETH")], granted({ spender: weth }), "cannot_tell"],
    ["another token", [portion(null, "USDC")], granted({ spender: weth }), "cannot_tell"],
    ["the native token it wraps", [portion(null, "ETH")], granted({ spender: weth }), "cannot_tell"],
    [
      "its address",
      [{ asset: { kind: "address", address: weth, span }, quantity: null }],
      granted({ spender: weth }),
      "cannot_tell",
    ],
    [
      "its share if the owner may spend",
      [portion(null, "WETH")],
      granted({ spender: "self" }),
      "cannot_tell",
    ],
  ])("that is a vault may be called by %s", (_, gives, authority, expected) => {
    expect(spender({ gives }, authority).map(({ outcome }) => outcome)).toEqual([expected]);
  });

  const revoke: Partial<Step> = { acts: ["revoke"] };
  const zero = granted({ amount: { least: 0n, most: 0n } });
  const against = (more: object): Given => ({ intent: { negations: [{ kind: "party", span, ...more }] } });
  test.each<[string, Partial<Step>, Authority, Given, readonly string[]]>([
    ["needs no spender", revoke, zero, {}, []],
    ["that leaves something does", revoke, granted(), {}, ["cannot_tell"]],
    ["of zero without that verb does", {}, zero, {}, ["cannot_tell"]],
    ["is about the party the request turns against", revoke, zero, against({ party: to(bob) }), ["same"]],
    ["is not about another", revoke, zero, against({ party: to(almostBob) }), ["differs"]],
    [
      "is about the venue the request turns against",
      revoke,
      granted({ spender: router }),
      against({ venue: "uniswap" }),
      ["same"],
    ],
    [
      "is not about another venue",
      revoke,
      granted({ spender: router }),
      against({ venue: "aave" }),
      ["differs"],
    ],
    ["is not about a negation of something else", revoke, zero, against({}), []],
    [
      "is about the party before the venue",
      revoke,
      granted({ spender: router }),
      against({ venue: "uniswap", party: to(bob) }),
      ["differs"],
    ],
    ["alone reads negations", {}, zero, against({ party: to(bob) }), ["cannot_tell"]],
    [
      "reads them only as its first meaning",
      { acts: ["approve", "revoke"] },
      granted(),
      against({ party: to(bob) }),
      ["cannot_tell"],
    ],
  ])("a revocation %s", (...[, said, authority, given, expected]) => {
    expect(spender({ gives: [], ...said }, authority, given).map(({ outcome }) => outcome)).toEqual(expected);
  });
});

test("a revocation that names no spender is compared by token and amount only", () => {
  const zero = granted({ amount: { least: 0n, most: 0n } });
  expect(brief({ acts: ["revoke"], gives: [portion(null, "USDC")] }, zero)).toEqual([
    "asset_in same",
    "scope same",
  ]);
});

test("an allowance that the request uses up is compared by spender and amount only", () => {
  const user = anEffect({ act: "supply", gives: [flow(usdc, 5_000_000n)], target: bob });
  expect(brief({ spender: to(bob) }, granted(), { effects: [user] })).toEqual(["spender same", "scope same"]);
});

describe("the token", () => {
  const asset = (gives: readonly Portion[], authority = granted(), given: Given = {}) =>
    compare({ gives, spender: to(bob) }, authority, given).filter(({ slot }) => slot === "asset_in");
  test.each<[string, readonly Portion[], string]>([
    ["is the one that is named", [portion("5", "USDC")], "same"],
    ["is not another", [portion("5", "WETH")], "differs"],
    ["is unknown", [portion("5", "DAI")], "cannot_tell"],
    ["is not named", [portion("5", null)], "cannot_tell"],
    ["is not spoken of", [], "cannot_tell"],
    ["is one of two", [portion("1", "WETH"), portion("5", "USDC")], "same"],
  ])("%s", (_, gives, expected) => {
    expect(asset(gives).map(({ outcome }) => outcome)).toEqual([expected]);
  });
  const found = { slot: "asset_in", does: "USDC", where, confidence: 1 };
  test("that differs, is unknown or is missing is named in the fix", () => {
    expect(asset([portion("5", "WETH")])).toEqual([
      { ...found, outcome: "differs", asked: "WETH", words: [0, 1], fix: "Approve WETH instead of USDC." },
    ]);
    expect(asset([portion("5", "DAI")])).toEqual([
      {
        ...found,
        outcome: "cannot_tell",
        asked: "DAI",
        words: [0, 1],
        fix: "Name DAI by its contract address.",
      },
    ]);
    expect(asset([])).toEqual([
      {
        ...found,
        outcome: "cannot_tell",
        asked: "an asset you did not name",
        words: null,
        fix: "Name the token that may be spent in the request.",
      },
    ]);
  });
  test("is not the name of the native token for its wrapped form", () => {
    expect(asset([portion("5", "ETH")], granted({ asset: token(weth) }))[0]?.outcome).toBe("differs");
  });
  test("is the wrapped token that is named after the native token", () => {
    const both = [portion("1", "ETH"), portion("5", "WETH")];
    expect(asset(both, granted({ asset: token(weth) }))[0]?.outcome).toBe("same");
  });
  test("is not the share that names the vault", () => {
    expect(asset([portion(null, "WETH")], granted({ spender: weth }))[0]?.outcome).toBe("cannot_tell");
    expect(asset([portion(null, "WETH")], granted())[0]?.outcome).toBe("differs");
  });
  const user = anEffect({ act: "supply", gives: [flow(usdc, 5_000_000n)], target: bob });
  test("need not be named if all of the allowance is used", () => {
    expect(asset([], granted(), { effects: [user] })).toEqual([]);
    expect(asset([portion(null, "WETH")], granted(), { effects: [user] })[0]?.outcome).toBe("differs");
  });
});

describe("the amount", () => {
  const scope = (gives: readonly Portion[], authority = granted(), given: Given = {}) =>
    compare({ gives, spender: to(bob) }, authority, given).filter(({ slot }) => slot === "scope");
  const user = anEffect({ act: "supply", gives: [flow(usdc, 5_000_000n)], target: bob });
  const all: Quantity = { kind: "all", except: null, span };
  const of = (quantity: Quantity): Portion => ({ asset: symbol("USDC"), quantity });
  const zero = { least: 0n, most: 0n };
  test.each<[string, readonly Portion[], Authority, Given, string]>([
    ["is the one in the request", [portion("5", "USDC")], granted(), {}, "same"],
    [
      "is one unit more",
      [portion("5", "USDC")],
      granted({ amount: { least: 5_000_001n, most: 5_000_001n } }),
      {},
      "differs",
    ],
    ["is unlimited as asked", [of({ kind: "unlimited", span })], granted(), {}, "same"],
    ["is vague", [of({ kind: "vague", said: "some", span })], granted(), {}, "cannot_tell"],
    [
      "is about five, and may be less",
      [of({ kind: "about", n: dec("5"), span })],
      granted({ amount: { least: 0n, most: 5_000_000n } }),
      {},
      "same",
    ],
    ["is missing", [portion(null, "USDC")], granted(), {}, "cannot_tell"],
    ["is missing and all used", [portion(null, "USDC")], granted(), { effects: [user] }, "same"],
    [
      "is missing and one unit is left",
      [portion(null, "USDC")],
      granted({ amount: { least: 0n, most: 5_000_001n } }),
      { effects: [user] },
      "cannot_tell",
    ],
    ["is named and all used", [portion("6", "USDC")], granted(), { effects: [user] }, "differs"],
    ["is missing and nothing is left", [portion(null, "USDC")], granted({ amount: zero }), {}, "same"],
    ["is all and nothing is left", [of(all)], granted({ amount: zero }), {}, "same"],
    ["is all and something is left", [of(all)], granted(), {}, "cannot_tell"],
    ["is five and nothing is left", [portion("5", "USDC")], granted({ amount: zero }), {}, "differs"],
  ])("%s", (...[, gives, authority, given, expected]) => {
    expect(scope(gives, authority, given).map(({ outcome }) => outcome)).toEqual([expected]);
  });
  const found = { slot: "scope", does: "may take 5 USDC", words: [0, 1], where, confidence: 1 };
  test("is shown with what to change", () => {
    expect(scope([portion("6", "USDC")])).toEqual([
      { ...found, outcome: "differs", asked: "6 USDC", fix: "Approve 6 USDC and no more." },
    ]);
    expect(scope([of({ kind: "vague", said: "some", span })])).toEqual([
      {
        ...found,
        outcome: "cannot_tell",
        asked: "“some” USDC",
        words: span,
        fix: "State the allowance as a number: “some” is not an amount.",
      },
    ]);
    expect(scope([of(all)])[0]?.fix).toBe(
      "State the allowance as a number: the balance it is a share of is not known (metadata.state, metadata.balances).",
    );
    expect(scope([portion(null, "USDC")])).toEqual([
      {
        ...found,
        outcome: "cannot_tell",
        asked: "USDC",
        words: verb.span,
        fix: "State how much may be spent, as a number, or “unlimited” if you mean that.",
      },
    ]);
    expect(scope([portion(null, "USDC")], granted(), { effects: [user] })).toEqual([
      { ...found, outcome: "same", asked: "USDC", words: verb.span, confidence: 0.9, fix: "" },
    ]);
    expect(scope([portion(null, "USDC")], granted({ amount: zero }))[0]?.confidence).toBe(0.95);
  });

  const piece = (...ids: readonly bigint[]): AssetRef => ({ kind: "nft", collection: mallory, ids, span });
  const over = (id: bigint | null): Authority =>
    granted({ asset: nft(mallory, id), amount: { least: 1n, most: 1n } });
  test.each<[string, readonly Portion[], Authority, string, number]>([
    ["one piece", [{ asset: piece(7n), quantity: null }], over(7n), "same", 1],
    [
      "the collection where one piece was named",
      [{ asset: piece(7n), quantity: null }],
      over(null),
      "differs",
      1,
    ],
    ["the collection that was named", [{ asset: piece(), quantity: null }], over(null), "same", 0.85],
    ["the collection by its symbol", [{ asset: symbol("BAYC"), quantity: null }], over(null), "same", 0.85],
    ["nothing that was named", [], over(null), "same", 0.85],
    ["the number of the piece", [{ asset: piece(), quantity: exact("7") }], over(7n), "same", 1],
    ["one of them", [{ asset: piece(), quantity: exact("1") }], over(7n), "same", 1],
    ["one of an asset without a name", [portion("1", null)], over(7n), "same", 1],
    ["another number of an asset without a name", [portion("8", null)], over(7n), "differs", 1],
    ["another number", [{ asset: piece(), quantity: exact("8") }], over(7n), "differs", 1],
    [
      "half of the collection",
      [{ asset: piece(), quantity: { kind: "share", bps: 5000n, of: "balance", span } }],
      over(null),
      "cannot_tell",
      1,
    ],
    ["a number for the collection", [{ asset: piece(), quantity: exact("8") }], over(null), "differs", 1],
    [
      "about another number",
      [{ asset: piece(), quantity: { kind: "about", n: dec("8"), span } }],
      over(7n),
      "same",
      1,
    ],
  ])("of an NFT: %s", (...[, gives, authority, outcome, confidence]) => {
    expect(scope(gives, authority)).toMatchObject([{ outcome, confidence }]);
  });
  test("of a whole collection says so", () => {
    expect(scope([{ asset: piece(7n), quantity: null }], over(null))).toMatchObject([
      {
        does: "can take every token in the collection",
        fix: "Approve the one token instead of the whole collection.",
      },
    ]);
    expect(scope([{ asset: piece(), quantity: exact("8") }], over(7n))[0]?.fix).toMatch(/^Approve 8 .*\.$/u);
  });
  test("of an asset that the transaction does not name cannot be checked", () => {
    expect(scope([portion("5", "USDC")], granted({ asset: unsaid("") }))).toMatchObject([
      { outcome: "cannot_tell" },
    ]);
  });
});

describe("the end of an allowance", () => {
  const expiry = (deadline: Step["deadline"], until: bigint | null) =>
    compare({ ...five, deadline }, granted({ until })).slice(3);
  const within: Step["deadline"] = { kind: "within", seconds: 600n, span };
  const found = { slot: "scope", asked: "an allowance that ends", words: span, where, confidence: 1 };
  const fix = "Set an expiry within the requested time.";
  test.each<[string, Step["deadline"], bigint | null, object | null]>([
    ["in time", within, now + 600n, { ...found, outcome: "same", does: "it ends in time", fix: "" }],
    [
      "60 seconds late, as clocks differ",
      { kind: "until", unix: now + 600n, span },
      now + 660n,
      { ...found, outcome: "same", does: "it ends in time", fix: "" },
    ],
    [
      "61 seconds late",
      { kind: "until", unix: now + 600n, span },
      now + 661n,
      { ...found, outcome: "differs", does: "it ends later", fix },
    ],
    ["never", within, null, { ...found, outcome: "differs", does: "it never ends", fix }],
    ["unsaid", null, null, null],
  ])("%s", (_, deadline, until, expected) => {
    expect(expiry(deadline, until)).toEqual(expected === null ? [] : [expected]);
  });
});
