// An agent that uses ethers, protected by two changed lines: the import and the wrapper. The rest is code of ethers.
import assert from "node:assert/strict";
import { createCountersign } from "@countersign/sdk";
import { guardSigner, isNotApproved } from "@countersign/sdk/ethers"; // changed line 1
import { signIn } from "@countersign/sdk/viem";
import { Contract, JsonRpcProvider, MaxUint256, parseEther, toQuantity, Wallet } from "ethers";
import { privateKeyToAccount } from "viem/accounts";

const url = process.env["COUNTERSIGN_URL"] ?? "http://127.0.0.1:3000";
const rpcUrl = process.env["COUNTERSIGN_RPC_URL"] ?? "http://127.0.0.1:18545";
const { privateKey } = Wallet.createRandom();
const alice = Wallet.createRandom().address;
const mallory = "0x3f5CE5FBFe3E9af3971dD833D26bA9b5C936f0bE";
const words = `Send 0.01 ETH to ${alice}`;

// Once: the owner lets this agent execute approved transactions without asking, and gives it a key.
const account = privateKeyToAccount(privateKey as `0x${string}`);
const owner = createCountersign({ url, session: await signIn({ url, wallet: account }) });
await owner.updateSettings({ executionType: 2 });
const { secret } = await owner.keys.create({ name: "my agent" });
const countersign = createCountersign({ url, apiKey: secret });
const provider = new JsonRpcProvider(rpcUrl, undefined, { pollingInterval: 200 });
await provider.send("anvil_setBalance", [account.address, toQuantity(parseEther("1"))]);

const bare = new Wallet(privateKey, provider);
const signer = guardSigner(bare, { countersign, words }); // changed line 2

// The requested payment is proposed, verified and sent.
const response = await signer.sendTransaction({ to: alice, value: parseEther("0.01") });
const receipt = await response.wait();
assert.equal(receipt?.status, 1);
assert.equal(await provider.getBalance(alice), parseEther("0.01"));
console.log("sent", response.hash);

// Nothing else is.
const nonce = await provider.getTransactionCount(account.address);
const usdc = new Contract(
  "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238",
  ["function approve(address spender, uint256 value) returns (bool)"],
  signer,
);
const attempts: Record<string, () => Promise<unknown>> = {
  "another recipient": () => signer.sendTransaction({ to: mallory, value: parseEther("0.01") }),
  "a higher amount": () => signer.sendTransaction({ to: alice, value: parseEther("0.99") }),
  "an allowance": () => usdc.getFunction("approve").send(mallory, MaxUint256, { gasLimit: 100_000n }),
  signMessage: () => signer.signMessage("I owe you"),
  signTransaction: () => signer.signTransaction({ to: mallory, value: 1n }),
  authorize: () => signer.authorize({ address: mallory, nonce, chainId: 0 }),
};
for (const [name, attempt] of Object.entries(attempts)) {
  await assert.rejects(attempt, isNotApproved, name);
  console.log("blocked:", name);
}
assert.equal(await provider.getTransactionCount(account.address), nonce);
provider.destroy();
