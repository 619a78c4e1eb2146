// An agent that is one of two owners of a Safe, protected by two changed lines: the import and the wrapper. The rest is code of
// protocol-kit. It confirms only what the request says.
import assert from "node:assert/strict";
import { createCountersign } from "@countersign/sdk";
import { guardSafe, isNotApproved } from "@countersign/sdk/safe"; // changed line 1
import { signIn } from "@countersign/sdk/viem";
import { createTestClient, http, parseEther, publicActions } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { deploySafe, Safe } from "./deploy-safe.ts";

const url = process.env["COUNTERSIGN_URL"] ?? "http://127.0.0.1:3000";
// A local chain with the real Safe contracts.
const provider = process.env["COUNTERSIGN_WORLD_RPC_URL"] ?? "http://127.0.0.1:18745";
const [signer, friend] = [generatePrivateKey(), generatePrivateKey()];
const [account, other] = [privateKeyToAccount(signer), privateKeyToAccount(friend)];
const alice = privateKeyToAccount(generatePrivateKey()).address;
const mallory = privateKeyToAccount(generatePrivateKey()).address;

// Once: the owner lets this agent execute approved transactions without asking, and gives it a key.
const owner = createCountersign({ url, session: await signIn({ url, wallet: account }) });
await owner.updateSettings({ executionType: 2 });
const { secret } = await owner.keys.create({ name: "my agent" });
const countersign = createCountersign({ url, apiKey: secret });
const chain = createTestClient({ mode: "anvil", transport: http(provider) }).extend(publicActions);
await chain.setBalance({ address: account.address, value: parseEther("1") });
const safeAddress = await deploySafe(provider, { owners: [account.address, other.address], threshold: 2 });
const words = `Send 0.1 ETH from Safe ${safeAddress} to ${alice}`;

const bare = await Safe.init({ provider, signer, safeAddress });
const safe = await guardSafe(bare, { countersign, words }); // changed line 2

// The requested transaction is proposed, verified, approved and confirmed. The other owner confirms it too.
const payment = { to: alice, value: parseEther("0.1").toString(), data: "0x" };
const signed = await safe.signTransaction(await safe.createTransaction({ transactions: [payment] }));
const friends = await Safe.init({ provider, signer: friend, safeAddress });
const { hash } = await safe.executeTransaction(await friends.signTransaction(signed));
await chain.waitForTransactionReceipt({ hash: hash as `0x${string}` });
assert.equal(await chain.getBalance({ address: alice }), parseEther("0.1"));
console.log("executed", hash);

// Nothing else is.
const sign = async (tx: ReturnType<typeof safe.createTransaction>) => safe.signTransaction(await tx);
const more = { to: mallory, value: "1", data: "0x" };
const refund = { safeTxGas: "1", baseGas: "100000", gasPrice: "1000000000", refundReceiver: mallory };
const attempts: Record<string, () => Promise<unknown>> = {
  "another recipient": () => sign(safe.createTransaction({ transactions: [{ ...payment, to: mallory }] })),
  "one more transfer": () => sign(safe.createTransaction({ transactions: [payment, more] })),
  "a refund to someone": () => sign(safe.createTransaction({ transactions: [payment], options: refund })),
  "a later nonce": () => sign(safe.createTransaction({ transactions: [payment], options: { nonce: 9 } })),
  "a new owner": () => sign(safe.createAddOwnerTx({ ownerAddress: mallory, threshold: 1 })),
  "a module": () => sign(safe.createEnableModuleTx(mallory)),
  signHash: () => safe.signHash(`0x${"ab".repeat(32)}`),
  signMessage: () => safe.signMessage(safe.createMessage("I owe Mallory everything")),
  approveTransactionHash: () => safe.approveTransactionHash(`0x${"ab".repeat(32)}`),
};
for (const [name, attempt] of Object.entries(attempts)) {
  await assert.rejects(attempt, isNotApproved, name);
  console.log("blocked:", name);
}
