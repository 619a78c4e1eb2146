import fc from "fast-check";
import { readReport } from "@countersign/sdk/report";
import { describe, expect, test } from "vitest";
import { addressesInPlay, lookAlikes, splitAddresses } from "./addresses.ts";
import { confidenceText, groupChecks } from "./checks.ts";
import { differencesOf } from "./differences.ts";
import { digestsOf } from "./digests.ts";
import {
  amountOf,
  coinAmount,
  controlOf,
  isPartlyUnread,
  powerOf,
  untilOf,
  withPlainCalls,
} from "./plain-words.ts";
import { simulationOf } from "./simulation.ts";
import { aCheck, anIssue, aRejection, aReport, nothingNet } from "../../../test/components/report.ts";
import { inShort, verdictOf } from "./verdict.ts";

const one = "0x96221423681a6d52e184d440a8efcebb105c7242";
const other = "0x9622ffffffffffffffffffffffffffffffff7242";
const flow = {
  kind: "token",
  symbol: "USDC",
  address: one,
  id: null,
  why: null,
  least: "5",
  most: "1250",
  usd: null,
};

describe("verdictOf and inShort", () => {
  test("says Matches only for a report that passed", () => {
    expect(verdictOf(aReport()).headline).toBe("Matches what you asked");
    fc.assert(
      fc.property(fc.boolean(), fc.boolean(), (isOpen, hasIssue) => {
        const issues = hasIssue ? [anIssue({ isOpen })] : [];
        expect(verdictOf(aRejection(issues)).tone).not.toBe("good");
      }),
    );
  });

  test("says that an unknown contract was checked by its effect, and never in green", () => {
    const byEffect = { contract: one, block: "24000000" };
    const assessment = { kind: "entailed" as const, unread: [], missing: [], restated: "", byEffect };
    const { tone, headline, because } = verdictOf(aReport({ assessment }));
    expect([tone, headline]).toEqual([
      "risk",
      "Matches what you asked: checked by its effect on block 24000000",
    ]);
    expect(because).toContain("We don’t know the contract");
  });

  test("leads with the first failed check", () => {
    const issues = [
      anIssue({ node: "intent_alignment.venue_match", isOpen: true, reasoning: "Unknown." }),
      anIssue({ reasoning: "Ten instead of one." }),
    ];
    expect(verdictOf(aRejection(issues))).toEqual({
      tone: "bad",
      headline: "Differs from what you asked",
      because: "Ten instead of one",
    });
  });

  test("describes unknown code in its own words, whatever the report says", () => {
    const net = { ...nothingNet, control: [{ kind: "delegatecall", party: one }] };
    const report = aRejection([anIssue()], { net });
    expect(verdictOf(report).because).toMatch(/Runs unknown code as your wallet/);
    expect(inShort(report, "0", 1)).toEqual([`gives control of your wallet to ${one}`]);
  });

  test("lists payments, other outgoing and incoming amounts", () => {
    const other = { ...flow, symbol: "DAI", address: "0xda1" };
    const net = { ...nothingNet, leaves: [flow, other], others: [{ ...flow, party: one }], arrives: [flow] };
    expect(inShort(aReport({ net, effects: [] }), "0", 1).slice(0, 3)).toEqual([
      ...[`sends 1,250 USDC to ${one}`, "sends 1,250 DAI", "receives 5 USDC"],
    ]);
  });

  test("distinguishes unverified from different", () => {
    expect(verdictOf(aRejection([anIssue({ isOpen: true })]))).toMatchObject({
      tone: "open",
      headline: "Could not be verified: your decision",
    });
    expect(verdictOf(undefined)).toMatchObject({ tone: "open", headline: "Could not be verified" });
  });
});

describe("differencesOf", () => {
  test("prefers checks that compare the request, and lists each pair once", () => {
    const foreign = anIssue({
      family: "adversarial_detection",
      expected: "a plain call",
      actual: "delegatecall",
    });
    const odd = anIssue({ expected: "move", actual: "a change of control" });
    expect(differencesOf([foreign, anIssue(), anIssue(), odd])).toEqual([
      { asked: "1 ETH", does: "10 ETH" },
      { asked: "move", does: "a change of control" },
    ]);
    const unasked = anIssue({ expected: "only what was asked for", actual: "10 ETH" });
    expect(differencesOf([unasked])).toEqual([{ asked: "Nothing like it", does: "10 ETH" }]);
    expect(differencesOf([unasked, anIssue()])).toEqual([{ asked: "1 ETH", does: "10 ETH" }]);
    expect(differencesOf([foreign])).toEqual([{ asked: "a plain call", does: "delegatecall" }]);
    expect(differencesOf([anIssue({ expected: null })])).toEqual([]);
  });
});

describe("isPartlyUnread", () => {
  const known = { call: "proposed_tx", to: one, value: "0", function: "f", protocol: null, isKnown: true };
  const node = { ...known, isDelegate: false, named: null, data: null, children: [], effects: [] };
  const effect = (act: string, knowledge: string) => {
    const report = readReport({ decision: "PASS", results: {}, context: { effects: [{ act, knowledge }] } });
    return report ?? aReport();
  };

  test("is true for opaque, unknown, truncated or empty effects", () => {
    expect(isPartlyUnread(effect("transfer", "bound"))).toBe(false);
    expect(isPartlyUnread(effect("opaque", "selector"))).toBe(true);
    expect(isPartlyUnread(effect("transfer", "none"))).toBe(true);
    expect(isPartlyUnread({ ...effect("transfer", "bound"), limit: "too many calls" })).toBe(true);
    expect(isPartlyUnread({ ...effect("transfer", "bound"), calls: [node] })).toBe(true);
    expect(isPartlyUnread(aReport())).toBe(true);
    expect(inShort(effect("opaque", "none"), "0", 1)).toEqual(["does something we can’t read"]);
  });
});

describe("calls", () => {
  test("are numbered by nesting", () => {
    expect(withPlainCalls("Take proposed_tx/0/12 out; proposed_tx cannot be read.")).toBe(
      "Take call 1.13 out; the transaction cannot be read.",
    );
    expect(withPlainCalls("proposed_tx cannot be read")).toBe("The transaction cannot be read");
  });
});

describe("checks", () => {
  test("are grouped by family and state, including unknown families", () => {
    const checks = [
      aCheck({ family: "novel_family", state: "unchecked" }),
      aCheck({ state: "failed" }),
      aCheck({ state: "idle" }),
      aCheck({ family: "legal_compliance" }),
    ];
    const groups = groupChecks(checks);
    expect(groups.map(({ heading }) => heading)).toEqual([
      ...["Matches your request", "Policy and sanctions", "novel family"],
    ]);
    expect(groups.flatMap(({ byState }) => Object.values(byState).flat())).toHaveLength(4);
    expect(groups[0]?.byState.failed).toHaveLength(1);
  });

  test("show their confidence in percent", () => {
    expect([1, 0.9, 0.886].map(confidenceText)).toEqual([
      ...["Confidence 100 %", "Confidence 90 %", "Confidence 89 %"],
    ]);
  });
});

describe("addresses", () => {
  test("are found in a sentence without losing text", () => {
    expect(splitAddresses(`to ${one}.`).map(({ kind }) => kind)).toEqual(["text", "address", "text"]);
    expect(splitAddresses(`0x${"a".repeat(64)}`).map(({ kind }) => kind)).toEqual(["text"]);
    const said = fc.array(fc.oneof(fc.string(), fc.constant(one))).map((parts) => parts.join(" "));
    fc.assert(
      fc.property(said, (text) => {
        expect(
          splitAddresses(text)
            .map((piece) => piece.text)
            .join(""),
        ).toBe(text);
      }),
    );
  });

  test("that share both ends are reported, ignoring case", () => {
    expect(lookAlikes([one, other, one.toUpperCase().replace("0X", "0x")])).toEqual([[one, other]]);
    expect(lookAlikes([one, one.toUpperCase().replace("0X", "0x")])).toEqual([]);
    expect(lookAlikes(addressesInPlay(`Pay ${other}`, one, undefined))).toEqual([[other, one].reverse()]);
  });
});

describe("amounts and access", () => {
  test("are the worst case: the most that leaves and the least that arrives", () => {
    expect([amountOf(flow, "leaves"), amountOf(flow, "arrives")]).toEqual(["1,250", "5"]);
    expect(amountOf({ ...flow, most: "unlimited" }, "leaves")).toBe("Unlimited");
    expect(amountOf({ ...flow, most: "12 base units" }, "leaves")).toBe("12 base units");
  });

  test("name an unlimited amount and the expiry", () => {
    const held = { spender: one, asset: flow, most: "unlimited", until: null, signed: false };
    expect(powerOf(held)).toBe("can take any amount of USDC");
    expect(powerOf({ ...held, most: "100" })).toBe("can take up to 100 USDC");
    expect(powerOf({ ...held, asset: null, signed: true })).toMatch(/signature.*can act as your wallet/);
    expect(untilOf("1767225600")?.toISOString()).toBe("2026-01-01T00:00:00.000Z");
    expect([untilOf(null), untilOf("soon"), untilOf("9".repeat(40))]).toEqual([null, null, null]);
  });

  test("use the chain's native token, and keep text that is not an amount", () => {
    expect([coinAmount("1500000000000000000", 137), coinAmount("0", 1), coinAmount("-1", 1)]).toEqual([
      ...["1.5 POL", "0 ETH", "-1"],
    ]);
  });

  test("name an unknown change of control", () => {
    expect(controlOf({ kind: "odd_thing", party: null })).toBe("Changes who controls it (odd thing)");
  });
});

test("distinguishes simulated from decoded reports", () => {
  const node = "technical_invariants.simulation_result";
  const told = (state: "passed" | "failed" | "unchecked") =>
    simulationOf(aReport({ checks: [aCheck({ node, state })] })).word;
  expect([told("passed"), told("failed"), told("unchecked"), simulationOf(undefined).word]).toEqual([
    ...["Simulated", "Simulation shows something else", "Not simulated", "Not simulated"],
  ]);
});

test("computes the digests that wallets show", () => {
  expect(digestsOf("0x")).toEqual({
    plain: "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
    withLength: "0x290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563",
  });
  expect(digestsOf("no bytes")).toBeUndefined();
});
