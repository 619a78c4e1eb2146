// A stored receipt, verified without us: who checked what, with which report, and that nothing was changed since.
import assert from "node:assert/strict";
import { createCountersign, type Receipt } from "@countersign/sdk";
import { fetchTrust, verifyReceipt } from "@countersign/sdk/receipt";
import { signIn } from "@countersign/sdk/viem";
import { parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

const {
  COUNTERSIGN_URL: url = "http://127.0.0.1:3000",
  COUNTERSIGN_RPC_URL: rpcUrl = "http://127.0.0.1:18545",
  // Where the development chain has the contracts.
  COUNTERSIGN_INBOX: inbox = "0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0",
  COUNTERSIGN_SERVICE_REGISTRY: serviceRegistry = "0xe7f1725e7734ce288f8367e1bb143e90bb3f0512",
} = process.env;

const wallet = privateKeyToAccount(generatePrivateKey());
const owner = createCountersign({ url, session: await signIn({ url, wallet }) });
const alice = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const { requestHash } = await owner.propose({
  userPrompt: `Send 0.01 ETH to ${alice}`,
  tx: { to: alice, value: parseEther("0.01") },
});
await owner.waitForVerdict(requestHash);
const kept = JSON.stringify(await owner.receipt(requestHash));

// The trusted signer comes from the chain, not from the receipt. From here on no request is made.
const trust = await fetchTrust({
  rpcUrl,
  inbox: inbox as `0x${string}`,
  serviceRegistry: serviceRegistry as `0x${string}`,
});
const verified = await verifyReceipt(JSON.parse(kept) as Receipt, trust);
assert.ok(verified.isValid);
assert.equal(verified.decision, "APPROVED");
console.log("judged", verified.decision, "by", verified.signer, "at", verified.issuedAt.toISOString());

// One digit more, and it is found out.
const bent = JSON.parse(kept.replaceAll("10000000000000000", "90000000000000000")) as Receipt;
const found = await verifyReceipt(bent, trust);
assert.ok(!found.isValid);
console.log("bent:", found.problems);
