// An agent that is one of two owners of a Safe, with protocol-kit, the real contracts and the real system. It confirms the
// transaction that was asked for. Others are not confirmed.
import { encodeFunctionData, parseAbi, parseEther, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setStage, type Stage } from "../../../../tools/stage/index.ts";
import { addresses } from "../../../../tools/world/index.ts";
import {
  aKey,
  startSafeWorld,
  type Kit,
  type SafeTransaction,
  type SafeWorld,
} from "../../test/safe/world.ts";
import { createCountersign, type Countersign } from "../index.ts";
import { fetchTrust, type Trust } from "../receipt/index.ts";
import { signIn } from "../viem/index.ts";
import { findNotApproved, guardSafe, type SafeOptions } from "./index.ts";

const [key, friend] = [aKey(), aKey()];
const payee = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const mallory = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const value = parseEther("0.1").toString();
const payment = { to: payee, value, data: "0x" };

let world: SafeWorld;
let stage: Stage;
let owner: Countersign;
let agent: Countersign;
let trust: Trust;
let address: Hex;
let words: string;

beforeAll(async () => {
  [world, stage] = await Promise.all([startSafeWorld(), setStage()]);
  stage.chain.mineEvery(200);
  await world.fund(key.address);
  address = await world.deploy([key.address, friend.address], 2);
  words = `Send 0.1 ETH from Safe ${address} to ${payee}`;
  const { api: url, anvil: rpcUrl } = stage.urls;
  owner = createCountersign({ url, session: await signIn({ url, wallet: privateKeyToAccount(key.key) }) });
  const { secret } = await owner.keys.create({ name: "agent" });
  agent = createCountersign({ url, apiKey: secret });
  const { serviceRegistry, inbox } = stage.deployment;
  trust = await fetchTrust({ rpcUrl, serviceRegistry, inbox, serviceId: 1 });
});
afterAll(async () => {
  await Promise.all([world.stop(), stage.end()]);
});

/** The owner approves what passes verification, and rejects what could not be verified. */
async function guarded(over: Partial<SafeOptions> = {}): Promise<Kit> {
  const decided = new Set<string>();
  return guardSafe(await world.open(address, key.key), {
    ...{ countersign: agent, words, trust, onReview: () => undefined },
    onProgress: ({ requestHash, approvals }) => {
      const [verdict] = approvals.orion;
      if (verdict === undefined || verdict.decision === "REJECTED" || decided.has(requestHash)) return;
      decided.add(requestHash);
      // A failed decision shows as a timeout.
      void (verdict.decision === "APPROVED" ? owner.approve(requestHash) : owner.reject(requestHash));
    },
    ...over,
  });
}

async function execute(safe: Kit, signed: SafeTransaction): Promise<string> {
  const friends = await world.open(address, friend.key);
  const { hash } = await safe.executeTransaction(await friends.signTransaction(signed));
  return (await world.node.waitForTransactionReceipt({ hash: hash as Hex })).status;
}

test("confirms the transaction that was asked for, and executes it with the other owner's confirmation", async () => {
  const safe = await guarded();
  const tx = await safe.createTransaction({ transactions: [payment] });
  const before = await world.node.getBalance({ address: payee });
  expect(await execute(safe, await safe.signTransaction(tx))).toBe("success");
  expect((await world.node.getBalance({ address: payee })) - before).toBe(parseEther("0.1"));
  const [done] = (await agent.transactions()).transactions;
  const safeTxHash = await safe.getTransactionHash(tx);
  expect(done).toMatchObject({ status: "EXECUTED", shape: "safeTransaction", signingHash: safeTxHash });
  await expect(agent.release(done?.requestHash ?? "", safeTxHash)).rejects.toThrow("released");
});

test("confirms a batch through MultiSend, if all of it was asked for", async () => {
  const other = aKey().address;
  const both = `From Safe ${address}, send 0.1 ETH to ${payee} and 0.2 ETH to ${other}`;
  const safe = await guarded({ words: both });
  const transactions = [payment, { to: other, value: parseEther("0.2").toString(), data: "0x" }];
  const tx = await safe.createTransaction({ transactions, onlyCalls: true });
  expect(tx.data.operation).toBe(1);
  expect(await execute(safe, await safe.signTransaction(tx))).toBe("success");
  expect(await world.node.getBalance({ address: other })).toBe(parseEther("0.2"));
});

describe("does not confirm", () => {
  const abi = parseAbi(["function transfer(address to, uint256 value)"]);
  const data = encodeFunctionData({ abi, functionName: "transfer", args: [mallory, 1_000_000n] });
  const attacks: readonly (readonly [string, (safe: Kit) => Promise<SafeTransaction>])[] = [
    ["another recipient", (safe) => safe.createTransaction({ transactions: [{ ...payment, to: mallory }] })],
    [
      "a higher amount",
      (safe) => safe.createTransaction({ transactions: [{ ...payment, value: parseEther("1").toString() }] }),
    ],
    [
      "a delegatecall",
      (safe) => safe.createTransaction({ transactions: [{ ...payment, operation: 1 }] as never }),
    ],
    [
      "a delegatecall into other code",
      (safe) =>
        safe.createTransaction({ transactions: [{ to: mallory, value: "0", data, operation: 1 }] as never }),
    ],
    [
      "a refund in coin",
      (safe) =>
        safe.createTransaction({
          transactions: [payment],
          options: {
            safeTxGas: "100000",
            gasPrice: "1000000000",
            baseGas: "100000",
            refundReceiver: mallory,
          },
        }),
    ],
    [
      "a refund in a token",
      (safe) =>
        safe.createTransaction({
          transactions: [payment],
          options: {
            safeTxGas: "1",
            gasPrice: "1000000",
            baseGas: "1",
            gasToken: addresses.usdc,
            refundReceiver: mallory,
          },
        }),
    ],
    [
      "another nonce",
      async (safe) =>
        safe.createTransaction({ transactions: [payment], options: { nonce: (await safe.getNonce()) + 1 } }),
    ],
    [
      "a batch with one more transfer",
      (safe) => safe.createTransaction({ transactions: [payment, { to: mallory, value: "1", data: "0x" }] }),
    ],
    [
      "a batch with one more token transfer",
      (safe) => safe.createTransaction({ transactions: [payment, { to: addresses.usdc, value: "0", data }] }),
    ],
    ["a new owner", (safe) => safe.createAddOwnerTx({ ownerAddress: mallory, threshold: 1 })],
    [
      "another owner",
      (safe) => safe.createSwapOwnerTx({ oldOwnerAddress: friend.address, newOwnerAddress: mallory }),
    ],
    ["one owner fewer", (safe) => safe.createRemoveOwnerTx({ ownerAddress: friend.address, threshold: 1 })],
    ["a lower threshold", (safe) => safe.createChangeThresholdTx(1)],
    ["a module", (safe) => safe.createEnableModuleTx(mallory)],
    [
      "a guard",
      async () => {
        // The kit asks the new guard whether it is one, so the call is written by hand.
        const guard = parseAbi(["function setGuard(address guard)"]);
        const call = encodeFunctionData({ abi: guard, functionName: "setGuard", args: [mallory] });
        return (await world.open(address, key.key)).createTransaction({
          transactions: [{ to: address, value: "0", data: call }],
        });
      },
    ],
    ["a fallback handler", (safe) => safe.createEnableFallbackHandlerTx(mallory)],
  ];
  test.each(attacks)("%s", async (_, attack) => {
    const safe = await guarded();
    const tx = await attack(safe);
    const error: unknown = await safe.signTransaction(tx).then(
      () => expect.unreachable("it was signed"),
      (thrown: unknown) => thrown,
    );
    expect(findNotApproved(error)?.message, String(error)).toMatch(
      /^Not signed: (REJECTED|nonce \d+ is not the Safe's next one)/,
    );
  });
});
