// An agent that never holds a key: it proposes, the arbiter checks, and the service has the owner's custodian send exactly those
// bytes from the owner's vault. The custodian of a development system is a stand-in that sends on the development chain.
import assert from "node:assert/strict";
import { createPublicClient, http, parseEther, type Hex } from "viem";
import { addresses } from "../addresses.ts";
import { call, expectStatus, makeAccount, waitForPhase, waitForVerdict } from "../make-account.ts";

const { chain, custodian } = addresses();
const alice = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const thief = "0x3f5CE5FBFe3E9af3971dD833D26bA9b5C936f0bE";

/** What somebody does in the custodian's own console. Their real API has nothing of the kind. */
async function atCustodian<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${custodian}/stand-in/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  assert.equal(response.status, 200);
  return (await response.json()) as Answer;
}

// The owner has a vault with some money in it, and nobody but the custodian has its key.
type Vault = { vaultAccountId: string; address: Hex };
const { vaultAccountId, address: vault } = await atCustodian<Vault>("POST", "vaults");
const { asOwner, asAgent } = await makeAccount();

// The service makes a key for speaking with the custodian, keeps it, and gives out the request for a certificate.
const subject = { commonName: "countersign agent", organization: "Example", country: "CH" };
type Integration = { status: string; csr: string; wallet?: string };
const pending = await expectStatus(
  201,
  call<Integration>("POST", "/custody/generate-csr/agent", asOwner, subject),
);
assert.equal(pending.status, "pending");
assert.match(pending.csr, /^-----BEGIN CERTIFICATE REQUEST-----/);

// The owner uploads that at the custodian, as a new API user of this vault, and brings back the user's API key.
const { apiKey } = await atCustodian<{ apiKey: string }>("POST", "users", {
  csr: pending.csr,
  vaultAccountId,
});
const credentials = { apiKey, vaultAccountId, environment: "sandbox", region: "US" };
const active = await expectStatus(
  200,
  call<Integration>("POST", "/custody/complete/agent", asOwner, credentials),
);
assert.equal(active.status, "active");
// The vault's address was asked of the custodian with this credential. Nobody can name another's.
assert.equal(active.wallet?.toLowerCase(), vault.toLowerCase());
assert.ok(!JSON.stringify(active).includes(apiKey));
assert.deepEqual(await expectStatus(200, call("POST", "/custody/validate/agent", asOwner)), {
  valid: true,
  reason: null,
});

// From now on what the arbiter approves is sent. That is the owner's to choose, not the agent's.
const agentExecutes = { executionType: 2 };
await expectStatus(401, call("PUT", "/settings", asAgent, agentExecutes));
await expectStatus(200, call("PUT", "/settings", asOwner, agentExecutes));

/** The words are always the same. Who is paid is not. */
const propose = async (to: Hex): Promise<Hex> => {
  const { requestHash } = await expectStatus(
    201,
    call<{ requestHash: Hex }>("POST", "/transactions", asAgent, {
      escrowAddress: vault,
      userPrompt: `Send 0.01 ETH to ${alice}`,
      tx: { to, value: parseEther("0.01").toString(), data: "0x" },
    }),
  );
  return requestHash;
};

// The agent proposes and waits. It asks nobody to send, and its owner does nothing.
const requestHash = await propose(alice);
assert.equal((await waitForVerdict(requestHash, asAgent)).decision, "APPROVED");
const executed = await waitForPhase(requestHash, asAgent, "EXECUTED");
assert.equal(executed.status, "EXECUTED");

// The receipt says which transaction it was, and the chain says what was in it.
type Receipt = { decision: string; execution: { transactionHash: Hex; blockNumber: string } };
const receipt = await expectStatus(
  200,
  call<Receipt>("GET", `/transactions/${requestHash}/receipt`, asAgent),
);
assert.equal(receipt.decision, "APPROVED");
const { transactionHash: hash, blockNumber } = receipt.execution;
const node = createPublicClient({ transport: http(chain) });
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

// The same words, and bytes that pay somebody else. It ends at the arbiter: the custodian never hears of it.
const wrong = await propose(thief);
const verdict = await waitForVerdict(wrong, asAgent);
console.log(verdict.decision, verdict.analysis);
assert.equal(verdict.decision, "REJECTED");
assert.equal((await waitForPhase(wrong, asAgent, "REJECTED")).reason, "ORION");
assert.equal((await orders()).length, 1);
assert.equal(await node.getTransactionCount({ address: vault }), 1);
