// An agent that sends batches with a guarded wallet, on the real system and a real chain with a real token. The batch that
// was asked for is sent, once; any other batch never reaches the wallet.
import {
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  http,
  maxUint256,
  parseEther,
  publicActions,
  walletActions,
  type Hex,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { sepolia } from "viem/chains";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setStage, type Stage } from "../../../../tools/stage/index.ts";
import { compileToken, tokenAbi, usdc } from "../../test/viem/token.ts";
import { createCountersign, type Countersign } from "../index.ts";
import { fetchTrust, verifyReceipt, type Trust } from "../receipt/index.ts";
import { findNotApproved, guard, signIn } from "./index.ts";

const account = privateKeyToAccount(generatePrivateKey());
const { address } = account;
const alice = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e" as const;
const bob = "0x14dC79964da2C08b23698B3D3cc7Ca32193d9955" as const;
const mallory = "0x90F79bf6EB2c4f870365E785982E1f101E93b906" as const;

let stage: Stage;
let owner: Countersign;
let agent: Countersign;
let trust: Trust;

const node = () =>
  createTestClient({ chain: sepolia, mode: "anvil", transport: http(stage.urls.anvil), pollingInterval: 100 })
    .extend(publicActions)
    .extend(walletActions);

const balanceOf = (of: Hex): Promise<bigint> =>
  node().readContract({ address: usdc, abi: tokenAbi, functionName: "balanceOf", args: [of] });

beforeAll(async () => {
  stage = await setStage();
  stage.chain.mineEvery(200);
  await stage.chain.giveMoney(address);
  await node().setCode({ address: usdc, bytecode: compileToken() });
  const minting = {
    address: usdc,
    abi: tokenAbi,
    functionName: "mint",
    args: [address, 10_000_000n],
  } as const;
  const hash = await node().writeContract({ account, ...minting, gas: 500_000n });
  expect((await node().waitForTransactionReceipt({ hash })).status).toBe("success");
  const { api: url, anvil: rpcUrl } = stage.urls;
  owner = createCountersign({ url, session: await signIn({ url, wallet: account }) });
  const { secret } = await owner.keys.create({ name: "agent" });
  agent = createCountersign({ url, apiKey: secret });
  const { serviceRegistry, inbox } = stage.deployment;
  trust = await fetchTrust({ rpcUrl, serviceRegistry, inbox, serviceId: 1 });
});
afterAll(() => stage.end());

/** A guarded wallet whose owner approves what passes verification, and rejects what could not be verified. */
function guarded(words: string) {
  const decided = new Set<string>();
  const bare = createWalletClient({
    ...{ account, chain: sepolia, transport: http(stage.urls.anvil), pollingInterval: 100 },
  });
  return guard(bare, {
    ...{ countersign: agent, words, trust, onReview: () => undefined },
    onProgress: ({ requestHash, approvals }) => {
      const [verdict] = approvals.orion;
      if (verdict === undefined || verdict.decision === "REJECTED" || decided.has(requestHash)) return;
      decided.add(requestHash);
      // A failed decision shows as a timeout of the wallet.
      void (verdict.decision === "APPROVED" ? owner.approve(requestHash) : owner.reject(requestHash));
    },
  });
}

const pay = (to: Hex, units: bigint) => ({
  to: usdc as Hex,
  data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, units] }),
});
const allow = (spender: Hex, units: bigint) => ({
  to: usdc as Hex,
  data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, units] }),
});

describe("a batch", () => {
  const words = `Send 1 USDC to ${alice} and 2 USDC to ${bob}`;

  test("is sent as asked for, and its proposal is EXECUTED, with a receipt that verifies", async () => {
    const wallet = guarded(words);
    const calls = [pay(alice, 1_000_000n), pay(bob, 2_000_000n)];
    const before = [await balanceOf(alice), await balanceOf(bob)] as const;
    const { id } = await wallet.sendCalls({ calls });
    const { status, receipts } = await wallet.waitForCallsStatus({ id });
    expect([status, receipts?.length]).toEqual(["success", 2]);
    expect((await balanceOf(alice)) - before[0]).toBe(1_000_000n);
    expect((await balanceOf(bob)) - before[1]).toBe(2_000_000n);
    const [done] = (await agent.transactions()).transactions;
    expect(done).toMatchObject({ status: "EXECUTED", phase: "EXECUTED", shape: "calls", tx: null });
    expect(done?.calls?.calls).toEqual(
      calls.map(({ data }) => ({ to: usdc.toLowerCase(), value: "0", data })),
    );
    expect(await verifyReceipt(await agent.receipt(done?.requestHash ?? ""), trust)).toMatchObject({
      ...{ isValid: true, decision: "APPROVED" },
      verdict: { shape: "calls", signingHash: done?.signingHash },
    });
    // One release: no one sends a second batch with this approval.
    await expect(agent.release(done?.requestHash ?? "", done?.signingHash ?? "")).rejects.toThrow("released");
  });

  test("of native payments is sent as asked for", async () => {
    const wallet = guarded(`Send 0.01 ETH to ${alice} and 0.02 ETH to ${bob}`);
    const before = await node().getBalance({ address: bob });
    const { id } = await wallet.sendCalls({
      calls: [
        { to: alice, value: parseEther("0.01") },
        { to: bob, value: parseEther("0.02") },
      ],
    });
    expect((await wallet.waitForCallsStatus({ id })).status).toBe("success");
    expect((await node().getBalance({ address: bob })) - before).toBe(parseEther("0.02"));
  });

  const attacks: [string, readonly { readonly to: Hex; readonly data?: Hex; readonly value?: bigint }[]][] = [
    ["a hidden payment", [pay(alice, 1_000_000n), pay(bob, 2_000_000n), pay(mallory, 1n)]],
    ["a hidden allowance", [pay(alice, 1_000_000n), pay(bob, 2_000_000n), allow(mallory, maxUint256)]],
    ["a missing call", [pay(alice, 1_000_000n)]],
    ["another recipient", [pay(alice, 1_000_000n), pay(mallory, 2_000_000n)]],
    ["a higher amount", [pay(alice, 1_000_000n), pay(bob, 2_000_001n)]],
    ["the same payment twice", [pay(alice, 1_000_000n), pay(alice, 1_000_000n), pay(bob, 2_000_000n)]],
    ["native value on a token call", [pay(alice, 1_000_000n), { ...pay(bob, 2_000_000n), value: 1n }]],
  ];
  test.each(attacks)("with %s is not sent", async (_, calls) => {
    const nonce = await node().getTransactionCount({ address });
    const sending = guarded(words).sendCalls({ calls });
    const error: unknown = await sending.catch((thrown: unknown) => thrown);
    expect(findNotApproved(error)?.message, String(error)).toMatch(/^Not sent: /);
    expect(await node().getTransactionCount({ address })).toBe(nonce);
  });
});
