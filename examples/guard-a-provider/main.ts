// An app that uses an EIP-1193 provider, protected by two changed lines: the import and the wrapper. The provider goes
// wherever the bare one went: into wagmi, viem, ethers or calls of `request`.
import assert from "node:assert/strict";
import { createCountersign } from "@countersign/sdk";
import { guardProvider, isNotApproved } from "@countersign/sdk/eip1193"; // changed line 1
import { signIn } from "@countersign/sdk/viem";
import { createTestClient, http, numberToHex, parseEther, publicActions, type Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { makeProvider } from "../wallet-provider.ts";

const url = process.env["COUNTERSIGN_URL"] ?? "http://127.0.0.1:3000";
const rpcUrl = process.env["COUNTERSIGN_RPC_URL"] ?? "http://127.0.0.1:18545";
const account = privateKeyToAccount(generatePrivateKey());
const alice = privateKeyToAccount(generatePrivateKey()).address;
const mallory = "0x3f5CE5FBFe3E9af3971dD833D26bA9b5C936f0bE";
const words = `Send 0.01 ETH to ${alice}`;

// Once: the owner lets this agent execute approved transactions without asking, and gives it a key.
const owner = createCountersign({ url, session: await signIn({ url, wallet: account }) });
await owner.updateSettings({ executionType: 2 });
const { secret } = await owner.keys.create({ name: "my agent" });
const countersign = createCountersign({ url, apiKey: secret });
const chain = createTestClient({ mode: "anvil", transport: http(rpcUrl) }).extend(publicActions);
await chain.setBalance({ address: account.address, value: parseEther("1") });

const bare = makeProvider(account, rpcUrl);
const provider = guardProvider(bare, { countersign, words }); // changed line 2

// The app's code stays as it is.
const [from] = await provider.request({ method: "eth_requestAccounts" });
assert.equal(from, account.address);
const pay = (to: Hex, amount: string): Promise<Hex> =>
  provider.request({
    method: "eth_sendTransaction",
    params: [{ from, to, value: numberToHex(parseEther(amount)) }],
  });

// The requested payment is proposed, verified and sent.
const hash = await pay(alice, "0.01");
await chain.waitForTransactionReceipt({ hash });
assert.equal(await chain.getBalance({ address: alice }), parseEther("0.01"));
console.log("sent", hash);

// Nothing else is.
const nonce = await chain.getTransactionCount({ address: from });
const ask = (method: string, params: readonly unknown[]) => provider.request({ method, params } as never);
const call = { from, to: mallory, value: "0x1" };
const attempts: Record<string, () => Promise<unknown>> = {
  "another recipient": () => pay(mallory, "0.01"),
  "a higher amount": () => pay(alice, "0.99"),
  personal_sign: () => ask("personal_sign", ["0x00", from]),
  eth_sign: () => ask("eth_sign", [from, "0x00"]),
  eth_signTransaction: () => ask("eth_signTransaction", [call]),
  eth_sendRawTransaction: () => ask("eth_sendRawTransaction", ["0x02"]),
  eth_signTypedData_v3: () => ask("eth_signTypedData_v3", [from, "{}"]),
  wallet_sendCalls: () => ask("wallet_sendCalls", [{ calls: [call] }]),
  "a method that does not exist yet": () => ask("wallet_doAnything", [call]),
};
for (const [name, attempt] of Object.entries(attempts)) {
  await assert.rejects(attempt, isNotApproved, name);
  console.log("blocked:", name);
}
assert.equal(await chain.getTransactionCount({ address: from }), nonce);
