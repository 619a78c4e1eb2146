// Wallet tools in LangChain, in two changed lines: the import and the tools. Pass them to `createAgent({ model, tools })` or
// `model.bindTools(tools)`; here the calls that a model makes are written out.
import assert from "node:assert/strict";
import { createCountersign } from "@countersign/sdk";
import { walletTools } from "@countersign/sdk/langchain"; // changed line 1
import { signIn } from "@countersign/sdk/viem";
import type { ToolMessage } from "@langchain/core/messages";
import { createTestClient, createWalletClient, http, parseEther, publicActions } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { sepolia } from "viem/chains";

const url = process.env["COUNTERSIGN_URL"] ?? "http://127.0.0.1:3000";
const rpcUrl = process.env["COUNTERSIGN_RPC_URL"] ?? "http://127.0.0.1:18545";
const account = privateKeyToAccount(generatePrivateKey());
const alice = privateKeyToAccount(generatePrivateKey()).address;
const mallory = privateKeyToAccount(generatePrivateKey()).address;
const words = `Send 0.01 ETH to ${alice}`; // as the user typed it

// Once: the owner lets this agent execute approved transactions without asking, and gives it a key.
const owner = createCountersign({ url, session: await signIn({ url, wallet: account }) });
await owner.updateSettings({ executionType: 2 });
const { secret } = await owner.keys.create({ name: "my agent" });
const countersign = createCountersign({ url, apiKey: secret });
const chain = createTestClient({ mode: "anvil", transport: http(rpcUrl) }).extend(publicActions);
await chain.setBalance({ address: account.address, value: parseEther("1") });

const wallet = createWalletClient({ account, chain: sepolia, transport: http(rpcUrl) });
const tools = walletTools(wallet, { countersign, words }); // changed line 2

/** As an agent executes a tool call of its model. */
async function call(name: string, args: object): Promise<Record<string, string>> {
  const tool = tools.find((one) => one.name === name);
  const message = (await tool?.invoke({ type: "tool_call", id: "1", name, args })) as ToolMessage;
  return JSON.parse(message.text) as Record<string, string>;
}

const sent = await call("send_transaction", { to: alice, value: "10000000000000000" });
await chain.waitForTransactionReceipt({ hash: sent["transactionHash"] as `0x${string}` });
assert.equal(await chain.getBalance({ address: alice }), parseEther("0.01"));
console.log(sent);

const refused = await call("send_transaction", { to: mallory, value: "10000000000000000" });
assert.match(refused["refused"] ?? "", /^Not sent: REJECTED/);
assert.equal(await chain.getBalance({ address: mallory }), 0n);
console.log(refused);
