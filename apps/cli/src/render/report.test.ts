import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columnsOf } from "./layout.ts";
import { renderBlocks, renderReport, renderShort } from "./report.ts";
import { captured, capturedNames } from "../../test/render/reports.ts";

const page = (
  name: string,
  width: number,
  options: { readonly all?: boolean; readonly colour?: boolean; readonly moreBy?: string } = {},
) => {
  const { words, report } = captured(name);
  return renderReport(report, { width, colour: false, words, ...options }) ?? "";
};

// eslint-disable-next-line no-control-regex -- the test searches for them
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;

describe("renderReport", () => {
  test.each([
    ["payment", 80],
    ["wrong-recipient", 80],
    ["hidden-call", 60],
    ["unlimited-approval", 120],
  ] as const)("matches the snapshot: %s at %d columns", async (name, width) => {
    await expect(`${page(name, width)}\n`).toMatchFileSnapshot(`../../test/render/${name}.${width}.txt`);
  });

  test("shows the verdict as a word and a sign, not by color alone", () => {
    expect(page("payment", 80)).toMatch(/^✓ PASS\. /);
    expect(page("wrong-recipient", 80)).toMatch(/^✗ REJECT\. /);
  });

  test("says in the first line that an unknown contract was checked by its effect", () => {
    const { report } = captured("payment");
    const byEffect = { contract: `0x${"c0".repeat(20)}`, block: { number: "24000000", hash: "0x01" } };
    const assessment = { ...(report["assessment"] as object), kind: "entailed", by_effect: byEffect };
    const text = renderShort({ ...report, assessment }, { width: 200, colour: false });
    expect(text).toContain("Checked by its effect on block 24000000: the contract is unknown.");
    expect(page("payment", 200)).not.toContain("by its effect");
  });

  test("has the three blocks in order, then flagged checks, then checks that could not run", () => {
    const headings = [...page("hidden-call", 80).matchAll(/^([A-Z][a-z]+)/gm)].map(([, word]) => word);
    expect(headings).toEqual(["Asked", "Does", "Differs", "Flagged", "Couldn"]);
  });

  test("names each flagged check with its fix", () => {
    const text = page("hidden-call", 80);
    expect(text).toContain("adversarial_detection.hidden_call (critical)");
    expect(text).toContain("intent_alignment.effect_coverage (critical)");
    expect(text.match(/fix {2,}/g)).toHaveLength(2);
  });

  test("separates checks that could not run from flagged ones", () => {
    const [, unchecked = ""] = page("wrong-recipient", 80).split("Couldn't run (11)");
    expect(unchecked).toContain("balance_allowance");
    expect(unchecked).not.toContain("✗");
  });

  test("lists every check with --all", () => {
    const { report } = captured("payment");
    const text = page("payment", 80, { all: true });
    for (const node of Object.keys(report["results"] as object)) expect(text).toContain(node);
  });

  test("counts the other checks and names the command for details", () => {
    const text = page("wrong-recipient", 80, { moreBy: "countersign explain 0x12" });
    expect(text).toContain("intent_alignment.recipient_match (critical)");
    expect(text).not.toContain("Couldn't run (");
    expect(text.replaceAll(/\n {2}(?=\w)/g, " ")).toContain(
      "✓ 35 checks passed. 11 couldn't run. 35 not applicable.",
    );
    expect(text.endsWith("\n  countersign explain 0x12")).toBe(true);
  });

  test("falls back to the checks' reasoning without an explanation", () => {
    const { report, words } = captured("wrong-recipient");
    const text = renderReport({ ...report, explanation: null }, { width: 80, colour: false, words });
    expect(text).toContain("intent_alignment.recipient_match (critical)");
    expect(text).toContain("Send it to 0x742d35cc6634c0532925a3b844bc454e4438f44e.");
  });

  test("shows the parsed request if the original is missing", () => {
    const { report } = captured("payment");
    expect(renderReport(report, { width: 80, colour: false })).toContain("Read as: Send 0.01 ETH");
  });

  test.each([null, 1, "PASS", [], {}, { decision: "PASS" }, { decision: "MAYBE", results: {} }])(
    "returns undefined for a value that is not a report: %j",
    (value) => {
      expect(renderReport(value, { width: 80, colour: false })).toBeUndefined();
      expect(renderShort(value, { width: 80, colour: false })).toBeUndefined();
      expect(renderBlocks(value, { width: 80, colour: false })).toBeUndefined();
    },
  );

  test("never breaks addresses and amounts", () => {
    fc.assert(
      fc.property(fc.constantFrom(...capturedNames), fc.integer({ min: 20, max: 140 }), (name, width) => {
        const whole = (text: string) => new Set(text.match(/\b0x[0-9a-f]{40}\b|\d[\d,]*\.\d+/gi));
        expect(whole(page(name, width))).toEqual(whole(page(name, 200)));
      }),
    );
  });

  test("keeps lines within the width, unless a single word is longer", () => {
    fc.assert(
      fc.property(
        ...[fc.constantFrom(...capturedNames), fc.integer({ min: 20, max: 140 }), fc.boolean()],
        (name, width, all) => {
          for (const line of page(name, width, { all }).split("\n")) {
            const words = line.trim().split(" ");
            const isOneWord = words.length === 1 || (words.length === 2 && /^[✓✗?-]$/.test(words[0] ?? ""));
            const isLabelled = / {2,}\S+$/.test(line);
            if (!isOneWord && !isLabelled) expect(columnsOf(line)).toBeLessThanOrEqual(width);
          }
        },
      ),
    );
  });

  test("has the same text with and without color, and no escape codes without", () => {
    for (const name of capturedNames) {
      const plain = page(name, 80, { all: true });
      const coloured = page(name, 80, { all: true, colour: true });
      expect(plain).not.toMatch(controls);
      // eslint-disable-next-line no-control-regex -- the test removes them
      expect(coloured.replace(/\u001b\[\d+m/g, "")).toBe(plain);
      expect(coloured).not.toBe(plain);
    }
  });
});

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "\u001b[2J\u001b[H✓ PASS",
    "\u202Eevil",
    "a\u200Bb",
    "\r✓ PASS.",
    "\n\n✓ PASS. It does",
    "\u009b31m",
  ),
);

describe("untrusted text in a report", () => {
  test("cannot control the terminal", () => {
    fc.assert(
      fc.property(hostile, hostile, fc.boolean(), (one, other, all) => {
        const { report } = captured("wrong-recipient");
        const issue = {
          ...{
            node: one,
            severity: other,
            title: one,
            reasoning: other,
            expected: one,
            actual: other,
            fix: one,
          },
        };
        const bent = {
          ...report,
          reason: one,
          explanation: { key_issues: [issue] },
          results: { [one]: { status: other, reasoning: one }, [other]: { status: "FAIL", reasoning: one } },
          context: {
            chain: { name: one },
            not_checked: [{ node: one, why: other }],
            effects: [
              { act: one, gives: [{ symbol: other, least: one, most: one }], receiver: one, venue: other },
            ],
          },
        };
        const text = renderReport(bent, { width: 80, colour: false, words: other, all }) ?? "";
        expect(text).not.toMatch(controls);
        expect(text).not.toMatch(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/);
        // Only our own first line may look like a verdict.
        expect(text.split("\n").filter((line) => /^[✓✗] (PASS|REJECT)\./.test(line))).toEqual([
          expect.stringMatching(/^✗ REJECT\./),
        ]);
      }),
    );
  });

  test("never makes rendering fail", () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (context, explanation, result) => {
        const report = { decision: "REJECT", context, explanation, results: { a: result } };
        expect(typeof renderReport(report, { width: 60, colour: false, all: true })).toBe("string");
      }),
    );
  });
});
