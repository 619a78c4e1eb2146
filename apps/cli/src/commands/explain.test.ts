import { describe, expect, test } from "vitest";
import { captured } from "../../test/render/reports.ts";
import { run } from "../../test/run-cli.ts";
import { aProposal, path, receiptOf, requestHash } from "../../test/commands.ts";

const text = (value: unknown): string => JSON.stringify(value);

describe("countersign explain", () => {
  test("tells of a hash what its receipt says", async () => {
    const { env } = await aProposal();
    const { stdout, code } = await run(`explain ${requestHash}`, { env });
    expect(stdout).toMatch(/^✓ PASS\.[^]*\nAsked\n {2}Send 0\.01 ETH/);
    expect(code).toBe(0);
  });

  test("tells of a saved receipt without asking anybody", async () => {
    const { stdout, code } = await run("explain -", { stdin: text(receiptOf("hidden-call")) });
    expect(stdout).toContain("adversarial_detection.hidden_call");
    expect(code).toBe(4);
  });

  test("tells of a bare report, and every check of it with --all", async () => {
    const { report } = captured("wrong-recipient");
    const { stdout } = await run("explain - --all", { stdin: text(report) });
    expect(stdout).toContain("technical_invariants.balance_allowance");
    expect(stdout).toContain("intent_alignment.amount_match");
  });

  test("gives the report itself with --json", async () => {
    const { report } = captured("wrong-recipient");
    const { stdout, code } = await run("explain - --json", { stdin: text(report) });
    expect(JSON.parse(stdout)).toEqual(report);
    expect(code).toBe(4);
  });

  test("says that there is none where its sender sealed it or nobody has judged it", async () => {
    const { env } = await aProposal(undefined, {
      [`GET ${path}/receipt`]: { body: { requestHash, report: null } },
    });
    const { stderr, code } = await run(`explain ${requestHash}`, { env });
    expect(stderr).toContain("There is no report");
    expect(code).toBe(5);
  });

  test("passes on what the arbiter says for itself", async () => {
    const own = { source: "orion", outcome: "gave-up", reason: "The validator could not be asked." };
    const { stderr, code } = await run("explain -", { stdin: text({ requestHash, report: own }) });
    expect(stderr).toContain("The validator could not be asked.");
    expect(code).toBe(5);
  });

  test.each([["{}"], ["[]"], ["null"], ["nonsense"]])("refuses what is neither: %s", async (stdin) => {
    expect((await run("explain -", { stdin })).code).toBe(2);
  });

  test("ends with 6 for a file that is not there", async () => {
    expect((await run("explain /nowhere/receipt.json")).code).toBe(6);
  });
});

describe("countersign receipt", () => {
  test("prints the receipt as JSON, and says beside it when nothing in it is signed", async () => {
    const { env } = await aProposal();
    const { stdout, stderr } = await run(`receipt ${requestHash}`, { env });
    expect(JSON.parse(stdout)).toEqual(receiptOf("payment"));
    expect(stderr).toContain("no signed verdict");
  });
});
