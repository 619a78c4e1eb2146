import { beforeAll, describe, expect, test } from "vitest";
import { loadCedar, type Cedar } from "../cedar.ts";
import { checkPolicy } from "../check.ts";
import { readPolicy } from "../rules.ts";
import { invariantSchemaText } from "../schema.ts";
import { templates } from "../templates.ts";
import { PolicyTest } from "../tests.ts";
import { findCounterexamples, type Result } from "./find.ts";
import { builtInInvariants } from "./invariants.ts";
import { loadInvariantSchema } from "./replay.ts";

let cedar: Cedar;
beforeAll(async () => {
  cedar = await loadCedar();
  loadInvariantSchema(cedar);
});

const account = `0x${"ea".repeat(20)}`;
const usedMs = (): number => performance.now();
const budget = { most: 200_000, searchMs: 20_000, usedMs };

const find = (text: string, invariants: readonly string[], more: Partial<typeof budget> = {}) =>
  findCounterexamples(
    cedar,
    { account, text, timeZone: "Europe/Berlin", invariants },
    { ...budget, ...more },
  );

function resultOf(text: string, invariant: string, more: Partial<typeof budget> = {}): Result {
  const found = find(text, [invariant], more);
  const [first] = "results" in found ? found.results : [];
  if (first === undefined) throw new Error(JSON.stringify(found));
  return first;
}
const builtIn = (id: string): string => builtInInvariants.find((one) => one.id === id)?.text ?? "";
const rule = (condition: string, head = "principal, action, resource", id = "rule"): string =>
  `@id("${id}")\n@outcome("ask")\nforbid (${head})\n${condition};\n`;
const onMoves = 'principal, action in Countersign::Action::"move", resource';
const onWhole = 'principal, action == Countersign::Action::"execute", resource';
const template = (name: string): string => templates.find(({ id }) => id === name)?.text ?? "";

describe("the built-in invariants", () => {
  test.each(builtInInvariants)("$id is valid, and an empty policy breaks it", async ({ text, title }) => {
    expect(readPolicy(cedar, text, invariantSchemaText)).toHaveProperty("rules");
    expect(resultOf("", text)).toMatchObject({ outcome: "broken", title });
  });
  test("hold under a policy that asks about everything", () => {
    const found = find(
      rule("when { true }"),
      builtInInvariants.map(({ text }) => text),
    );
    const results = "results" in found ? found.results : [];
    expect(results.map(({ outcome, vacuous }) => [outcome, vacuous])).toEqual(
      builtInInvariants.map(() => ["none", false]),
    );
  });
});

describe("a counterexample", () => {
  test("is the smallest amount that breaks the invariant, in words", () => {
    const { counterexample } = resultOf("", builtIn("new-recipient-payment"));
    expect(counterexample?.description).toBe(
      "A transfer of 1,000.000001 tokens to eip155:1:0x1111111111111111111111111111111111111111, an address that was never paid.",
    );
  });
  test("is a test of the policy that fails until the policy asks", async () => {
    const { counterexample } = resultOf(template("business-hours"), builtIn("new-recipient-payment"));
    const tests = [PolicyTest.parse(counterexample?.test)];
    const check = (text: string) => checkPolicy({ account, text, timeZone: "Europe/Berlin", tests });
    expect((await check(template("business-hours"))).tests).toMatchObject([
      { passed: false, outcome: "allow" },
    ]);
    expect((await check(template("new-recipient"))).tests).toMatchObject([{ passed: true, outcome: "ask" }]);
  });
  test("finds the hour that business hours leave open", () => {
    const evening = rule("when { context.clock.hour >= 17 && context.clock.weekday <= 5 }", onWhole);
    expect(resultOf(template("business-hours"), evening)).toMatchObject({
      outcome: "broken",
      counterexample: { test: { at: "2026-01-06T16:00:00.000Z" } },
    });
    const night = rule("when { context.clock.hour >= 18 }", onWhole);
    expect(resultOf(template("business-hours"), night)).toMatchObject({ outcome: "none" });
  });
  test("adds up the payments of a day, each of which the policy lets pass", () => {
    const small = rule("when { context has amount && context.amount.micro > 100000000 }", onMoves);
    const { counterexample } = resultOf(small, builtIn("new-recipient-day"));
    expect(counterexample?.test).toMatchObject({
      dayCount: 11,
      effects: [{ units: "99999999", decimals: 6 }],
    });
    const few = `${small}${rule("when { context.day.count > 10 }", onWhole, "few")}`;
    expect(resultOf(few, builtIn("new-recipient-day"))).toMatchObject({ outcome: "none" });
  });
  test("does not count payments that the policy would have asked about", () => {
    // It asks about the second to the fifth, so a day of six equal payments does not come about without the owner.
    const gap = rule("when { context.day.count >= 2 && context.day.count <= 5 }", onWhole);
    const small = rule("when { context has amount && context.amount.micro > 200000000 }", onMoves, "small");
    expect(resultOf(`${gap}${small}`, builtIn("new-recipient-day"))).toMatchObject({ outcome: "none" });
  });
  test("counts dollars as the policy does, at a price that comes with the test", () => {
    const most = (dollars: string) =>
      rule(`when { context has usd && context.usd.greaterThan(decimal("${dollars}")) }`, onWhole);
    const invariant = rule('when { context.usd.greaterThan(decimal("100.0")) }', onWhole, "hundred");
    expect(resultOf(most("100.0"), invariant)).toMatchObject({ outcome: "none" });
    const { outcome, counterexample } = resultOf(most("100.0001"), invariant);
    expect([outcome, counterexample?.test.effects]).toEqual([
      "broken",
      [expect.objectContaining({ units: "1000000", price: "100.0001" }) as object],
    ]);
  });
  test("shows that a policy without rules about dollars lets them pass", () => {
    const { counterexample } = resultOf(template("no-unlimited-approvals"), builtIn("new-recipient-day-usd"));
    expect(counterexample?.description).toContain("worth 1,000.0001 USD");
  });
  test("respects that the owner is asked where a fact is missing", () => {
    const inDollars = rule('when { context has usd && context.usd.greaterThan(decimal("5.0")) }', onMoves);
    const unpriced = rule('when { context.usd == decimal("0.0") && context has amount }', onMoves);
    expect(resultOf(inDollars, unpriced)).toMatchObject({ outcome: "none", vacuous: false });
    const known = rule("when { context has amount && context.amount.micro > 5 }", onMoves);
    const unknown = rule("unless { context has amount }", onMoves);
    expect(resultOf(known, unknown)).toMatchObject({ outcome: "none" });
  });
  test("uses the named agent, recipient, asset and chain", () => {
    const shop = `eip155:10:0x${"5b".repeat(20)}`;
    const usdc = `eip155:10/erc20:0x${"c0".repeat(20)}`;
    const invariant = rule(
      `when { context has asset && context.asset == "${usdc}" && context.chain == 10 }`,
      `principal == Countersign::Agent::"key:7", action == Countersign::Action::"swap", resource == Countersign::Recipient::"${shop}"`,
    );
    expect(resultOf("", invariant).counterexample?.test).toMatchObject({
      ...{ agent: "key:7", chainId: 10 },
      effects: [{ act: "swap", recipient: shop, asset: usdc }],
    });
  });
  test("finds an asset for a pattern, and several effects", () => {
    const invariant = rule(
      'when { context has asset && context.asset like "eip155:5/erc20:*" && context.effects > 2 }',
      onMoves,
    );
    const { test: found } = resultOf("", invariant).counterexample ?? {};
    expect(found?.effects).toHaveLength(3);
    expect(found?.effects[0]?.asset).toMatch(/^eip155:5\/erc20:0x/);
  });
  test("leaves out what no transaction is: a recipient on another chain, except for a bridge", () => {
    const shop = `eip155:10:0x${"5b".repeat(20)}`;
    const head = (act: string) =>
      `principal, action == Countersign::Action::"${act}", resource == Countersign::Recipient::"${shop}"`;
    expect(resultOf("", rule("when { context.chain == 1 }", head("transfer")))).toMatchObject({
      ...{ outcome: "none", vacuous: true },
    });
    expect(resultOf("", rule("when { context.chain == 1 }", head("bridge")))).toMatchObject({
      outcome: "broken",
      counterexample: { description: expect.stringContaining("on another chain") as string },
    });
  });
  test("distinguishes a recipient in capitals from the one that transactions have", () => {
    const written = `eip155:1:0x${"5B".repeat(20)}`;
    const policy = rule(
      "when { true }",
      `principal, action, resource == Countersign::Recipient::"${written}"`,
    );
    expect(resultOf(policy, rule("when { !context.recipient.known }", onMoves)).outcome).toBe("broken");
  });
});

describe("the bounds", () => {
  test("state the values of each fact, and what was not varied", () => {
    const { bounds } = resultOf(template("new-recipient"), builtIn("new-recipient-payment"));
    const amount = bounds?.facts.find(({ fact }) => fact === "amount");
    expect(amount).toEqual({
      ...{ fact: "amount", count: 6 },
      values: [
        ...["1 token", "999.999999 tokens", "1,000 tokens", "1,000.000001 tokens"],
        ...["an unlimited amount", "an amount that is not known"],
      ],
    });
    expect(bounds?.notVaried).toContain("clock");
    expect(BigInt(bounds?.combinations ?? 0)).toBeGreaterThan(BigInt(bounds?.tried ?? 0));
  });
  test("stop a search, which says so", () => {
    expect(resultOf("", builtIn("night"), { most: 3 })).toMatchObject({ outcome: "stopped", vacuous: false });
    expect(resultOf("", builtIn("night"), { searchMs: -1, most: 1e6 }).outcome).not.toBe("none");
  });
  test("leave out a rule that the search does not evaluate, by name", () => {
    const odd = rule('when { ip("10.0.0.1").isLoopback() }', onWhole, "odd");
    const expected = {
      outcome: "not-searched",
      reason: expect.stringContaining("The rule odd uses") as string,
    };
    expect(resultOf(odd, builtIn("night"))).toMatchObject(expected);
    expect(resultOf("", odd)).toMatchObject(expected);
  });
});

test("faults of the policy and of an invariant are told apart", () => {
  expect(find("permit", [])).toMatchObject({ of: "policy", faults: [{ line: 1 }] });
  expect(find("", [rule("when { context.nothing }")])).toMatchObject({ of: "invariants" });
  const many = Array.from({ length: 21 }, (_, index) =>
    rule("when { context.chain == 1 }", onMoves, `r-${index}`),
  );
  expect(find("", [many.join("\n")])).toMatchObject({ faults: [{ message: "At most 20 invariants" }] });
});
