// A rejection that an agent can act on: it names the check, what was requested and what the transaction does instead. The
// agent builds a new transaction for the same request. It never changes the request to fit the transaction.
import assert from "node:assert/strict";
import { createCountersign, type Call } from "@countersign/sdk";
import { signIn } from "@countersign/sdk/viem";
import { parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

const url = process.env["COUNTERSIGN_URL"] ?? "http://127.0.0.1:3000";
const wallet = privateKeyToAccount(generatePrivateKey());
const owner = createCountersign({ url, session: await signIn({ url, wallet }) });
const agent = createCountersign({ url, apiKey: (await owner.keys.create({ name: "my agent" })).secret });

const alice = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const words = `Send 0.01 ETH to ${alice}`;

async function ask(tx: Call) {
  const { requestHash } = await agent.propose({ userPrompt: words, tx });
  const { decision } = await agent.waitForVerdict(requestHash);
  // The receipt contains the whole report.
  const { report } = await agent.receipt(requestHash);
  return { decision, node: report?.["primary_failure_node"], reason: report?.["reason"] };
}

// The agent slipped by three digits, as agents do.
const first = await ask({ to: alice, value: parseEther("10") });
console.log(first);
assert.equal(first.decision, "REJECTED");
assert.equal(first.node, "intent_alignment.amount_match");
assert.match(String(first.reason), /0\.01/);

const second = await ask({ to: alice, value: parseEther("0.01") });
console.log(second);
assert.equal(second.decision, "APPROVED");
