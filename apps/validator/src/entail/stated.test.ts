/** Whether the request names a choice of the contract's caller, or something else of its kind. */
import { describe, expect, test } from "vitest";
import { namehash } from "viem/ens";
import { keccak256, stringToBytes } from "viem/utils";
import type { ChoiceKind } from "../choices.ts";
import type { Choice } from "../effects.ts";
import type { HardToken } from "../intent.ts";
import type { Address, Context } from "../proposal.ts";
import { findStated, poolFeeSpans, statedSpans } from "./stated.ts";
import { aWorld, anEffect, bob, mallory, usdc } from "../../test/entail.ts";
import type { World } from "./world.ts";

const where = { call: "proposed_tx", field: "x" };
const choice = (what: ChoiceKind, value: string): Choice => ({ what, value, known: false, where });
type Given = { readonly context?: Partial<Context>; readonly tokens?: readonly HardToken[] };
const worldOf = (words: string, { context = {}, tokens = [] }: Given = {}): World => {
  const world = aWorld([], [], { context, intent: { tokens } });
  return { ...world, proposal: { ...world.proposal, words } };
};
const kind = (what: ChoiceKind, value: string, words: string, given: Given = {}): string =>
  findStated(choice(what, value), worldOf(words, given)).kind;

/** One hex digit away. */
const almostMallory: Address = "0x6666666666666666666666666666666666666667";
const hash = keccak256(stringToBytes("a hash"));

describe("an address", () => {
  test("is found by its digits, with its place", () => {
    expect(findStated(choice("vault", mallory), worldOf(`into ${mallory}, now`))).toEqual({
      kind: "same",
      span: [5, 47],
      text: mallory,
    });
  });
  test("next to the noun of its kind is another if one digit differs", () => {
    const words = `use the VAULT  at ${almostMallory}`;
    expect(findStated(choice("vault", mallory), worldOf(words))).toEqual({
      kind: "other",
      span: [8, 8 + 10 + 42],
      text: `VAULT  at ${almostMallory}`,
    });
  });
  const known = [
    { address: mallory, label: "Rock Vault" },
    { address: bob, label: "Safe House" },
    { address: almostMallory, label: null },
  ];
  const names = new Map([
    ["rock.eth", mallory],
    ["bob.eth", bob],
  ]);
  test.each<[string, string, Given, string]>([
    ["one digit too long", `into ${mallory}6`, {}, "none"],
    ["with a letter before it", `into x${mallory}`, {}, "none"],
    ["of another vault after its noun", `vault ${almostMallory}`, {}, "other"],
    ["of another vault without the noun", `into ${almostMallory}`, {}, "none"],
    ["of both", `vault ${almostMallory} or vault ${mallory}`, {}, "same"],
    ["after a longer noun", `myvault ${almostMallory}`, {}, "none"],
    ["by its label", "into the rock vault", { context: { known } }, "same"],
    ["by a longer label", "into the rock vaults", { context: { known } }, "none"],
    ["by the label of another", "into the safe house", { context: { known } }, "none"],
    ["by a label that another lacks", "null", { context: { known } }, "none"],
    ["by its name", "into rock.eth", { context: { names } }, "same"],
    ["by the name of another", "into bob.eth", { context: { names } }, "none"],
  ])("%s", (_, words, given, expected) => {
    expect(kind("vault", mallory, words, given)).toBe(expected);
  });
  test("without a label of its own is not found by another's", () => {
    expect(kind("vault", almostMallory, "null", { context: { known } })).toBe("none");
    expect(kind("vault", almostMallory, "into the rock vault", { context: { known } })).toBe("none");
  });
  const said = (text: string, of: HardToken["kind"] = "asset"): HardToken => ({
    ...{ kind: of, text, span: [4, 8], slot: null },
  });
  test("of a well-known token is found by its symbol", () => {
    const world = worldOf("the uSDC market", { tokens: [said("WETH"), said("uSDC")] });
    expect(findStated(choice("market", usdc), world)).toEqual({ kind: "same", span: [4, 8], text: "uSDC" });
  });
  test.each<[string, Address, readonly HardToken[]]>([
    ["another symbol", usdc, [said("WETH")]],
    ["the same letters as something else", usdc, [said("USDC", "name")]],
    ["a symbol of an unknown token", mallory, [said("USDC")]],
  ])("is not found by %s", (_, of, tokens) => {
    expect(kind("market", of, "the USDC market", { tokens })).toBe("none");
  });
  test("of a token that is not well known is not found by its symbol", () => {
    const world = worldOf("the USDC market", { tokens: [said("USDC")] });
    const registry: World["registry"] = {
      ...world.registry,
      token: (chain, address) => ({ chain, address, symbol: "USDC", decimals: 6, core: false }),
    };
    expect(findStated(choice("market", usdc), { ...world, registry }).kind).toBe("none");
  });
});

describe("hex and texts", () => {
  test.each<[string, ChoiceKind, string, string, string]>([
    ["a hash", "code", hash, `run ${hash}`, "same"],
    ["a hash in upper case", "code", hash, `run ${hash.toUpperCase()}`, "same"],
    ["a hash with one digit more", "code", hash, `run ${hash}0`, "none"],
    ["a hash is not an address", "vault", hash, `vault ${mallory}`, "none"],
    ["a text that ends in an address is not one", "vault", `a${mallory}`, `vault ${bob}`, "none"],
    ["hex of ten characters", "code", "0x12345678", "run 0x12345678", "same"],
    ["hex of nine characters", "code", "0x1234567", "run 0x1234567", "none"],
    ["a text", "code", "turbo", "run Turbo!", "same"],
    ["a text in a longer word", "code", "turbo", "run turbos", "none"],
    ["a text after a longer word", "code", "turbo", "run myturbo", "none"],
    ["a text of two letters", "code", "ab", "run ab", "same"],
    ["a text of one letter", "code", "a", "run a", "none"],
    ["a text of one letter and spaces", "code", " a ", "run  a  b", "none"],
    ["a text with spaces around it", "code", " ab ", "run ab", "same"],
    ["a text with signs", "code", "v1.5+", "run v1.5+", "same"],
    ["a text with other signs", "code", "v1.5+", "run v1x55", "none"],
    ["a text that ends in digits", "proposal", "abc42", "proposal abc42", "same"],
    ["a text that starts with digits", "proposal", "42abc", "proposal 42abc", "same"],
  ])("%s", (...[, what, value, words, expected]) => {
    expect(kind(what, value, words)).toBe(expected);
  });
});

describe("an id", () => {
  test.each<[ChoiceKind, readonly string[]]>([
    ["order", ["order", "offer"]],
    ["request", ["request", "withdrawal", "claim", "ticket"]],
    ["position", ["position", "nft", "token", "id", "lp"]],
    ["proposal", ["proposal", "proposition", "prop", "poll"]],
    ["weight", ["weight", "votes", "power"]],
    ["shares", ["share", "shares"]],
    ["setting", ["category", "mode", "setting", "value", "number"]],
    ["module_type", ["type", "module"]],
    ["operator", ["validator", "operator", "id"]],
    ["role", ["role"]],
  ])("of the kind %s counts next to its nouns", (what, nouns) => {
    for (const noun of nouns) {
      expect(kind(what, "42", `${noun} 42`)).toBe("same");
      expect(kind(what, "42", `${noun} 43`)).toBe("other");
      expect(kind(what, "42", `42 ${noun}`)).toBe("same");
      expect(kind(what, "42", `42 ${noun}x`)).toBe("none");
    }
    expect(kind(what, "42", "send 42 to Bob")).toBe("none");
  });
  test.each<[string, string]>([
    ["proposal number 1,000", "same"],
    ["proposal no. 1'000", "same"],
    ["proposal id: #1000", "same"],
    ["proposal = 1_000", "same"],
    ["#1000 proposal", "same"],
    ["proposal 1001", "other"],
    ["proposal 10", "other"],
    ["proposal 1000.5", "none"],
    ["proposal 1000a", "none"],
    ["myproposal 1000", "none"],
  ])("1000 in “%s”: %s", (words, expected) => {
    expect(kind("proposal", "1000", words)).toBe(expected);
  });
  test("of a kind without a noun is not found", () => {
    expect(kind("vault", "42", "vault 42")).toBe("none");
    expect(kind("vault", "42", "undefined 42")).toBe("none");
  });
});

describe("a vote", () => {
  test.each<[string, string, string]>([
    ["for", "Vote, on proposal 3, yes", "same"],
    ["for", "cast it in favor", "same"],
    ["for", "cast it in favour", "same"],
    ["for", "voting aye", "same"],
    ["for", "support it", "same"],
    ["for", `vote ${"x".repeat(38)} for`, "same"],
    ["for", `vote ${"x".repeat(39)} for`, "none"],
    ["against", "Vote, on proposal 3, no", "same"],
    ["against", "oppose it", "same"],
    ["against", `vote ${"x".repeat(38)} against`, "same"],
    ["against", `vote ${"x".repeat(39)} against`, "none"],
    ["against", "vote nothing", "none"],
    ["abstain", "abstaining", "same"],
    ["abstain", "vote for it", "other"],
    ["for", "abstain or vote yes", "none"],
  ])("%s in “%s”: %s", (value, words, expected) => {
    expect(kind("vote", value, words)).toBe(expected);
  });
});

test("a rate of two kinds is unclear", () => {
  expect(kind("rate", "stable", "a stable rate or a variable rate")).toBe("unclear");
  expect(kind("rate", "stable", "a stable rate, a fixed rate")).toBe("same");
});

describe("a duration", () => {
  const counts = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
  test.each([...counts.entries()])("of %i days is “%s days”", (count, word) => {
    expect(kind("duration", String(count * 86_400), `for ${word} days`)).toBe("same");
    expect(kind("duration", String(count * 86_400 + 1), `for ${word.toUpperCase()} DAYS`)).toBe("other");
  });
  test.each<[string, number]>([
    ["12 hours", 43_200],
    ["an hour", 3_600],
    ["a week", 604_800],
    ["90 seconds", 90],
    ["3-minute", 180],
    ["2 months", 5_184_000],
  ])("“%s” is %i seconds", (words, seconds) => {
    expect(kind("duration", String(seconds), `for ${words}`)).toBe("same");
    expect(kind("duration", String(seconds + 1), `for ${words}`)).toBe("other");
  });
});

test.each(["some days", "for days", "twenty days", "-days"])("“%s” is not a duration", (words) => {
  expect(kind("duration", "172800", words)).toBe("none");
});

describe("a pool", () => {
  test.each<[string, string, string]>([
    ["1% fee", "the 1% pool", "same"],
    ["1% fee", "the 10% pool", "other"],
    ["12.5% fee", "the 12.5%  fee  tier", "same"],
    ["0.3% fee", "the 0.3%fee pool", "same"],
    ["0.3% fee", "the 0.3 % pool", "same"],
    ["0.3% fee with tick spacing 11", "the 0.3% pool", "none"],
    ["0.3% fee with tick spacing 11", "the 1% pool", "other"],
    ["0.3% fee, 0.05% fee", "the 0.05% pool", "same"],
    ["0.3% fee, 0.05% fee", "the 0.3% pool", "same"],
    ["0.3% fee, 0.05% fee", "the 0.5% pool", "other"],
    ["0.3% fee", "fee 0.3 %", "same"],
    ["0.3% fee", "fee  tier: 0.3%", "same"],
    ["0.3% fee", "fee:0.3%", "same"],
    ["0.3% fee", "fee=  0.3%", "same"],
    ["3% fee", "fee of 3%", "same"],
    ["3% fee", "fee of 33%", "other"],
    ["13% fee", "fee of 13%", "same"],
    ["0.01% fee", "the 0,01% pool", "same"],
    ["0.01% fee", "a fee of 0,01 %", "same"],
    ["1% fee", "the 0,01% pool", "other"],
    ["1% fee", "the 0,1% pool", "other"],
    ["about 0.3% fee", "the 0.3% pool", "none"],
    ["stable pool", "the stable  USDC/DAI  pool", "same"],
    ["volatile pool", "the Volatile pool", "same"],
    ["volatile pool", "the stable pool", "other"],
    ["3pool", "the stable pool", "none"],
    ["3pool", "the 3pool", "same"],
    ["my stable pool", "the volatile pool", "none"],
    ["stable pool 2", "the volatile pool", "none"],
  ])("“%s” in “%s”: %s", (value, words, expected) => {
    expect(kind("pool", value, words)).toBe(expected);
  });
});

test("a pool's fee is shown with all its words", () => {
  expect(findStated(choice("pool", "1% fee"), worldOf("to the 0.3%  fee  tier now"))).toEqual({
    kind: "other",
    span: [7, 22],
    text: "0.3%  fee  tier",
  });
});

test("a pool's address is found like any other", () => {
  expect(kind("pool", mallory, `pool ${almostMallory}`)).toBe("other");
  expect(kind("pool", mallory, `pool ${mallory}`)).toBe("same");
});

describe("a name", () => {
  const labelHash = (label: string): string => keccak256(stringToBytes(label));
  test.each<[string, string, string]>([
    [namehash("vitalik.eth"), "point vitalik.eth to Bob", "same"],
    [namehash("vitalik.eth"), "point Vitalik.ETH to Bob", "same"],
    [namehash("vitalik.eth"), "point vitalic.eth to Bob", "other"],
    [namehash("pay-1.vitalik.eth"), "point pay-1.vitalik.eth to Bob", "same"],
    [namehash("pay-1.vitalik.eth"), "point vitalik.eth to Bob", "other"],
    [namehash("a.pay-1.vitalik.eth"), "point a.pay-1.vitalik.eth to Bob", "same"],
    [namehash("vitalik.eth"), "point pay-1.vitalik.eth to Bob", "other"],
    [labelHash("vitalik"), "renew vitalik.eth", "same"],
    [labelHash("pay"), "renew pay.vitalik.eth", "same"],
    [labelHash("vitalik"), "renew pay.vitalik.eth", "other"],
    ["Bob.eth", "renew BOB.eth", "same"],
    ["bob.eth", "renew bop.eth", "other"],
    ["bob.eth", "renew bob.ethx", "none"],
    [namehash("vitalik.eth"), "point ..eth to Bob", "none"],
  ])("%s in “%s”: %s", (value, words, expected) => {
    expect(kind("name", value, words)).toBe(expected);
  });
});

describe("a role", () => {
  const role = (name: string): string => keccak256(stringToBytes(name));
  const root = `0x${"0".repeat(64)}`;
  test.each<[string, string, string, string]>([
    ["by its identifier", role("MINTER_ROLE"), "grant MINTER_ROLE", "same"],
    ["in words", role("MINTER_ROLE"), "Give Bob the minter role", "same"],
    ["of two words", role("URI_SETTER_ROLE"), "the uri setter role", "same"],
    ["of two words as an identifier", role("URI_SETTER_ROLE"), "grant URI_SETTER_ROLE", "same"],
    ["of three words", role("A_BIG_MINTER_ROLE"), "the a big minter role", "same"],
    ["by its hash", role("MINTER_ROLE"), `grant ${role("MINTER_ROLE")}`, "same"],
    ["another", role("MINTER_ROLE"), "the burner role", "other"],
    ["a longer identifier", role("MINTER_ROLE"), "grant CHIEF_MINTER_ROLE", "other"],
    ["the root by its identifier", root, "grant DEFAULT_ADMIN_ROLE", "same"],
    ["the root in words", root, "the default admin role", "same"],
    ["the root as the admin's", root, "Give Bob the admin role", "same"],
    ["the root as the admin's after the verb", root, "Grant admin role to Bob", "same"],
    ["the root as the admin's, first", root, "admin role for Bob", "same"],
    ["the root for an identifier of its own", root, "grant ADMIN_ROLE", "other"],
    ["the root for another admin's identifier", root, "grant MINTER_ADMIN_ROLE", "other"],
    ["the root for another admin in words", root, "Give Bob the minter admin role", "none"],
    ["the root for another role", root, "the minter role", "other"],
    ["another than the root", role("MINTER_ROLE"), "the admin role", "other"],
    ["its own for an identifier", role("ADMIN_ROLE"), "grant ADMIN_ROLE", "same"],
    ["a hash that ends in a digit, and a number", `0x${"a".repeat(63)}5`, "role 5", "none"],
    ["a value that starts with a digit, and a number", "5a", "role 6", "none"],
  ])("%s", (...[, value, words, expected]) => {
    expect(kind("role", value, words)).toBe(expected);
  });
});

describe("one request", () => {
  test("is searched once for the same choice, and again for another", () => {
    let times = 0;
    const world = worldOf(`vault ${mallory}`);
    const registry: World["registry"] = {
      ...world.registry,
      token: () => {
        times += 1;
        return null;
      },
    };
    const counting = { ...world, registry };
    const found = findStated(choice("vault", mallory), counting);
    expect(findStated(choice("vault", mallory), counting)).toBe(found);
    expect(times).toBe(1);
    expect(findStated(choice("vault", bob), counting).kind).toBe("other");
    expect(findStated(choice("market", mallory), counting).kind).toBe("same");
    expect(times).toBe(3);
  });
  test("names those of the caller's choices that it states, each once", () => {
    const choices = [choice("proposal", "42"), choice("vault", mallory), choice("proposal", "7")];
    const effects = [anEffect({ choices }), anEffect({ choices: [choice("proposal", "42")] })];
    const plain = worldOf(`proposal 42, vault ${mallory}`);
    const world = { ...plain, reading: { ...plain.reading, effects } };
    expect(statedSpans(world)).toEqual([
      [0, 11],
      [19, 61],
    ]);
    expect(statedSpans(world)).toBe(statedSpans(world));
  });
  test("names none if the caller chose nothing", () => {
    expect(statedSpans(worldOf("proposal 42"))).toEqual([]);
  });
});

test("pool fees are found at their places", () => {
  const words = "the 0.3% pool, not the fee tier of 1%";
  expect(poolFeeSpans(words).map((span) => words.slice(...span))).toEqual(["0.3% pool", "fee tier of 1%"]);
});
