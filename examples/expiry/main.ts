// Nobody decides, and the time is up: a proposal does not wait for ever, and an expired one cannot be brought back.
import assert from "node:assert/strict";
import { call, expectStatus, makeAccount, waitForPhase, type Transaction } from "../make-account.ts";

const alice = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const { wallet, asOwner, asAgent } = await makeAccount();

const propose = (deadline: number) =>
  call<Transaction & { expiresAt: string; message: string }>("POST", "/transactions", asAgent, {
    escrowAddress: wallet.address,
    userPrompt: `Send 0.01 ETH to ${alice}`,
    tx: { to: alice, value: "10000000000000000", data: "0x" },
    deadline,
  });
const now = Math.floor(Date.now() / 1000);

// A deadline that has passed is no deadline, nor is one in a year.
for (const deadline of [now - 1, now + 365 * 24 * 3600])
  assert.match(
    (await expectStatus(400, propose(deadline))).message,
    /^deadline must be in Unix seconds, from .* ahead$/,
  );

// `npm run dev` takes deadlines of seconds, to be watched; elsewhere they are at least five minutes ahead.
const { requestHash, expiresAt } = await expectStatus(201, propose(now + 4));
assert.equal(Date.parse(expiresAt), (now + 4) * 1000);
console.log("proposed, until", expiresAt);

const expired = await waitForPhase(requestHash, asAgent, "REJECTED");
assert.ok(Date.now() >= (now + 4) * 1000);
assert.equal(expired.status, "REJECTED");
assert.equal(expired.reason, "EXPIRED");
console.log("expired");

// The owner comes too late.
const late = await call("POST", `/transactions/${requestHash}/approvals`, asOwner, { decision: "APPROVED" });
assert.equal(late.status, 400);
