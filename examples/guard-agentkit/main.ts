// An agent of Coinbase AgentKit, protected by two changed lines: the import and the wrapper. The rest is code of AgentKit.
import assert from "node:assert/strict";
import { AgentKit, EvmWalletProvider, ViemWalletProvider, walletActionProvider } from "@coinbase/agentkit";
import { createCountersign } from "@countersign/sdk";
import { guardWalletProvider, isNotApproved } from "@countersign/sdk/agentkit"; // changed line 1
import { signIn } from "@countersign/sdk/viem";
import { createTestClient, createWalletClient, http, parseEther, publicActions } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { sepolia } from "viem/chains";
import { answerAnalytics } from "./analytics.ts";

answerAnalytics();
const url = process.env["COUNTERSIGN_URL"] ?? "http://127.0.0.1:3000";
const rpcUrl = process.env["COUNTERSIGN_RPC_URL"] ?? "http://127.0.0.1:18545";
const account = privateKeyToAccount(generatePrivateKey());
const alice = privateKeyToAccount(generatePrivateKey()).address;
const mallory = privateKeyToAccount(generatePrivateKey()).address;
const words = `Send 0.01 ETH to ${alice}`; // as the user typed it

// Once: the owner lets this agent execute approved transactions without asking, and gives it a key.
// AgentKit brings another version of viem than the SDK, and their types differ.
const owner = createCountersign({ url, session: await signIn({ url, wallet: account as never }) });
await owner.updateSettings({ executionType: 2 });
const { secret } = await owner.keys.create({ name: "my agent" });
const countersign = createCountersign({ url, apiKey: secret });
const chain = createTestClient({ mode: "anvil", transport: http(rpcUrl) }).extend(publicActions);
await chain.setBalance({ address: account.address, value: parseEther("1") });

const client = createWalletClient({ account, chain: sepolia, transport: http(rpcUrl) });
const bare = new ViemWalletProvider(client, { rpcUrl });
const walletProvider = guardWalletProvider(EvmWalletProvider, bare, { countersign, words }); // changed line 2
const agentkit = await AgentKit.from({ walletProvider, actionProviders: [walletActionProvider()] });

/** As a framework invokes an action that its model chose. */
async function invoke(name: string, args: object): Promise<string> {
  const action = agentkit.getActions().find((one) => one.name.endsWith(name));
  assert.ok(action, name);
  return action.invoke(args);
}

// The requested payment is proposed, verified and sent.
const sent = await invoke("native_transfer", { to: alice, value: "0.01" });
assert.match(sent, /^Transferred 0.01 ETH/);
assert.equal(await chain.getBalance({ address: alice }), parseEther("0.01"));
console.log(sent);

// Nothing else is: not by an action of the model, and not by any method of the provider.
const nonce = await chain.getTransactionCount({ address: account.address });
const refused = await invoke("native_transfer", { to: mallory, value: "0.01" });
assert.match(refused, /Not sent: REJECTED/);
console.log(refused);
const transaction = { to: mallory, value: parseEther("0.01") } as const;
const attempts: Record<string, () => Promise<unknown>> = {
  sendTransaction: () => walletProvider.sendTransaction(transaction),
  nativeTransfer: () => walletProvider.nativeTransfer(mallory, "1"),
  sign: () => walletProvider.sign(`0x${"ab".repeat(32)}`),
  signMessage: () => walletProvider.signMessage("I owe Mallory everything"),
  signTransaction: () => walletProvider.signTransaction(transaction),
  "toSigner().signTransaction": () => walletProvider.toSigner().signTransaction(transaction),
};
for (const [name, attempt] of Object.entries(attempts)) {
  await assert.rejects(attempt, isNotApproved, name);
  console.log("blocked:", name);
}
assert.equal(await chain.getTransactionCount({ address: account.address }), nonce);
