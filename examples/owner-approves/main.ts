// The default flow: the agent proposes, the verification service checks, the owner approves, the owner's wallet sends. No
// step can be skipped.
import assert from "node:assert/strict";
import { createCountersign } from "@countersign/sdk";
import { signIn, signWords } from "@countersign/sdk/viem";
import { createTestClient, http, parseEther, publicActions, walletActions } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

const url = process.env["COUNTERSIGN_URL"] ?? "http://127.0.0.1:3000";
const rpcUrl = process.env["COUNTERSIGN_RPC_URL"] ?? "http://127.0.0.1:18545";
const wallet = privateKeyToAccount(generatePrivateKey());
const alice = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";

const owner = createCountersign({ url, session: await signIn({ url, wallet }) });
const agent = createCountersign({ url, apiKey: (await owner.keys.create({ name: "my agent" })).secret });

// The owner signs the very words, so that everybody who looks at it later knows that they are theirs.
const userPrompt = `Send 0.01 ETH to ${alice}`;
const intentSignature = await signWords({ wallet, userPrompt });
const tx = { to: alice, value: parseEther("0.01") } as const;
const { requestHash, intentProvenance } = await agent.propose({ userPrompt, tx, intentSignature });
assert.equal(intentProvenance, "user-signed");
assert.equal((await agent.waitForVerdict(requestHash)).decision, "APPROVED");

// A yes of the agent's own key is noted, and moves nothing. The owner's does.
await agent.approve(requestHash);
assert.equal((await agent.transaction(requestHash)).status, "PENDING");
await owner.approve(requestHash);
assert.equal((await agent.waitForStatus(requestHash, ["APPROVED"])).status, "APPROVED");

// The owner's wallet sends exactly that. The development chain gives it something to send.
const node = createTestClient({ mode: "anvil", transport: http(rpcUrl) })
  .extend(publicActions)
  .extend(walletActions);
await node.setBalance({ address: wallet.address, value: parseEther("1") });
const sent = await node.sendTransaction({ account: wallet, chain: null, ...tx });

// EXECUTED means final: no reorganisation can undo it.
const executed = await agent.waitForStatus(requestHash, ["EXECUTED"], {
  onProgress: ({ phase }) => {
    console.log(phase);
  },
});
assert.equal(executed.status, "EXECUTED");
assert.equal(executed.transactionHash, sent);
