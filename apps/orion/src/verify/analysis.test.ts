import fc from "fast-check";
import { expect, test } from "vitest";
import { analyse, plainText } from "./analysis.ts";
import { aReport } from "../../test/verify.ts";

const issue = {
  node: "adversarial_detection.hidden_call",
  title: "Hidden call",
  reasoning: "It also pays 0xbad.",
};
const report = aReport({
  decision: "REJECT",
  reason: "It also pays 0xbad.",
  explanation: { key_issues: [issue], confidence_summary: {} },
});
const told = { report, decision: "REJECTED", privacy: "for the owner", isSignedByAccount: false } as const;

test("gives the reason, and names each failed check", () => {
  expect(analyse(told)).toBe("It also pays 0xbad.\n- adversarial_detection.hidden_call: It also pays 0xbad.");
});
test("for an encrypted proposal names the checks and repeats nothing", () => {
  const text = analyse({ ...told, privacy: "encrypted by the sender" });
  expect(text).toContain("adversarial_detection.hidden_call: Hidden call");
  expect(text).not.toContain("0xbad");
});
test("says when the checks pass with too little confidence", () => {
  expect(analyse({ ...told, report: aReport(), decision: "UNDECIDED" })).toContain("too little confidence");
});
test("says when the account itself signed the request", () => {
  expect(analyse({ ...told, isSignedByAccount: true })).toContain("account itself signed");
  expect(analyse(told)).not.toContain("signed by");
});
test("is at most 4 kB, well-formed, and without control or format characters, for any input", () => {
  const anyText = fc.string({ unit: "binary", maxLength: 3000 });
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 4 }), (lines) => {
      const text = plainText(lines);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
      expect(text.isWellFormed()).toBe(true);
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      expect(text.split("\n").length).toBeLessThanOrEqual(Math.max(1, lines.length));
    }),
  );
});
test("shortens a long text between characters, and marks it", () => {
  const text = plainText(["\u{1F600}".repeat(2000)]);
  expect(text.endsWith("…")).toBe(true);
  expect(Buffer.byteLength(text)).toBeGreaterThan(4096 - 8);
});
test("removes characters that reverse the reading direction", () => {
  expect(plainText(["pay \u202Ebob\u0007"])).toBe("pay bob");
});
