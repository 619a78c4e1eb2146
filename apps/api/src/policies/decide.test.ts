import { beforeAll, describe, expect, test } from "vitest";
import type { Move } from "../mandates/index.ts";
import { loadCedar, type Cedar } from "./cedar.ts";
import { checkPolicy, draftPolicy } from "./check.ts";
import { decide, type Decision } from "./decide.ts";
import { readPolicy } from "./rules.ts";
import { templates } from "./templates.ts";

let cedar: Cedar;
beforeAll(async () => {
  cedar = await loadCedar();
});

const shop = `eip155:1:0x${"5b".repeat(20)}`;
const usdc = `eip155:1/erc20:0x${"c0".repeat(20)}`;
const aMove = (more: Partial<Move> = {}): Move => ({
  ...{ act: "transfer", parties: [shop], amounts: [{ asset: usdc, units: 5_000_000n, decimals: 6 }] },
  uncountable: null,
  ...more,
});
const facts = {
  ...{ account: `0x${"ea".repeat(20)}`, agent: "key:1", chainId: 1, dayCount: 1, isSigned: false },
  isSignature: false,
  // A Tuesday.
  ...{ at: new Date("2026-11-17T10:00:00Z"), timeZone: "UTC", known: new Set([shop]), moves: [aMove()] },
};

const parsed = (text: string) => {
  const read = readPolicy(cedar, text);
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return draftPolicy(text, read.rules);
};
const outcomeOf = (text: string, more: Partial<Parameters<typeof decide>[2]> = {}): Decision =>
  decide(cedar, parsed(text), { ...facts, ...more });
const template = (name: string): string => templates.find(({ id }) => id === name)?.text ?? "";

const rule = (when: string, head = `@id("rule")\n@outcome("ask")`): string =>
  `${head}\nforbid (principal, action == Countersign::Action::"transfer", resource) when { ${when} };`;

describe("the starter rules", () => {
  test("new recipient: asks about one that was never paid, and names the rule", () => {
    expect(outcomeOf(template("new-recipient")).outcome).toBe("allow");
    expect(outcomeOf(template("new-recipient"), { known: new Set() })).toEqual({
      outcome: "ask",
      rules: [{ id: "new-recipient", reason: "New recipient" }],
      message: "New recipient",
    });
  });
  test("only these recipients: denies others, and says nothing about the account itself", () => {
    expect(outcomeOf(template("only-these-recipients"))).toMatchObject({ outcome: "deny" });
    expect(outcomeOf(template("only-these-recipients"), { moves: [aMove({ parties: [] })] })).toMatchObject({
      outcome: "allow",
    });
  });
  test("no unlimited approvals: denies an unlimited and a large one", () => {
    const approve = (units: bigint | null) =>
      aMove({
        act: "approve",
        ...(units === null
          ? { amounts: [], uncountable: "Its amount has no limit" }
          : { amounts: [{ asset: usdc, units, decimals: 6 }] }),
      });
    const outcomes = [1_000_000_000n, 1_000_000_001n, 2n ** 255n, null].map(
      (units) => outcomeOf(template("no-unlimited-approvals"), { moves: [approve(units)] }).outcome,
    );
    expect(outcomes).toEqual(["allow", "deny", "deny", "deny"]);
  });
  test("business hours: in the time zone of the policy", () => {
    const at = new Date("2026-11-20T17:30:00Z");
    expect(outcomeOf(template("business-hours"), { at }).outcome).toBe("allow");
    expect(outcomeOf(template("business-hours"), { at, timeZone: "Europe/Berlin" }).outcome).toBe("ask");
    expect(outcomeOf(template("business-hours"), { at: new Date("2026-11-21T12:00:00Z") }).outcome).toBe(
      "ask",
    );
  });
  test("travel lock: asks from its beginning until its end", () => {
    const during = ["2026-12-20T00:00:00Z", "2027-01-02T23:59:59Z"];
    for (const at of during)
      expect(outcomeOf(template("travel-lock"), { at: new Date(at) }).outcome).toBe("ask");
    expect(outcomeOf(template("travel-lock"), { at: new Date("2027-01-03T00:00:00Z") }).outcome).toBe(
      "allow",
    );
  });
  test("20 a day: asks about the 21st", () => {
    expect(outcomeOf(template("twenty-a-day"), { dayCount: 20 }).outcome).toBe("allow");
    expect(outcomeOf(template("twenty-a-day"), { dayCount: 21 }).outcome).toBe("ask");
  });
});

describe("dollars", () => {
  const above = template("above-1000-dollars");
  const price = (usd: bigint) => ({ prices: new Map([[usdc, { usd }]]) });
  const dollar = 10n ** 18n;
  test("are the worth of the whole transaction, rounded up", () => {
    expect(outcomeOf(above, price(200n * dollar)).outcome).toBe("allow");
    expect(outcomeOf(above, price(200n * dollar + 1n)).outcome).toBe("ask");
    const two = { moves: [aMove(), aMove()], ...price(101n * dollar) };
    expect(outcomeOf(above, two)).toMatchObject({ outcome: "ask", message: "More than 1,000 dollars" });
  });
  test("beyond what Cedar can count are the largest number", () => {
    expect(outcomeOf(above, price(2n ** 255n))).toMatchObject({ message: "More than 1,000 dollars" });
  });
  test("of one effect are its own", () => {
    const perEffect = rule(`context has usd && context.usd.greaterThan(decimal("600.0"))`);
    expect(outcomeOf(perEffect, { moves: [aMove(), aMove()], ...price(101n * dollar) }).outcome).toBe(
      "allow",
    );
    expect(outcomeOf(perEffect, price(121n * dollar)).outcome).toBe("ask");
  });
  test("are not known if one asset has no price or one amount cannot be counted", () => {
    for (const other of [
      aMove({ amounts: [{ asset: "eip155:1/native", units: 1n, decimals: 18 }] }),
      aMove({ uncountable: "Its amount has no limit" }),
    ])
      expect(outcomeOf(above, { moves: [aMove(), other], ...price(dollar) })).toMatchObject({
        outcome: "ask",
        message: "The rule above-1000-dollars needs a fact that is not known",
      });
  });
});

describe("the owner is asked", () => {
  test("if it is not known what the transaction does, or the schema has no name for it", () => {
    for (const moves of [undefined, [aMove({ act: "opaque" })]])
      expect(outcomeOf(template("twenty-a-day"), { moves })).toMatchObject({ outcome: "ask", rules: [] });
  });
  test("if a rule reads a price, because none is known", () => {
    const text = rule(`context has usd && context.usd.greaterThan(decimal("100.0"))`);
    expect(outcomeOf(text)).toMatchObject({
      outcome: "ask",
      message: "The rule rule needs a fact that is not known",
    });
  });
  test("if a rule fails, which Cedar alone would skip", () => {
    const text = rule("context.chain * 9223372036854775807 > 5 && context.chain + 9223372036854775807 > 5");
    expect(outcomeOf(text)).toMatchObject({
      outcome: "ask",
      message: "The rule rule could not be evaluated",
    });
  });
  test("if a signature allows an amount that is not known, unless a rule denies it", () => {
    const moves = [aMove({ amounts: [], uncountable: "Its amount is not known" })];
    const never = rule("context.chain == 5");
    expect(outcomeOf(never, { moves }).outcome).toBe("allow");
    expect(outcomeOf(never, { moves, isSignature: true })).toMatchObject({
      ...{ outcome: "ask", message: "Your policy cannot tell how much this signature allows" },
    });
    expect(outcomeOf(never, { isSignature: true }).outcome).toBe("allow");
    const deny = rule("true", `@id("deny")`);
    expect(outcomeOf(deny, { moves, isSignature: true }).outcome).toBe("deny");
  });
  test("not about facts that a rule for another act would read", () => {
    const swap = aMove({ act: "swap", parties: [], amounts: [], uncountable: "Its amount has no limit" });
    const text = rule("context has amount && context.amount.micro > 1");
    expect(outcomeOf(text, { moves: [swap] }).outcome).toBe("allow");
  });
});

test("a rule that denies wins over rules that ask, whatever their order", () => {
  const ask = rule("true", `@id("ask")\n@outcome("ask")`);
  const deny = rule("true", `@id("deny")\n@reason("Never")`);
  for (const text of [`${ask}\n${deny}`, `${deny}\n${ask}`])
    expect(outcomeOf(text)).toEqual({
      outcome: "deny",
      rules: [{ id: "deny", reason: "Never" }],
      message: "Never",
    });
});

test("each effect and each recipient is looked at", () => {
  const other = `eip155:1:0x${"0b".repeat(20)}`;
  const moves = [aMove(), aMove({ parties: [shop, other] })];
  expect(outcomeOf(template("new-recipient"), { moves }).outcome).toBe("ask");
});

test("amounts are rounded up to millionths, and saturate", () => {
  const text = rule("context has amount && context.amount.micro > 1");
  const of = (units: bigint, decimals: number) =>
    outcomeOf(text, { moves: [aMove({ amounts: [{ asset: usdc, units, decimals }] })] }).outcome;
  expect(of(10n ** 12n, 18)).toBe("allow");
  expect(of(10n ** 12n + 1n, 18)).toBe("ask");
  expect(of(2n ** 256n - 1n, 0)).toBe("ask");
});

describe("a policy is refused, with the position of the fault,", () => {
  const faultsOf = (text: string) => {
    const read = readPolicy(cedar, text);
    return "faults" in read ? read.faults : [];
  };
  test("if it does not parse", () => {
    expect(faultsOf(`// ä\n@id("a")\nforbid (principal, action, resource) when { ??? };`)).toMatchObject([
      { line: 3, column: expect.any(Number) as number },
    ]);
  });
  test("if it names a member that does not exist, after a line with characters of several bytes", () => {
    const [fault] = faultsOf(`// Größe\n${rule("context.amout.micro > 1")}`);
    expect(fault).toMatchObject({ line: 4 });
    expect(fault?.message).toContain("amout");
  });
  test.each([
    ["permits", `@id("a")\npermit (principal, action, resource);`, "only narrows"],
    ["has no id", "forbid (principal, action, resource);", "@id"],
    [
      "has an unknown outcome",
      `@id("a")\n@outcome("maybe")\nforbid (principal, action, resource);`,
      "@outcome",
    ],
    ["has an id twice", `${rule("true")}\n${rule("true")}`, "two rules"],
    ["has a slot", `@id("a")\nforbid (principal == ?principal, action, resource);`, ""],
  ])("if it %s", (_, text, message) => {
    expect(faultsOf(text)[0]?.message).toContain(message);
  });
});

test("the owner's tests run against a draft, and rules without a test are named", async () => {
  const effect = { act: "transfer", recipient: shop, units: "5", asset: usdc, decimals: 6 };
  const effects = [{ ...effect, byEffect: false }];
  const base = {
    agent: "key:1",
    chainId: 1,
    dayCount: 1,
    signed: false,
    at: "2026-11-17T10:00:00Z",
    effects,
  };
  const checked = await checkPolicy({
    ...{ account: facts.account, timeZone: "UTC" },
    text: template("new-recipient") + template("twenty-a-day"),
    tests: [
      { ...base, name: "known", known: [shop], expect: "allow" },
      { ...base, name: "new", known: [], expect: "ask", by: "new-recipient" },
      { ...base, name: "wrong", known: [], expect: "allow" },
    ],
  });
  expect(checked.tests.map(({ passed }) => passed)).toEqual([true, true, false]);
  expect(checked.untested).toEqual(["twenty-a-day"]);
});

test("more policies than Cedar keeps parsed are decided correctly", () => {
  const policyOf = (index: number) => {
    const [id, text] = [`r${index}`, rule("true", `@id("r${index}")`)];
    const about = { action: null, needs: [], readsByEffect: false } as const;
    return { key: id, rules: [{ id, outcome: "deny", reason: id, ...about, text }] } as const;
  };
  const ids = [...Array(260).keys(), 0].map((index) => decide(cedar, policyOf(index), facts).rules[0]?.id);
  expect(ids).toEqual([...Array(260).keys(), 0].map((index) => `r${index}`));
});
