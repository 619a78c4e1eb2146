// An agent that never holds a key: it proposes, the verification service checks, and the service orders the owner's custodian
// to send exactly that transaction from the owner's vault. The development system uses a test double of the custodian.
import assert from "node:assert/strict";
import { AuthenticationError, createCountersign } from "@countersign/sdk";
import { signIn } from "@countersign/sdk/viem";
import { createPublicClient, http, parseEther, type Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

const {
  COUNTERSIGN_URL: url = "http://127.0.0.1:3000",
  COUNTERSIGN_RPC_URL: rpcUrl = "http://127.0.0.1:18545",
  COUNTERSIGN_CUSTODIAN_URL: custodian = "http://127.0.0.1:18091",
} = process.env;
const alice = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const thief = "0x3f5CE5FBFe3E9af3971dD833D26bA9b5C936f0bE";

/** Steps in the custodian's console. The real API does not have them. */
async function atCustodian<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${custodian}/stand-in/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  assert.equal(response.status, 200);
  return (await response.json()) as Answer;
}

// The owner has a funded vault, and only the custodian has its key.
type Vault = { vaultAccountId: string; address: Hex };
const { vaultAccountId, address: vault } = await atCustodian<Vault>("POST", "vaults");
const wallet = privateKeyToAccount(generatePrivateKey());
const owner = createCountersign({ url, session: await signIn({ url, wallet }) });
const agent = createCountersign({ url, apiKey: (await owner.keys.create({ name: "my agent" })).secret });
async function post<Answer>(path: string, body: object = {}): Promise<Answer> {
  return (await owner.request<Answer>(path, { method: "POST", body })).body;
}

// The service makes a key for speaking with the custodian, keeps it, and gives out the request for a certificate.
const subject = { commonName: "countersign agent", organization: "Example", country: "CH" };
type Integration = { status: string; csr: string; wallet?: string };
const pending = await post<Integration>("/custody/generate-csr/agent", subject);
assert.equal(pending.status, "pending");
assert.match(pending.csr, /^-----BEGIN CERTIFICATE REQUEST-----/);

// The owner uploads that at the custodian, as a new API user of this vault, and brings back the user's API key.
const { apiKey } = await atCustodian<{ apiKey: string }>("POST", "users", {
  csr: pending.csr,
  vaultAccountId,
});
const credentials = { apiKey, vaultAccountId, environment: "sandbox", region: "US" };
const active = await post<Integration>("/custody/complete/agent", credentials);
assert.equal(active.status, "active");
// The service read the vault's address from the custodian with this credential. It cannot be chosen by the caller.
assert.equal(active.wallet?.toLowerCase(), vault.toLowerCase());
assert.ok(!JSON.stringify(active).includes(apiKey));
assert.deepEqual(await post("/custody/validate/agent"), { valid: true, reason: null });

// From now on approved transactions are sent. Only the owner can choose this, not the agent.
await assert.rejects(agent.updateSettings({ executionType: 2 }), AuthenticationError);
await owner.updateSettings({ executionType: 2 });

/** The request is always the same. The recipient is not. */
const propose = async (to: Hex): Promise<string> => {
  const { requestHash } = await agent.propose({
    escrowAddress: vault,
    userPrompt: `Send 0.01 ETH to ${alice}`,
    tx: { to, value: parseEther("0.01") },
  });
  return requestHash;
};

// The agent proposes and waits. Neither the agent nor the owner sends anything.
const requestHash = await propose(alice);
assert.equal((await agent.waitForVerdict(requestHash)).decision, "APPROVED");
const executed = await agent.waitForStatus(requestHash, ["EXECUTED"]);
assert.equal(executed.status, "EXECUTED");

// The receipt says which transaction it was, and the chain says what was in it.
const receipt = await agent.receipt(requestHash);
assert.equal(receipt.decision, "APPROVED");
assert.ok(receipt.execution);
const { transactionHash, blockNumber } = receipt.execution;
const hash = transactionHash as Hex;
const node = createPublicClient({ transport: http(rpcUrl) });
const [sent, mined] = await Promise.all([
  node.getTransaction({ hash }),
  node.getTransactionReceipt({ hash }),
]);
assert.equal(mined.status, "success");
assert.equal(mined.blockNumber, BigInt(blockNumber));
assert.deepEqual(
  { from: sent.from.toLowerCase(), to: sent.to?.toLowerCase(), value: sent.value, data: sent.input },
  { from: vault.toLowerCase(), to: alice.toLowerCase(), value: parseEther("0.01"), data: "0x" },
);
console.log("sent by the custodian, and final:", hash);

// The custodian was asked once, by the hash that names the proposal everywhere.
type Order = { externalTxId: string; vault: string; txHash: Hex };
const orders = async (): Promise<readonly Order[]> =>
  (await atCustodian<Order[]>("GET", "transactions")).filter((order) => order.vault === vaultAccountId);
const [order, ...more] = await orders();
assert.deepEqual([order?.externalTxId, order?.txHash, more.length], [requestHash, hash, 0]);

// The same request with another recipient. It is rejected and never reaches the custodian.
const wrong = await propose(thief);
const verdict = await agent.waitForVerdict(wrong);
console.log(verdict.decision, verdict.analysis);
assert.equal(verdict.decision, "REJECTED");
assert.equal((await agent.waitForStatus(wrong, ["REJECTED"])).reason, "ORION");
assert.equal((await orders()).length, 1);
assert.equal(await node.getTransactionCount({ address: vault }), 1);
