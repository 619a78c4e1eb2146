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

  test.each([
    [{}, "use +not seen yet"],
    [{ watched: false }, "use +not watched"],
    [{ outcome: "used", blockNumber: "77" }, "use +used in block 77 \\(not final yet\\)"],
    [
      { outcome: "used", blockNumber: "77", transactionHash: "0x12", final: true },
      "use +used in block 77, transaction 0x12\\n",
    ],
    [{ outcome: "expired", blockNumber: "78", final: true }, "use +not used, and expired in block 78\\n"],
  ] as const)("shows the use of a released signature: %j", (over, row) => {
    const use = { watched: true, outcome: null, transactionHash: null, blockNumber: null, final: false };
    const released: TransactionView = {
      ...view,
      ...{ status: "EXECUTED", phase: "EXECUTED", shape: "message", message: "I agree" },
      use: { ...use, ...over },
    };
    expect(renderTransaction(released, { ...page, width: 200 })).toMatch(new RegExp(row));
    expect(renderTransaction(view, page)).not.toMatch(/^ *use /m);
  });

  test("shows every call of a batch, its hash, and that it was released to the wallet", () => {
    const [to, other] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`];
    const calls = {
      ...{ version: "2.0.0", chainId: view.chainId, from: view.escrowAddress, atomicRequired: true },
      calls: [
        { to, value: "10000000000000000", data: "0x" },
        { to: other, value: "0", data: "0xa9059cbb" },
      ],
    };
    const batch: TransactionView = {
      ...view,
      ...{ tx: null, shape: "calls", calls, signingHash: `0x${"ab".repeat(32)}` },
    };
    const text = renderTransaction(batch, { ...page, width: 400 });
    expect(text).toMatch(/batch +1\. 0\.01 .* to 0x1111.*; 2\. 0 .* to 0x2222.*, with 4 bytes of data/);
    expect(text).toMatch(/\(all or none\), hash 0xabab/);
    expect(phaseInWords({ ...batch, status: "EXECUTED", phase: "EXECUTED" })).toMatch(
      "batch was released to the wallet",
    );
  });

  test("shows a Safe's transaction with its call, a delegatecall as one, and that its confirmation was released", () => {
    const [safe, to, zero] = [`0x${"5a".repeat(20)}`, `0x${"11".repeat(20)}`, `0x${"00".repeat(20)}`];
    const safeTransaction = {
      ...{ chainId: view.chainId, safe, to, value: "10000000000000000", data: "0xa9059cbb", operation: 0 },
      ...{ safeTxGas: "0", baseGas: "0", gasPrice: "0", gasToken: zero, refundReceiver: zero, nonce: "3" },
    };
    const confirmation: TransactionView = {
      ...view,
      ...{ tx: null, shape: "safeTransaction", safeTransaction, signingHash: `0x${"ab".repeat(32)}` },
    };
    const wide = { ...page, width: 400 };
    expect(renderTransaction(confirmation, wide)).toMatch(
      /Safe +0x5a5a.*, nonce 3: 0\.01 .* to 0x1111.*, with 4 bytes of data, hash 0xabab/,
    );
    const other = { ...safeTransaction, operation: 1, gasPrice: "1", refundReceiver: to };
    expect(renderTransaction({ ...confirmation, safeTransaction: other }, wide)).toMatch(
      /nonce 3: delegatecall: 0\.01 .* of data, refunds gas to 0x1111/,
    );
    expect(phaseInWords({ ...confirmation, status: "EXECUTED", phase: "EXECUTED" })).toMatch(
      "confirmation was released",
    );
  });

  test("shows a text to be signed on one line", () => {
    const message: TransactionView = {
      ...view,
      ...{ tx: null, shape: "message", message: "I agree\n\u202eto it", signingHash: `0x${"ab".repeat(32)}` },
    };
    const text = renderTransaction(message, { ...page, width: 200 });
    expect(text).toMatch(/message +“I agree.*to it”, hash 0xabab/);
    expect(text).not.toContain("\u202e");
  });

  test.each([
    [`0x${"63".repeat(20)}`, /runs the code of 0x6363\w+ as the account, with nonce 7/],
    [`0x${"00".repeat(20)}`, /removes the code delegation, with nonce 7/],
  ])("shows the effect of an authorization for %s", (address, text) => {
    const authorization: TransactionView = {
      ...{ ...view, tx: null, shape: "authorizationList", signingHash: `0x${"ab".repeat(32)}` },
      authorizationList: [{ chainId: 1, address, nonce: "7" }],
    };
    expect(renderTransaction(authorization, { ...page, width: 200 })).toMatch(text);
  });

  test("shows the smart account of a user operation, who pays and who creates it", () => {
    const operation = {
      ...{ chainId: 1, entryPoint: `0x${"43".repeat(20)}`, entryPointVersion: "0.8", nonce: "7" },
      ...{ sender: `0x${"ac".repeat(20)}`, callData: "0xc0ffee", factory: null, factoryData: "0x" },
      ...{ callGasLimit: "1", verificationGasLimit: "1", preVerificationGas: "1", maxFeePerGas: "1" },
      ...{ maxPriorityFeePerGas: "1", paymaster: `0x${"9a".repeat(20)}`, paymasterData: "0x" },
      ...{ paymasterVerificationGasLimit: "1", paymasterPostOpGasLimit: "1" },
    };
    const proposed: TransactionView = {
      ...{ ...view, tx: null, shape: "userOperation", signingHash: `0x${"ab".repeat(32)}` },
      userOperation: operation,
    };
    expect(renderTransaction(proposed, { ...page, width: 250 })).toMatch(
      /0x(ac){20}, nonce 7: 3 bytes of calldata at EntryPoint 0\.8, fees paid by 0x(9a){20}, hash/,
    );
    const created = { ...proposed, userOperation: { ...operation, factory: `0x${"fa".repeat(20)}` } };
    expect(renderTransaction(created, { ...page, width: 250 })).toMatch(/created by 0x(fa){20}/);
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
