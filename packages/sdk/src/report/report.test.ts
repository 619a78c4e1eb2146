import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeEffect, describeNet, placeInData, readReport, type ReadReport } from "./index.ts";
import { aReport, safeReport } from "../../test/report.ts";

const read = (value: unknown): ReadReport => {
  const report = readReport(value);
  if (report === undefined) throw new Error("it is no report");
  return report;
};

describe("readReport", () => {
  test.each([null, 1, "PASS", [], {}, { decision: "PASS" }, { decision: "MAYBE", results: {} }])(
    "returns undefined for %j",
    (value) => {
      expect(readReport(value)).toBeUndefined();
    },
  );

  test("reads a report that contains only a decision", () => {
    expect(read({ decision: "PASS", results: {} })).toEqual({
      ...{ outcome: "matches", headline: "Matches what you asked", assessment: null },
      ...{ decision: "PASS", reason: "", summary: "", confidence: null, chain: null, protocol: null },
      ...{ issues: [], checks: [], notChecked: [], tokens: "", effects: [], calls: [], limit: null },
      state: null,
      described: null,
      net: { leaves: [], arrives: [], others: [], authority: [], control: [] },
    });
  });

  test.each<[unknown, string | null]>([
    [["Send 1 ETH to 0x1.", "Claim rewards."], "Send 1 ETH to 0x1. Claim rewards."],
    [["Send 1 ETH to 0x1.", 5], null],
    [[], null],
    [null, null],
    ["Send 1 ETH to 0x1.", null],
  ])("reads the description %j as a whole", (described, text) => {
    expect(read({ decision: "PASS", results: {}, context: { described } }).described).toBe(text);
  });

  test("never throws", () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (context, explanation, result) => {
        const report = { decision: "REJECT", context, explanation, results: { a: result } };
        expect(describeNet(read(report).net)).toBeInstanceOf(Array);
      }),
    );
  });

  test("applies the text option to every text", () => {
    const turn = "\u202e";
    const bent = (value: unknown): unknown =>
      typeof value === "string"
        ? `${value}${turn}`
        : Array.isArray(value)
          ? value.map(bent)
          : typeof value === "object" && value !== null
            ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, bent(member)]))
            : value;
    for (const { decision, results, ...report } of [aReport, safeReport]) {
      const nodes = Object.entries(results).map(([node, result]) => [`${node}${turn}`, bent(result)]);
      const whole = { ...(bent(report) as object), decision, results: Object.fromEntries(nodes) as unknown };
      expect(JSON.stringify(readReport(whole)).split(turn).length).toBeGreaterThan(20);
      const text = (said: string): string => said.replaceAll(turn, "<U+202E>");
      expect(JSON.stringify(readReport(whole, { text }))).not.toContain(turn);
    }
  });
});

describe("the outcome of a report", () => {
  test.each([
    ["entailed", "PASS", "a.b", "matches"],
    ["not_checked", "PASS", "a.b", "unverified"],
    ["not_checked", "REJECT", "a.b", "unverified"],
    ["not_understood", "REJECT", "a.b", "unverified"],
    ["contradicted", "REJECT", "a.b", "differs"],
    ["not_checked", "REJECT", "x.y", "differs"],
    ["entailed", "REJECT", "x.y", "differs"],
    ["not_checked", "REJECT", "missing.check", "differs"],
  ])("%s and %s, decided by %s, is %s", (kind, decision, primary, outcome) => {
    const results = { "a.b": { status: "SKIP" }, "x.y": { status: "FAIL" } };
    const assessment = { kind, missing: [{ what: "fair_return", why: "No price." }] };
    const report = read({ decision, results, assessment, primary_failure_node: primary });
    expect(report.outcome).toBe(outcome);
    expect(report.assessment).toEqual({ ...assessment, unread: [], restated: "", byEffect: null });
  });

  test("of an older report follows from its decision and its unfinished checks", () => {
    expect(read(aReport).outcome).toBe("differs");
    expect(read({ decision: "REJECT", results: {} }).outcome).toBe("differs");
    const key_issues = [{ node: "legal_compliance.scam_listed", reasoning: "No list." }];
    expect(read({ ...aReport, explanation: { key_issues } }).outcome).toBe("unverified");
    expect(read({ ...aReport, assessment: { kind: "guessed" } }).assessment).toBeNull();
    const block = { number: "24000000", hash: "0x01" };
    const measured = { kind: "entailed", by_effect: { contract: "0xc0", block } };
    expect(read({ ...aReport, assessment: measured }).assessment).toMatchObject({
      byEffect: { contract: "0xc0", block: "24000000" },
    });
  });

  test("is a block, not a difference, if no check of the request failed", () => {
    expect(read(aReport).headline).toBe("Differs from what you asked");
    const key_issues = [{ node: "legal_compliance.scam_listed", reasoning: "Listed." }];
    const results = { "legal_compliance.scam_listed": { status: "FAIL" } };
    expect(read({ ...aReport, results, explanation: { key_issues } }).headline).toBe("Blocked for safety");
  });
});

describe("the checks of a report", () => {
  test("are passed, failed, unchecked or idle", () => {
    expect(read(aReport).checks.map(({ family, name, state }) => [family, name, state])).toEqual([
      ["intent_alignment", "recipient_match", "failed"],
      ["intent_alignment", "action_match", "passed"],
      ["legal_compliance", "scam_listed", "unchecked"],
      ["legal_compliance", "jurisdiction_policy", "unchecked"],
      ["technical_invariants", "fee_cap", "idle"],
    ]);
  });

  test("have a fix only if they failed", () => {
    expect(read(aReport).checks.map(({ fix }) => fix)).toEqual([
      "Send it to bob.",
      ...[null, null, null, null],
    ]);
  });

  test("point into the request and the calldata", () => {
    expect(read(aReport).checks[0]).toMatchObject({
      words: { from: 17, to: 20, text: "“bob”" },
      where: { call: "proposed_tx", field: "to", bytes: [4, 36] },
    });
  });

  test("replace a missing explanation", () => {
    expect(read({ ...aReport, explanation: null }).issues).toMatchObject([
      {
        ...{ node: "intent_alignment.recipient_match", family: "intent_alignment", severity: "critical" },
        ...{ expected: "bob", actual: "mallory", fix: "Send it to bob.", isOpen: false },
        words: { from: 17, to: 20 },
      },
    ]);
  });

  test("are open if they were required and could not run", () => {
    const key_issues = [{ node: "legal_compliance.scam_listed", reasoning: "No list." }];
    expect(read({ ...aReport, explanation: { key_issues } }).issues).toMatchObject([
      { title: "legal_compliance.scam_listed", isOpen: true, severity: "unknown severity" },
    ]);
  });
});

describe("effects", () => {
  test("are described as sentences", () => {
    const { effects, net } = read(safeReport);
    expect(effects.map(({ sentence }) => sentence)).toEqual([
      "transfer 5 USDC to 0xbob",
      "approve: 0xmallory may take unlimited USDC, until 1800000000 (Unix seconds)",
      "calls 0xcode, and what that does cannot be read",
      "changes who is in control (add_owner), in favour of no one",
      "swap at most 1 ETH for at least 100 USDC to your wallet on uniswap_v3 (a contract that is not known)",
    ]);
    for (const effect of effects) expect(describeEffect(effect)).toBe(effect.sentence);
    expect(describeNet(net)).toEqual([
      ["leaves", "5 USDC"],
      ["arrives", "at least 100 USDC"],
      ["goes", "5 USDC to 0xbob"],
      ["remains", "0xmallory may take unlimited USDC, by a signature"],
      ["control", "changes who is in control (add_owner), in favour of 0xmallory"],
    ]);
    expect(net.leaves[0]?.usd).toBe("5.00");
  });

  test("are attached to their call", () => {
    const [safe] = read(safeReport).calls;
    expect(safe).toMatchObject({ call: "proposed_tx", isKnown: true, isDelegate: false, effects: [] });
    expect(safe?.children).toMatchObject([{ call: "proposed_tx/0", isDelegate: true, value: "0" }]);
    expect(safe?.children[0]?.children.map(({ call, effects }) => [call, effects.length])).toEqual([
      ["proposed_tx/0/0", 1],
      ["proposed_tx/0/1", 1],
    ]);
  });

  test("have the names that the operator's files give to a call that is not known", () => {
    const named = {
      ...{ contract: "Vault", function: "stake", intent: null, source: "a file", as_of: "2026-11-19" },
      arguments: [{ name: "amount", type: "uint256", label: "Amount", value: "5" }, "x", { label: "x" }],
    };
    const nameOf = (call: object) => read({ ...aReport, context: { calls: [call] } }).calls[0]?.named;
    expect(nameOf({ call: "x", known: false, named })).toEqual({
      ...{ contract: "Vault", function: "stake", intent: null, source: "a file", asOf: "2026-11-19" },
      arguments: [{ name: "amount", label: "Amount", value: "5" }],
    });
    for (const call of [{ known: true, named }, { known: false }, { named: "x" }, { named: {} }])
      expect(nameOf({ call: "x", ...call })).toBeNull();
  });

  test("are read up to the depth limit", () => {
    let call: unknown = { call: "x" };
    for (let depth = 0; depth < 10_000; depth += 1) call = { call: "x", calls: [call] };
    expect(read({ ...aReport, context: { calls: [call] } }).calls).toHaveLength(1);
  });
});

describe("placeInData", () => {
  const report = read(safeReport);
  test.each([
    ["of the outermost call", "proposed_tx", [4, 36], [4, 36]],
    ["of a call inside of it", "proposed_tx/0/0", [4, 36], [304, 336]],
    ["of a call that does not stand in it", "proposed_tx/0/1", [4, 36], null],
    ["of a call that is not there", "proposed_tx/7", [4, 36], null],
    ["that leaves its call", "proposed_tx/0/0", [4, 69], null],
  ] as const)("%s", (_, call, bytes, found) => {
    expect(placeInData(report, { call, field: "to", bytes })).toEqual(found);
  });

  test("uses the call's own range if the report lists no calls", () => {
    const place = { call: "proposed_tx", field: "to", bytes: [4, 36] } as const;
    expect(placeInData(read(aReport), place)).toEqual([4, 36]);
    expect(placeInData(read(aReport), { ...place, call: "proposed_tx/0" })).toBeNull();
    expect(placeInData(report, { ...place, bytes: null })).toBeNull();
  });
});
