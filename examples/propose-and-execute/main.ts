// From a request to a transaction on chain: an agent proposes, the verification service checks, the owner approves, the owner's
// wallet sends exactly that transaction. This is everything a client needs.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { createTestClient, http, parseEther, publicActions, walletActions } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { createSiweMessage } from "viem/siwe";
import { addresses } from "../addresses.ts";

const { api, chain } = addresses();
const owner = privateKeyToAccount(generatePrivateKey());
const alice = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const chainId = 11_155_111;

type Json = Record<string, string>;
async function call<Answer = Json>(method: string, path: string, headers: Json = {}, body?: object) {
  const response = await fetch(`${api}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Answer;
  assert.ok(response.ok, JSON.stringify(answer));
  return answer;
}

// The owner signs in with a wallet, without a browser, and makes a key for the agent.
const { nonce = "" } = await call("POST", "/auth/siwe/nonce", {}, { walletAddress: owner.address });
const domain = new URL(api).host;
const about = { domain, uri: api, address: owner.address, version: "1", chainId } as const;
const message = createSiweMessage({ ...about, nonce, issuedAt: new Date() });
const signature = await owner.signMessage({ message });
const { accessToken } = await call("POST", "/auth/siwe/verify", {}, { message, signature });
const asOwner = { authorization: `Bearer ${accessToken}` };
const { secret = "" } = await call("POST", "/user-api-keys", asOwner, { name: "my agent" });
const asAgent = { "x-api-key": secret };

// The agent proposes the user's request and the transaction it built for it.
const tx = { to: alice, value: parseEther("0.01").toString(), data: "0x" } as const;
const proposed = await call("POST", "/transactions", asAgent, {
  escrowAddress: owner.address,
  userPrompt: `Send 0.01 ETH to ${alice}`,
  tx,
  chainId,
});
assert.equal(proposed["status"], "PENDING");
const path = `/transactions/${proposed["requestHash"]}`;
console.log("proposed", proposed["requestHash"]);

// It polls until there is a verdict.
type Verdict = { decision: string; confidence: number; analysis: string };
type ApprovalStatus = { user: object[]; orion: Verdict[] };
let status: ApprovalStatus;
while ((status = await call<ApprovalStatus>("GET", `${path}/approval-status`, asAgent)).orion.length === 0)
  await sleep(2000);
console.log(status.orion[0]);
assert.equal(status.orion[0]?.decision, "APPROVED");

// That is not enough: by default the owner decides as well. A yes of the agent's own key is noted, and moves nothing.
await call("POST", `${path}/approvals`, asAgent, { decision: "APPROVED" });
assert.equal((await call("GET", path, asAgent))["status"], "PENDING");
const approval = await call("POST", `${path}/approvals`, asOwner, { decision: "APPROVED" });
assert.equal(approval["type"], "user_ui");
let found: Json;
while ((found = await call("GET", path, asAgent))["status"] === "PENDING") await sleep(500);
assert.equal(found["status"], "APPROVED");

// The owner's wallet sends exactly what was approved. The development chain gives it something to send.
const node = createTestClient({ mode: "anvil", transport: http(chain) })
  .extend(publicActions)
  .extend(walletActions);
await node.setBalance({ address: owner.address, value: parseEther("1") });
const sent = await node.sendTransaction({
  account: owner,
  chain: null,
  to: tx.to,
  value: BigInt(tx.value),
  data: tx.data,
});
console.log("sent", sent);

// The service watches the chain for those bytes. EXECUTED means final: no reorganisation can undo it.
while ((found = await call("GET", path, asAgent))["status"] === "APPROVED") await sleep(1000);
assert.equal(found["status"], "EXECUTED");
assert.equal(found["transactionHash"], sent);
const { number: final } = await node.getBlock({ blockTag: "finalized" });
assert.ok(final >= (await node.getTransactionReceipt({ hash: sent })).blockNumber);
console.log("executed, and final");
