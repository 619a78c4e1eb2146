// An agent with a guarded wallet, on the real system and a real chain. It can do what was requested; anything else it tries
// leaves no trace on the chain.
import {
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  http,
  maxUint256,
  parseEther,
  publicActions,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { sepolia } from "viem/chains";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setStage, type Stage } from "../../../../tools/stage/index.ts";
import { createCountersign, type Countersign } from "../index.ts";
import { fetchTrust, verifyReceipt, type Trust } from "../receipt/index.ts";
import { findNotApproved, guard, signIn, signWords } from "./index.ts";

const bob = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const mallory = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const token = "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238";
const words = `Send 0.01 ETH to ${bob}`;
const payment = { to: bob, value: parseEther("0.01") } as const;
const account = privateKeyToAccount(generatePrivateKey());

let stage: Stage;
let owner: Countersign;
let agent: Countersign;
let trust: Trust;

beforeAll(async () => {
  stage = await setStage();
  stage.chain.mineEvery(200);
  await stage.chain.giveMoney(account.address);
  const { api: url, anvil: rpcUrl } = stage.urls;
  owner = createCountersign({ url, session: await signIn({ url, wallet: account }) });
  const { secret } = await owner.keys.create({ name: "agent" });
  agent = createCountersign({ url, apiKey: secret });
  const { serviceRegistry, inbox } = stage.deployment;
  trust = await fetchTrust({ rpcUrl, serviceRegistry, inbox, serviceId: 1 });
});
afterAll(() => stage.end());

const node = () =>
  createPublicClient({ chain: sepolia, transport: http(stage.urls.anvil), pollingInterval: 100 });
const bare = () =>
  createWalletClient({
    ...{ account, chain: sepolia, pollingInterval: 100 },
    transport: http(stage.urls.anvil),
  });

/** A guarded wallet whose owner approves everything that passes verification. */
function guarded(over: { readonly trust?: Trust; readonly timeoutMs?: number } = {}) {
  const decided = new Set<string>();
  const deciding: Promise<unknown>[] = [];
  const wallet = guard(bare(), {
    ...{ countersign: agent, words, trust, ...over },
    onProgress: ({ requestHash, approvals }) => {
      if (approvals.orion[0]?.decision !== "APPROVED" || decided.has(requestHash)) return;
      decided.add(requestHash);
      deciding.push(owner.approve(requestHash));
    },
  });
  return { wallet: wallet.extend(publicActions), settled: () => Promise.all(deciding) };
}

/** Everything on the chain that an attempt could have moved. */
async function chainNow() {
  const { address } = account;
  const [nonce, mine, bobs, mallorys, code] = await Promise.all([
    node().getTransactionCount({ address, blockTag: "pending" }),
    node().getBalance({ address }),
    node().getBalance({ address: bob }),
    node().getBalance({ address: mallory }),
    node().getCode({ address }),
  ]);
  return { nonce, mine, bobs, mallorys, code };
}

test("sends an approved transaction, and its receipt verifies", async () => {
  const before = await chainNow();
  const { wallet, settled } = guarded();
  const hash = await wallet.sendTransaction(payment);
  await settled();
  const { status, from, to } = await wallet.waitForTransactionReceipt({ hash });
  expect([status, from, to]).toEqual(["success", account.address.toLowerCase(), bob.toLowerCase()]);
  const after = await chainNow();
  expect(after.bobs - before.bobs).toBe(payment.value);
  expect(after.nonce - before.nonce).toBe(1);
  const [done] = (await agent.transactions()).transactions;
  const receipt = await agent.receipt(done?.requestHash ?? "");
  expect(await verifyReceipt(receipt, trust)).toMatchObject({ isValid: true, decision: "APPROVED" });
});

describe("a manipulated agent", () => {
  type Guarded = ReturnType<typeof guarded>["wallet"];
  const attempts: [string, (wallet: Guarded) => Promise<unknown>][] = [
    ["another recipient", (wallet) => wallet.sendTransaction({ ...payment, to: mallory })],
    ["another amount", (wallet) => wallet.sendTransaction({ ...payment, value: parseEther("10") })],
    [
      "an unlimited approval",
      (wallet) =>
        wallet.writeContract({
          ...{ address: token, abi: erc20Abi, functionName: "approve" },
          args: [mallory, maxUint256],
        }),
    ],
    [
      "a transfer behind the right address",
      (wallet) =>
        wallet.sendTransaction({
          ...payment,
          data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [mallory, 1n] }),
        }),
    ],
    [
      "a permit",
      (wallet) =>
        wallet.signTypedData({
          domain: { name: "USDC", version: "2", chainId: sepolia.id, verifyingContract: token },
          types: {
            Permit: [
              { name: "owner", type: "address" },
              { name: "spender", type: "address" },
              { name: "value", type: "uint256" },
              { name: "nonce", type: "uint256" },
              { name: "deadline", type: "uint256" },
            ],
          },
          primaryType: "Permit",
          message: {
            ...{ owner: account.address, spender: mallory, value: maxUint256, nonce: 0n },
            deadline: BigInt(Math.floor(Date.now() / 1000) + 600),
          },
        }),
    ],
    [
      "a transaction that was signed elsewhere",
      async (wallet) => {
        const signed = await account.signTransaction({
          ...{ chainId: sepolia.id, to: mallory, value: 1n, gas: 21_000n, type: "eip1559" },
          ...{ nonce: (await chainNow()).nonce, maxFeePerGas: parseEther("0.00000001") },
        });
        return wallet.sendRawTransaction({ serializedTransaction: signed });
      },
    ],
    [
      "an authorization",
      async (wallet) => {
        const authorization = await account.signAuthorization({
          ...{ contractAddress: token, chainId: sepolia.id },
          nonce: (await chainNow()).nonce,
        });
        return wallet.sendTransaction({ ...payment, authorizationList: [authorization] });
      },
    ],
  ];
  test.each(attempts)("is blocked: %s", async (_, attempt) => {
    const before = await chainNow();
    const { wallet } = guarded();
    const error: unknown = await attempt(wallet).catch((thrown: unknown) => thrown);
    const refusal = findNotApproved(error);
    expect(refusal?.message, String(error)).toMatch(/^Not (sent|signed)|is not allowed/);
    await stage.chain.mine(1);
    expect(await chainNow()).toEqual(before);
  });

  test("is not given a signature of a text that its request does not contain", async () => {
    const { wallet } = guarded({ timeoutMs: 20_000 });
    await expect(wallet.signMessage({ message: "I am the owner" })).rejects.toThrow(/Not signed/);
  });
});

test("sends nothing without a signature of the trusted verifier", async () => {
  const before = await chainNow();
  const { wallet } = guarded({ trust: { ...trust, signer: mallory } });
  const error: unknown = await wallet.sendTransaction(payment).catch((thrown: unknown) => thrown);
  expect(findNotApproved(error)?.message).toMatch("its receipt is invalid. It was signed by");
  await stage.chain.mine(1);
  expect(await chainNow()).toEqual(before);
});

test("marks a request as signed by the owner", async () => {
  const intentSignature = await signWords({ wallet: account, userPrompt: words });
  const { requestHash } = await agent.propose({ userPrompt: words, tx: payment, intentSignature });
  expect(await agent.transaction(requestHash)).toMatchObject({ intentProvenance: "user-signed" });
});
