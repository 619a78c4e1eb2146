// An agent that pays for resources with x402, protected by three changed lines: the import and the signer. The rest is code
// of `@x402/fetch`. It pays only as the request says, however the shop changes its price.
import assert from "node:assert/strict";
import { createCountersign } from "@countersign/sdk";
import { guardPayments } from "@countersign/sdk/x402"; // changed line 1
import { signIn } from "@countersign/sdk/viem";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { createTestClient, http, parseAbi, parseEther, publicActions, walletActions } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { sepolia } from "viem/chains";
import { openShop, priceTo, usdc, type Shop } from "./shop.ts";
import { tokenCode } from "./token.ts";

const url = process.env["COUNTERSIGN_URL"] ?? "http://127.0.0.1:3000";
const rpcUrl = process.env["COUNTERSIGN_RPC_URL"] ?? "http://127.0.0.1:18545";
const account = privateKeyToAccount(generatePrivateKey());
const relayer = privateKeyToAccount(generatePrivateKey());
const payee = privateKeyToAccount(generatePrivateKey()).address;
const mallory = privateKeyToAccount(generatePrivateKey()).address;
const words = `Pay at most 0.01 USDC to ${payee} within 5 minutes`;

// Once: the owner lets this agent execute approved transactions without asking, and gives it a key.
const owner = createCountersign({ url, session: await signIn({ url, wallet: account }) });
await owner.updateSettings({ executionType: 2 });
const { secret } = await owner.keys.create({ name: "my agent" });
const countersign = createCountersign({ url, apiKey: secret });

// The development chain has no USDC, so a token with the same interface is placed there.
const chain = createTestClient({ chain: sepolia, mode: "anvil", transport: http(rpcUrl) })
  .extend(publicActions)
  .extend(walletActions);
const abi = parseAbi([
  "function mint(address, uint256)",
  "function balanceOf(address) view returns (uint256)",
]);
await chain.setBalance({ address: relayer.address, value: parseEther("1") });
await chain.setCode({ address: usdc, bytecode: tokenCode });
const mint = { account: relayer, address: usdc, abi, functionName: "mint" } as const;
const minted = await chain.writeContract({ ...mint, args: [account.address, 1_000_000n] });
await chain.waitForTransactionReceipt({ hash: minted });
const paidTo = (address: `0x${string}`) =>
  chain.readContract({ address: usdc, abi, functionName: "balanceOf", args: [address] });

const network = "eip155:11155111";
const signer = guardPayments(account, { countersign, words, networks: [network] }); // changed line 2
const client = new x402Client()
  .register("eip155:*", new ExactEvmScheme(signer)) // changed line 3: was `new ExactEvmScheme(account)`
  // x402's own list of known tokens has none on Sepolia.
  .setSpendControls({ allowedAssets: true });
const pay = wrapFetchWithPayment(fetch, client);

const visit = async (shop: Shop): Promise<Response> => {
  try {
    return await pay(`${shop.url}/weather`);
  } finally {
    await shop.close();
  }
};
const open = (changes: object = {}, payTo: string = payee) =>
  openShop({ ...priceTo(payTo), ...changes }, { rpcUrl, relayer });

// The payment that was asked for is verified, approved, signed, released, settled on the chain, and the report delivered.
const response = await visit(await open());
assert.equal(response.status, 200);
console.log("bought:", await response.json());
assert.equal(await paidTo(payee), 10_000n);

// A shop that asks for anything else gets no signature.
const extra = { name: "USDC", version: "2" };
const shops: Record<string, () => Promise<Shop>> = {
  "a higher price": () => open({ price: { asset: usdc, amount: "20000", extra } }),
  "another payee": () => open({}, mallory),
  "another asset": () => open({ price: { asset: `0x${"7a".repeat(20)}`, amount: "10000", extra } }),
  "another network": () => open({ network: "eip155:8453" }),
  "a later deadline": () => open({ maxTimeoutSeconds: 1800 }),
};
for (const [name, openIt] of Object.entries(shops)) {
  const shop = await openIt();
  await assert.rejects(visit(shop), /Not signed: /, name);
  console.log("not paid:", name);
}
assert.deepEqual([await paidTo(payee), await paidTo(mallory)], [10_000n, 0n]);
