import { describe, expect, test } from "vitest";
import { fail, pass, skip, type Finding, type Severity } from "../node.ts";
import type { Ran } from "./2-run-nodes.ts";
import { confidenceOf, decide, isOpen, severityOf } from "./3-decide.ts";

const ran = (id: string, finding: Finding, about: { severity?: Severity; required?: boolean } = {}): Ran => ({
  id,
  family: "intent_alignment",
  node: {
    title: id,
    failTitle: `not ${id}`,
    severity: "high",
    required: false,
    needs: [],
    check: () => finding,
    ...about,
  },
  page: { title: id, sections: new Map(), checks: "", remedy: "" },
  finding,
});
const relaxed = { requireSanctions: false };
const entailed = { kind: "entailed" } as const;
const judge = (all: readonly Ran[], assessment: Parameters<typeof decide>[1] = entailed, options = relaxed) =>
  decide(all, assessment, options);

describe("a verdict", () => {
  test("passes when every check does", () => {
    expect(judge([ran("a.b", pass("Fine."))])).toMatchObject({
      decision: "PASS",
      primary: null,
      confidence: 1,
    });
  });
  test.each(["critical", "high"] as const)("is a rejection for one failure that is %s", (severity) => {
    expect(judge([ran("a.b", fail("No."), { severity })])).toMatchObject({
      decision: "REJECT",
      primary: "a.b",
      reason: "No.",
    });
  });
  test("takes one failure of medium weight, and not two", () => {
    const one = ran("a.b", fail("No."), { severity: "medium" });
    expect(judge([one]).decision).toBe("PASS");
    expect(judge([one, ran("a.c", fail("No."), { severity: "medium" })]).decision).toBe("REJECT");
  });
  test("takes three failures of low weight, and not four", () => {
    const low = ["a.b", "a.c", "a.d", "a.e"].map((id) => ran(id, fail("No."), { severity: "low" }));
    expect(judge(low.slice(1)).decision).toBe("PASS");
    expect(judge(low).decision).toBe("REJECT");
  });
  test("weighs a finding by its own severity where it has one", () => {
    expect(judge([ran("a.b", fail("No.", { severity: "medium" }), { severity: "critical" })]).decision).toBe(
      "PASS",
    );
  });
  test("rejects where a required check could not look", () => {
    const open = ran("a.b", skip("upstream_failed", "Broken."), { required: true });
    expect(judge([open])).toMatchObject({ decision: "REJECT", primary: "a.b", reason: "Broken." });
  });
  test("passes where a required check had nothing to look at", () => {
    expect(judge([ran("a.b", skip("not_applicable", "Nothing."), { required: true })]).decision).toBe("PASS");
  });
  test("needs a sanctions list only where the operator insists", () => {
    const unlisted = ran("legal_compliance.sanctioned_address", skip("stale_data", "No list."), {
      required: true,
    });
    expect(judge([unlisted]).decision).toBe("PASS");
    expect(judge([unlisted], entailed, { requireSanctions: true }).decision).toBe("REJECT");
  });
  test.each(["contradicted", "not_understood", "not_checked"] as const)(
    "never passes a request that is %s, whatever the checks say",
    (kind) => {
      expect(judge([ran("a.b", pass("Fine."))], { kind })).toMatchObject({
        decision: "REJECT",
        primary: "technical_invariants.decodability",
      });
    },
  );
  test.each(["not_understood", "not_checked"] as const)(
    "rejects where any check, required or not, says %s",
    (kind) => {
      expect(judge([ran("a.b", skip(kind, "Open."))])).toMatchObject({
        decision: "REJECT",
        primary: "a.b",
        reason: "Open.",
      });
    },
  );
  test("is as sure as its weakest required check, less for every context that was not sent", () => {
    const all = [
      ran("a.b", pass("Fine.", { confidence: 0.9 }), { required: true }),
      ran("a.c", pass("Fine.", { confidence: 0.5 })),
      ran("a.d", skip("missing_context", "Untold.")),
    ];
    expect(judge(all).confidence).toBe(0.882);
  });
});

describe("the confidence of a verdict", () => {
  test("does not fall for a check that had nothing to look at", () => {
    expect(judge([ran("a.b", skip("not_applicable", "Nothing."))]).confidence).toBe(1);
  });
  test("that rejects is that of the failure, and full for a check that could not look", () => {
    expect(judge([ran("a.b", fail("No.", { confidence: 0.7 }))]).confidence).toBe(0.7);
    expect(judge([ran("a.b", skip("not_checked", "Open.", { confidence: 0.7 }))]).confidence).toBe(1);
    expect(judge([], { kind: "not_checked" }).confidence).toBe(1);
  });
});

test("a pass counts the checks that passed, failed with small weight, and were skipped", () => {
  const passed = ["a.a", "a.b", "a.c"].map((id) => ran(id, pass("Fine.")));
  const skipped = ["a.d", "a.e"].map((id) => ran(id, skip("not_applicable", "Nothing.")));
  const small = ran("a.f", fail("No."), { severity: "low" });
  expect(judge([...passed, ...skipped]).reason).toMatch(/: 3 checks passed, 2 did not apply/);
  expect(judge([...passed, ...skipped, small]).reason).toMatch(
    /: 3 checks passed; 1 of low weight failed, 2 did not apply/,
  );
});

describe("a check", () => {
  test.each([
    [pass("Fine."), 1],
    [pass("Fine.", { confidence: 0.7 }), 0.7],
    [fail("No.", { confidence: 0.6 }), 0.6],
    [skip("not_applicable", "Nothing.", { confidence: 0.5 }), 1],
    [skip("not_checked", "Open.", { confidence: 0.5 }), 0],
  ])(
    "case %#: has the confidence of its evidence, and none where it could not look",
    (finding, confidence) => {
      expect(confidenceOf(ran("a.b", finding))).toBe(confidence);
    },
  );
  test("has another severity only where it fails", () => {
    const about = { severity: "critical" } as const;
    expect(severityOf(ran("a.b", fail("No.", { severity: "low" }), about))).toBe("low");
    expect(severityOf(ran("a.b", pass("Fine.", { severity: "low" }), about))).toBe("critical");
  });
  test("that ran is not open, required or not", () => {
    for (const finding of [pass("Fine."), fail("No.")])
      expect(isOpen(ran("a.b", finding, { required: true }), true)).toBe(false);
  });
});

describe("the primary failure", () => {
  test("is a small one where nothing else is wrong but the comparison", () => {
    const small = ran("adversarial_detection.counterparty_novelty", fail("New."), { severity: "low" });
    expect(judge([small], { kind: "contradicted" }).primary).toBe(small.id);
  });
  test("is what is open, where the failures alone would not reject", () => {
    const open = ran("intent_alignment.choice_match", skip("not_checked", "Open."));
    const small = ran("adversarial_detection.counterparty_novelty", fail("New."), { severity: "medium" });
    const large = ran("adversarial_detection.fee_siphon", fail("Fee."), { severity: "high" });
    expect(judge([small, open]).primary).toBe("intent_alignment.choice_match");
    expect(judge([large, open]).primary).toBe("adversarial_detection.fee_siphon");
  });
  const primaryOf = (...failures: readonly [string, Severity][]) =>
    judge(failures.map(([id, severity]) => ran(id, fail("No."), { severity }))).primary;
  test("is the sanctioned party before everything", () => {
    expect(
      primaryOf(
        ["adversarial_detection.delegatecall_risk", "critical"],
        ["legal_compliance.sanctioned_address", "critical"],
      ),
    ).toBe("legal_compliance.sanctioned_address");
  });
  test("is the malformed request before what follows from it, whatever its severity", () => {
    expect(
      primaryOf(
        ["technical_invariants.decodability", "critical"],
        ["technical_invariants.hex_encoding", "high"],
      ),
    ).toBe("technical_invariants.hex_encoding");
  });
  test("is the worse one", () => {
    expect(
      primaryOf(
        ["adversarial_detection.min_out_zero", "high"],
        ["intent_alignment.amount_match", "critical"],
      ),
    ).toBe("intent_alignment.amount_match");
  });
  test("is the slot before the sum", () => {
    expect(
      primaryOf(
        ["intent_alignment.effect_coverage", "critical"],
        ["intent_alignment.recipient_match", "critical"],
      ),
    ).toBe("intent_alignment.recipient_match");
  });
  test("is the attack with a name before the slot it changes", () => {
    expect(
      primaryOf(
        ["intent_alignment.recipient_match", "critical"],
        ["adversarial_detection.address_poisoning", "critical"],
      ),
    ).toBe("adversarial_detection.address_poisoning");
  });
  test("does not depend on the order in which checks ran", () => {
    const failures: [string, Severity][] = [
      ["intent_alignment.venue_match", "high"],
      ["intent_alignment.slippage_match", "high"],
      ["technical_invariants.trailing_data", "high"],
    ];
    expect(primaryOf(...failures)).toBe(primaryOf(...failures.toReversed()));
  });
});
