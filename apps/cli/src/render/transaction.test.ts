import type { PolicyDecision, TransactionView } from "@countersign/sdk";
import { describe, expect, test } from "vitest";
import { columnsOf } from "./layout.ts";
import { awaiting, judged } from "../../test/render/reports.ts";
import { phaseInWords, renderProgress, renderTable, renderTransaction } from "./transaction.ts";

const view = awaiting();
const page = { width: 80, colour: false, now: new Date(Date.parse(view.createdAt) + 90_000) };

describe("renderTransaction", () => {
  test("matches the snapshot", async () => {
    await expect(`${renderTransaction(view, page)}\n`).toMatchFileSnapshot(
      "../../test/render/awaiting-view.80.txt",
    );
  });

  test("names who decides and the command to run", () => {
    const text = renderTransaction(view, page);
    expect(text).toContain("Needs the owner's decision");
    expect(text).toContain(`countersign approve ${view.requestHash}`);
  });

  test("shows the expiry as relative and exact time", () => {
    expect(renderTransaction(view, page)).toMatch(
      /expires +in 23 h 58 min \(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\)/,
    );
  });

  test("does not ask the owner about a rejected proposal", () => {
    const rejected: TransactionView = {
      ...judged("REJECTED"),
      ...{ status: "REJECTED", phase: "REJECTED", reason: "ORION", expiresAt: null },
    };
    const text = renderTransaction(rejected, page);
    expect(text).toMatch(/^✗ REJECTED\. Nothing was sent\. Differs from the request\./);
    expect(text).toContain(`countersign explain ${view.requestHash}`);
    expect(text).not.toContain("countersign approve");
  });

  test("shows a signature with its type, contract and hash, and that it was released", () => {
    const typedData = {
      domain: { name: "USDC", verifyingContract: "0x1c7d4b196cb0c7b01d743fbc6116a902379c7238" },
      types: {},
      primaryType: "Permit\u001b[2J",
      message: {},
    };
    const signature: TransactionView = {
      ...view,
      ...{ tx: null, shape: "typedData", typedData, signingHash: `0x${"ab".repeat(32)}` },
    };
    const text = renderTransaction(signature, { ...page, width: 200 });
    expect(text).toMatch(/signature +Permit.* for 0x1c7d4b196cb0c7b01d743fbc6116a902379c7238, hash 0xabab/);
    expect(text).not.toContain("\u001b");
    expect(phaseInWords({ ...signature, status: "EXECUTED", phase: "EXECUTED" })).toMatch(
      "signature was released",
    );
  });

  test("shows untrusted text as text", () => {
    const bent = { ...view, description: "pay\u001b[2J\u202Ebob", reasonDetail: "\u001b]0;x\u0007" };
    const text = `${renderTransaction(bent, page)}${renderTable([bent], page)}${renderProgress(bent, 1, page)}`;
    // eslint-disable-next-line no-control-regex -- the test searches for them
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  test("names the mandate that approved it, and the decision of the policy", () => {
    expect(renderTransaction(view, page)).not.toMatch(/^(?:mandate|policy) /m);
    const policyDecision: PolicyDecision = {
      ...{ version: 3, outcome: "ask", rules: [], message: "New recipient" },
    };
    const text = renderTransaction({ ...view, mandateId: "m-1", policyDecision }, page);
    expect(text).toMatch(/mandate +approved under m-1/);
    expect(text).toMatch(/policy +version 3 asks the owner: New recipient/);
  });

  test("marks an encrypted call", () => {
    expect(renderTransaction({ ...view, tx: null }, page)).toMatch(/call +encrypted by the agent/);
  });
});

describe("renderProgress", () => {
  test("shows time, phase and meaning in one line", () => {
    expect(renderProgress(view, 2_400, page)).toBe(
      "2 s      AWAITING   Matches. Needs the owner's decision.",
    );
  });

  test("says why the owner is asked about a repeated payment", () => {
    const message = "This repeats a payment made 3 minutes ago";
    const asked = { ...view, needsOwner: { code: "REPEATED_REQUEST", message, repeats: null } as const };
    expect(phaseInWords(asked)).toBe(
      "Matches. Needs the owner's decision. This repeats a payment made 3 minutes ago.",
    );
    expect(phaseInWords({ ...asked, phase: "READY" })).toBe("Ready to send, exactly as proposed.");
  });

  test("distinguishes an undecided verdict from an approval", () => {
    expect(phaseInWords(judged("UNDECIDED"))).toBe("Could not be verified. Needs the owner's decision.");
  });
});

describe("renderTable", () => {
  test("keeps hashes whole and truncates requests", () => {
    const long = { ...view, description: "word ".repeat(100) };
    const [first = "", second] = renderTable([long], page).split("\n");
    expect(columnsOf(first)).toBeLessThanOrEqual(80);
    expect(first).toContain("…");
    expect(second).toBe(`  ${view.requestHash}`);
  });
});
