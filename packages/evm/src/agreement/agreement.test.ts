import { describe, expect, test } from "vitest";
import type { Hex } from "@countersign/wire";
import { agree, cannotTell, readAgreement } from "./agreement.ts";
import { compareResults, maxDifferences } from "./compare-results.ts";
import { summarizeResult, type EngineResult } from "./engine-result.ts";

type Ran = Extract<EngineResult, { kind: "ran" }>;
const [alice, token] = [`0x${"aa".repeat(20)}`, `0x${"70".repeat(20)}`] as [Hex, Hex];
const word = (value: number): Hex => `0x${value.toString(16).padStart(64, "0")}`;
const about = { engine: "second 1.0", state: word(7) };

const aResult = (given: Partial<Ran> = {}): Ran => ({
  ...{ kind: "ran", succeeded: true, gasUsed: 52_000n },
  logs: [{ address: token, topics: [word(1), word(2)], data: word(100) }],
  balances: [{ address: alice, change: -5n }],
  slots: [{ address: token, slot: word(3), after: 100n }],
  codes: [],
  ...given,
});

describe("two results", () => {
  test("that are equal agree, with one hash", () => {
    const found = agree(about, aResult(), aResult());
    expect(found).toEqual({
      ...{ version: 1, ...about, result: "agree", second: summarizeResult(aResult()) },
    });
    expect(readAgreement(JSON.parse(JSON.stringify(found)))).toEqual(found);
    const nothing = { kind: "not executable" } as const;
    expect(agree(about, nothing, nothing).result).toBe("agree");
  });

  test.each<[string, EngineResult, readonly [what: string, first: string, second: string]]>([
    ["the status", aResult({ succeeded: false }), ["outcome", "succeeded", "reverted"]],
    ["one unit of gas", aResult({ gasUsed: 52_001n }), ["gas used", "52000", "52001"]],
    ["a missing log", aResult({ logs: [] }), ["logs", "1", "0"]],
    [
      "a balance",
      aResult({ balances: [{ address: alice, change: -6n }] }),
      [`balance of ${alice}`, "-5", "-6"],
    ],
    ["a missing balance", aResult({ balances: [] }), [`balance of ${alice}`, "-5", "none"]],
    [
      "a slot",
      aResult({ slots: [{ address: token, slot: word(3), after: 99n }] }),
      [`slot ${word(3)} of ${token}`, "0x64", "0x63"],
    ],
    [
      "a code",
      aResult({ codes: [{ address: token, after: word(9) }] }),
      [`code of ${token}`, "none", word(9)],
    ],
    ["whether it can be executed", { kind: "not executable" }, ["outcome", "succeeded", "not executable"]],
  ])("that differ in %s: both values are listed", (_, second, [what, left, right]) => {
    const found = agree(about, aResult(), second);
    expect(found).toMatchObject({ result: "differs", first: summarizeResult(aResult()) });
    expect(found).toMatchObject({ second: summarizeResult(second) });
    expect(compareResults(aResult(), second)).toContainEqual({ what, first: left, second: right });
    expect(readAgreement(JSON.parse(JSON.stringify(found)))).toEqual(found);
  });

  test.each<[string, Partial<Ran["logs"][number]>]>([
    ["address", { address: alice }],
    ["topic", { topics: [word(1), word(4)] }],
    ["data", { data: word(101) }],
  ])("that differ in the %s of a log", (_, given) => {
    const logs = aResult().logs.map((log) => ({ ...log, ...given }));
    expect(compareResults(aResult(), aResult({ logs })).map(({ what }) => what)).toEqual(["log 1"]);
  });

  test("that differ at the end of a long value show the end", () => {
    const withData = (end: string): Ran =>
      aResult({ logs: [{ address: token, topics: [], data: `0x${"00".repeat(500)}${end}` }] });
    const [found] = compareResults(withData("01"), withData("02"));
    expect([found?.first.at(-1), found?.second.at(-1)]).toEqual(["1", "2"]);
  });

  test("that differ in thousands of places fit into a request", () => {
    const slots = Array.from({ length: 5_000 }, (__, at) => ({ address: token, slot: word(at), after: 1n }));
    const found = agree(about, aResult(), aResult({ slots }));
    expect(found).toMatchObject({ differences: { length: maxDifferences } });
    expect(JSON.stringify(found).length).toBeLessThan(8_000);
    expect(readAgreement(found)).toEqual(found);
  });
});

describe("an answer", () => {
  test("of an engine that cannot tell has a reason in plain characters", () => {
    const found = cannotTell(about, `it reads ${"x".repeat(300)}\u0000\u202e`);
    expect(found).toMatchObject({
      result: "cannot",
      why: expect.stringMatching(/^it reads x{191}$/) as string,
    });
    expect(cannotTell(about, "a\u202eb\n")).toMatchObject({ why: "ab" });
    expect(readAgreement(found)).toEqual(found);
  });

  const whole = agree(about, aResult(), aResult({ gasUsed: 1n }));
  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["a word", "agree"],
    ["another version", { ...whole, version: 2 }],
    ["a member that is not known", { ...whole, hint: "approve" }],
    ["another result", { ...whole, result: "probably" }],
    ["differences without any", { ...whole, differences: [] }],
    ["a long reason", { ...cannotTell(about, "x"), why: "x".repeat(201) }],
    ["control characters", { ...cannotTell(about, "x"), why: "a\u202eb" }],
    ["no state", { ...cannotTell(about, "x"), state: "0x" }],
    ["agreement without a result", { version: 1, ...about, result: "agree" }],
  ])("of another form is not read: %s", (_, given) => {
    expect(readAgreement(given)).toBeUndefined();
  });
});
