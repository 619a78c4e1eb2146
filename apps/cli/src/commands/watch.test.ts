import { describe, expect, test } from "vitest";
import { Interrupted } from "../errors.ts";
import { run } from "../../test/run-cli.ts";
import {
  aProposal,
  judgedAs,
  later,
  receiptOf,
  path,
  requestHash,
  unjudged,
  view,
} from "../../test/commands.ts";

describe("countersign watch", () => {
  test("shows each phase once, then the verdict", async () => {
    const { env } = await aProposal([unjudged(), unjudged(), view]);
    const { stdout, stderr, code } = await run(`watch ${requestHash}`, { env });
    expect(stdout.match(/REGISTERED/g)).toHaveLength(1);
    expect(stdout).toMatch(/AWAITING {3}Matches\. Needs the owner's decision\.\n\n✓ PASS\./);
    expect(stderr).toContain(`countersign approve ${requestHash}`);
    expect(code).toBe(0);
  });

  test("exits with 4 for a rejection, with the reason", async () => {
    const over = judgedAs("REJECTED", { status: "REJECTED", phase: "REJECTED", reason: "ORION" });
    const { env } = await aProposal([over], {
      [`GET ${path}/receipt`]: { body: receiptOf("wrong-recipient") },
    });
    const { stdout, stderr, code } = await run(`watch ${requestHash}`, { env });
    expect(stdout).toContain("✗ REJECT.");
    expect(stdout).toContain("intent_alignment.recipient_match");
    expect(stderr).toContain(`countersign explain ${requestHash}`);
    expect(code).toBe(4);
  });

  test("exits with 5 if it could not be verified", async () => {
    const { env } = await aProposal([judgedAs("UNDECIDED")], {
      [`GET ${path}/receipt`]: { body: { requestHash, report: { source: "orion", reason: "away" } } },
    });
    expect((await run(`watch ${requestHash}`, { env })).code).toBe(5);
  });

  test("reports a final state without a verdict as an outcome", async () => {
    const { env } = await aProposal([unjudged({ status: "REJECTED", phase: "REJECTED", reason: "EXPIRED" })]);
    const { stdout, stderr, code } = await run(`watch ${requestHash}`, { env });
    expect(stdout).toContain("Expired.");
    expect(stderr).toBe("");
    expect(code).toBe(4);
  });

  test("does not end with PASS for an expired proposal", async () => {
    const { env } = await aProposal([
      view,
      later({ status: "REJECTED", phase: "REJECTED", reason: "EXPIRED" }),
    ]);
    const { stdout, code } = await run(`watch ${requestHash} --until approved`, { env });
    expect(stdout).not.toContain("PASS");
    expect(code).toBe(4);
  });

  test("prints only JSON lines with --json", async () => {
    const { env } = await aProposal([unjudged(), view]);
    const { stdout } = await run(`watch ${requestHash} --json`, { env });
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ phase }) => phase)).toEqual(["REGISTERED", "AWAITING", "AWAITING"]);
  });

  test("exits with 5 after the timeout, and says how to continue", async () => {
    const { env } = await aProposal([unjudged()]);
    const { stderr, code } = await run(`watch ${requestHash} --timeout 0s`, { env });
    expect(stderr).toContain("countersign watch");
    expect(code).toBe(5);
  });

  test("says after Ctrl-C that the proposal continues", async () => {
    const { env } = await aProposal([unjudged()]);
    const interruption = new AbortController();
    const { stderr, code } = await run(`watch ${requestHash}`, {
      ...{ env, signal: interruption.signal },
      onWrite: () => {
        interruption.abort(new Interrupted());
      },
    });
    expect(stderr).toContain("The proposal continues");
    expect(code).toBe(130);
  });

  test("rejects an invalid hash without a request", async () => {
    const { env, asked } = await aProposal();
    expect((await run("watch 0x12", { env })).code).toBe(2);
    expect((await run(`watch ${requestHash} --timeout soon`, { env })).code).toBe(2);
    expect(asked).toEqual([]);
  });
});
