import { describe, expect, test } from "vitest";
import { captured } from "../../test/render/reports.ts";
import { run } from "../../test/run-cli.ts";
import { aProposal, path, receiptOf, requestHash } from "../../test/commands.ts";

const text = (value: unknown): string => JSON.stringify(value);

describe("countersign explain", () => {
  test("explains the receipt of a hash", async () => {
    const { env } = await aProposal();
    const { stdout, code } = await run(`explain ${requestHash}`, { env });
    expect(stdout).toMatch(/^✓ PASS\.[^]*\nAsked\n {2}Send 0\.01 ETH/);
    expect(code).toBe(0);
  });

  test("explains a saved receipt offline", async () => {
    const { stdout, code } = await run("explain -", { stdin: text(receiptOf("hidden-call")) });
    expect(stdout).toContain("adversarial_detection.hidden_call");
    expect(code).toBe(4);
  });

  test("explains a report, and lists every check with --all", async () => {
    const { report } = captured("wrong-recipient");
    const { stdout } = await run("explain - --all", { stdin: text(report) });
    expect(stdout).toContain("technical_invariants.balance_allowance");
    expect(stdout).toContain("intent_alignment.amount_match");
  });

  test("prints the report with --json", async () => {
    const { report } = captured("wrong-recipient");
    const { stdout, code } = await run("explain - --json", { stdin: text(report) });
    expect(JSON.parse(stdout)).toEqual(report);
    expect(code).toBe(4);
  });

  test("says that there is no report if encrypted or unchecked", async () => {
    const { env } = await aProposal(undefined, {
      [`GET ${path}/receipt`]: { body: { requestHash, report: null } },
    });
    const { stderr, code } = await run(`explain ${requestHash}`, { env });
    expect(stderr).toContain("There's no report");
    expect(code).toBe(5);
  });

  test("shows the verification service's own reason", async () => {
    const own = { source: "orion", outcome: "gave-up", reason: "The validator did not answer." };
    const { stderr, code } = await run("explain -", { stdin: text({ requestHash, report: own }) });
    expect(stderr).toContain("The validator did not answer.");
    expect(code).toBe(5);
  });

  test.each([["{}"], ["[]"], ["null"], ["nonsense"]])("rejects other documents: %s", async (stdin) => {
    expect((await run("explain -", { stdin })).code).toBe(2);
  });

  test("exits with 6 for a missing file", async () => {
    expect((await run("explain /nowhere/receipt.json")).code).toBe(6);
  });
});

describe("countersign receipt", () => {
  test("prints the receipt as JSON, and warns on stderr if it is unsigned", async () => {
    const { env } = await aProposal();
    const { stdout, stderr } = await run(`receipt ${requestHash}`, { env });
    expect(JSON.parse(stdout)).toEqual(receiptOf("payment"));
    expect(stderr).toContain("no signed verdict");
  });
});
