// A proposal expires without a decision, and an expired proposal cannot be approved.
import assert from "node:assert/strict";
import { createCountersign, InvalidRequestError } from "@countersign/sdk";
import { signIn } from "@countersign/sdk/viem";
import { parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

const url = process.env["COUNTERSIGN_URL"] ?? "http://127.0.0.1:3000";
const wallet = privateKeyToAccount(generatePrivateKey());
const owner = createCountersign({ url, session: await signIn({ url, wallet }) });
const agent = createCountersign({ url, apiKey: (await owner.keys.create({ name: "my agent" })).secret });

const alice = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const now = Math.floor(Date.now() / 1000);
const propose = (second: number) =>
  agent.propose({
    userPrompt: `Send 0.01 ETH to ${alice}`,
    tx: { to: alice, value: parseEther("0.01") },
    deadline: new Date(second * 1000),
  });

// A deadline that has passed is no deadline, nor is one in a year.
for (const second of [now - 1, now + 365 * 24 * 3600])
  await assert.rejects(propose(second), {
    name: "InvalidRequestError",
    message: /^deadline must be in Unix seconds, from .* ahead$/,
  });

// `npm run dev` takes deadlines of seconds, to be watched; elsewhere they are at least five minutes ahead.
const { requestHash, expiresAt } = await propose(now + 4);
assert.equal(Date.parse(expiresAt ?? ""), (now + 4) * 1000);
console.log("proposed, until", expiresAt);

const expired = await agent.waitForStatus(requestHash, ["REJECTED"]);
assert.ok(Date.now() >= (now + 4) * 1000);
assert.equal(expired.status, "REJECTED");
assert.equal(expired.reason, "EXPIRED");
console.log("expired");

// The owner comes too late.
await assert.rejects(owner.approve(requestHash), InvalidRequestError);
