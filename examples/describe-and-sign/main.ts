// The agent describes its transaction, the owner signs exactly that sentence, and the agent proposes with it. Another
// transaction with the same sentence is rejected.
import assert from "node:assert/strict";
import { createCountersign } from "@countersign/sdk";
import { signIn, signWords } from "@countersign/sdk/viem";
import { parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

const url = process.env["COUNTERSIGN_URL"] ?? "http://127.0.0.1:3000";
const wallet = privateKeyToAccount(generatePrivateKey());
const alice = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";

const owner = createCountersign({ url, session: await signIn({ url, wallet }) });
const agent = createCountersign({ url, apiKey: (await owner.keys.create({ name: "my agent" })).secret });

const tx = { to: alice, value: parseEther("0.01") } as const;
const { request, why } = await agent.describe({
  ...{ tx, chainId: 11_155_111, from: wallet.address },
  knownAddresses: [{ address: alice, label: "Alice" }],
});
assert.equal(request, `Send 0.01 ETH to Alice (${alice.toLowerCase()}) on Sepolia.`, why ?? "");
console.log(request);

const propose = async (proposed: { readonly to: `0x${string}`; readonly value: bigint }) => {
  const intentSignature = await signWords({ wallet, userPrompt: request });
  return agent.propose({ userPrompt: request, tx: proposed, intentSignature });
};

const { requestHash, intentProvenance } = await propose(tx);
assert.equal(intentProvenance, "user-signed");
assert.equal((await agent.waitForVerdict(requestHash)).decision, "APPROVED");

// The sentence is as strict as any request.
for (const other of [
  { ...tx, value: parseEther("0.1") },
  { ...tx, to: "0x3f5CE5FBFe3E9af3971dD833D26bA9b5C936f0bE" as const },
]) {
  const verdict = await agent.waitForVerdict((await propose(other)).requestHash);
  assert.equal(verdict.decision, "REJECTED");
  console.log(verdict.analysis);
}

// A call that the validator does not know has no description.
const unknown = await agent.describe({ tx: { to: alice, data: "0x12345678" }, chainId: 11_155_111 });
assert.equal(unknown.request, null);
console.log(unknown.why);
