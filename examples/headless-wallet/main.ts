// A wallet without a browser: it signs in, makes a key for its agent, and the agent has its first verdict.
import assert from "node:assert/strict";
import { createCountersign } from "@countersign/sdk";
import { signIn } from "@countersign/sdk/viem";
import { parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

const url = process.env["COUNTERSIGN_URL"] ?? "http://127.0.0.1:3000";
const wallet = privateKeyToAccount(generatePrivateKey());
const alice = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";

// The owner signs one message, and is known.
const session = await signIn({ url, wallet });
const owner = createCountersign({ url, session });

// The agent gets a key. It acts for the account, and can never approve for its owner.
const { secret } = await owner.keys.create({ name: "my agent" });
const agent = createCountersign({ url, apiKey: secret });

const { requestHash } = await agent.propose({
  userPrompt: `Send 0.01 ETH to ${alice}`,
  tx: { to: alice, value: parseEther("0.01") },
});
const verdict = await agent.waitForVerdict(requestHash, {
  onProgress: ({ phase }) => {
    console.log(phase);
  },
});
console.log(verdict.decision, verdict.analysis);
assert.equal(verdict.decision, "APPROVED");
