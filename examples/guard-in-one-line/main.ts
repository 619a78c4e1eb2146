// An agent with a wallet of its own, protected by one line and its import. Its code stays as it is: it calls the wallet, and the wallet sends
// what does what the person said, and nothing else.
import assert from "node:assert/strict";
import { createCountersign } from "@countersign/sdk";
import { guard, isNotApproved, signIn } from "@countersign/sdk/viem"; // changed line 1
import { createTestClient, createWalletClient, erc20Abi, http, parseEther, publicActions } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { sepolia } from "viem/chains";

const url = process.env["COUNTERSIGN_URL"] ?? "http://127.0.0.1:3000";
const rpcUrl = process.env["COUNTERSIGN_RPC_URL"] ?? "http://127.0.0.1:18545";
const account = privateKeyToAccount(generatePrivateKey());
const alice = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const mallory = "0x3f5CE5FBFe3E9af3971dD833D26bA9b5C936f0bE";
const words = `Send 0.01 ETH to ${alice}`;

// Once: the owner lets this agent execute approved transactions without asking, and gives it a key.
const owner = createCountersign({ url, session: await signIn({ url, wallet: account }) });
await owner.updateSettings({ executionType: 2 });
const countersign = createCountersign({
  url,
  apiKey: (await owner.keys.create({ name: "my agent" })).secret,
});
const chain = createTestClient({ mode: "anvil", transport: http(rpcUrl) }).extend(publicActions);
await chain.setBalance({ address: account.address, value: parseEther("1") });

// The one line.
const bare = createWalletClient({ account, chain: sepolia, transport: http(rpcUrl) });
const wallet = guard(bare, { countersign, words }); // changed line 2

// The requested payment is proposed, verified and sent.
const before = await chain.getBalance({ address: alice });
const hash = await wallet.sendTransaction({ to: alice, value: parseEther("0.01") });
await chain.waitForTransactionReceipt({ hash });
assert.equal((await chain.getBalance({ address: alice })) - before, parseEther("0.01"));
console.log("sent", hash);

// Everything else is not, whatever talked the agent into it.
const nonce = await chain.getTransactionCount({ address: account.address });
const attempts: Record<string, () => Promise<unknown>> = {
  "another recipient": () => wallet.sendTransaction({ to: mallory, value: parseEther("0.01") }),
  "a hundred times as much": () => wallet.sendTransaction({ to: alice, value: parseEther("0.99") }),
  "an allowance": () =>
    wallet.writeContract({
      address: "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238",
      abi: erc20Abi,
      functionName: "approve",
      args: [mallory, 2n ** 256n - 1n],
    }),
  "a signature": () => wallet.signMessage({ message: "I owe you" }),
};
for (const [name, attempt] of Object.entries(attempts)) {
  await assert.rejects(attempt, isNotApproved, name);
  console.log("stopped:", name);
}
assert.equal(await chain.getTransactionCount({ address: account.address }), nonce);
